import type { Policy } from '../../../shared/health.ts'
import type { ProbeError } from '../../../shared/verifier-protocol.ts'

/**
 * How much a failure proves. `refused`: the rate was limited. `hard`: nothing there that could be the service.
 * `timeout`: no answer, be it for load. `soft`: an answer, though a useless one.
 */
export const failureKinds = ['refused', 'hard', 'timeout', 'soft'] as const
export type FailureKind = (typeof failureKinds)[number]

/** Failures of one service without a good answer in between, as one verifier saw them. */
export interface FailureRun {
  /** The least that any of them proves; null where there is none. */
  readonly kind: FailureKind | null
  readonly count: number
  /** When the first of these probes began, epoch ms. */
  readonly startedAt: number
}

export const noFailures: FailureRun = { kind: null, count: 0, startedAt: 0 }

const hardErrors: ReadonlySet<ProbeError> = new Set(['DNS', 'CONNECT', 'TLS', 'WRONG_CHAIN', 'WRONG_GENESIS'])

/** Returns what a failed probe proves. A failure without a reason proves little. */
export function failureKind(error: ProbeError | null): FailureKind {
  if (error === 'RATE_LIMITED') return 'refused'
  if (error === 'TIMEOUT') return 'timeout'
  return error !== null && hardErrors.has(error) ? 'hard' : 'soft'
}

/** Returns the run with one more failure, which may be earlier than those that are known: reports overtake each other. */
export function addFailure(run: FailureRun, kind: FailureKind, at: number): FailureRun {
  const continues = run.kind !== null && (run.kind === 'refused') === (kind === 'refused')
  if (!continues || run.kind === null) return { kind, count: 1, startedAt: at }
  const isSofter = failureKinds.indexOf(kind) > failureKinds.indexOf(run.kind)
  return {
    kind: isSofter ? kind : run.kind,
    count: run.count + 1,
    startedAt: Math.min(run.startedAt, at),
  }
}

/** Failures in a row that prove by themselves that a service is down. */
interface Proof {
  readonly failures: number
  /** From the first failed probe's start to the last one's. */
  readonly spanMs: number
}

/** The retests of a verifier are 1, 2 and 3 s after a failure, less what reports may differ by in delivery. */
const deliveryMs = 100
const hardProof: Proof = { failures: 4, spanMs: 3_000 - deliveryMs }
/** The first of four time-outs of 4 s begins 7 s before the last. */
const timeoutProof: Proof = { failures: 4, spanMs: 7_000 - deliveryMs }
const refusals = 3
/** The hold for which these spans are meant: whoever asks for a longer one gets longer spans, too. */
const usualHoldMs = 20_000

/** Returns what a run of failures must come to; null where no number of them is proof enough. */
export function proofFor({ kind }: FailureRun, { downForMs }: Pick<Policy, 'downForMs'>): Proof | null {
  const scaled = ({ failures, spanMs }: Proof): Proof => ({
    failures,
    spanMs: spanMs * Math.max(1, downForMs / usualHoldMs),
  })
  switch (kind) {
    case 'refused':
      return { failures: refusals, spanMs: downForMs }
    case 'hard':
      return scaled(hardProof)
    case 'timeout':
      return scaled(timeoutProof)
    default:
      return null
  }
}

/**
 * Returns whether a run of failures that lasted until `at` (epoch ms) proves by itself that the service is down, so that
 * the decision needs no further hold.
 */
export function isConfirmed(run: FailureRun, at: number, policy: Pick<Policy, 'downForMs'>): boolean {
  const proof = proofFor(run, policy)
  return proof !== null && run.count >= proof.failures && at - run.startedAt >= proof.spanMs
}
