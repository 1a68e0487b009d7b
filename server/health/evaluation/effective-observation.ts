import type { Policy } from '../../../shared/health.ts'
import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import { addFailure, failureKind, isConfirmed, noFailures } from '../decide/failure-run.ts'
import type { FailureRun } from '../decide/failure-run.ts'
import { vote } from '../decide/vote.ts'
import type { Vote } from '../decide/vote.ts'
import { windowLength } from './latest-observation.ts'
import type { LatestObservation, ProbeMemory, TryWindow } from './latest-observation.ts'

/** A measured observation of a report. */
export interface SeenObservation extends LatestObservation {
  /** The error of the first try, where the probe was repeated at once. */
  readonly firstError: ProbeError | null
}

/** What one verifier's observations of one service amount to. */
interface EffectiveObservation {
  readonly observation: LatestObservation
  readonly memory: ProbeMemory
}

/**
 * Returns what counts after one more observation; null where it changes nothing.
 *
 * A probe that was not made repeats the last vote. So does a refused one, until three of them in a row have lasted as
 * long as the policy's hold, and where there is no vote to repeat, `PAUSED` stays in its place and is not counted. An
 * answer that only our own limit called too large says nothing at all: what is known gets old, and ends in UNKNOWN.
 */
export function effectiveObservation(
  last: LatestObservation | null,
  memory: ProbeMemory,
  seen: SeenObservation,
  policy: Policy,
): EffectiveObservation | null {
  if (seen.error === 'TOO_LARGE') return null
  if (last !== null && seen.at < last.at) return afterLateReport(last, memory, seen, policy)
  if (seen.error === 'PAUSED') return { observation: repeated(last, seen.at, policy), memory }
  if (seen.error === 'RATE_LIMITED' && policy.rateLimitedIs === 'bad') {
    const run = addFailure(memory.run, 'refused', seen.at)
    const counts = isConfirmed(run, seen.at, policy)
    const observation = counts ? { ...plain(seen), isConfirmed: true } : repeated(last, seen.at, policy)
    return { observation, memory: { ...memory, run } }
  }
  return afterProbe(memory, seen, policy)
}

/** Returns the last vote as if it had been cast at `at`. One that did not count any more is not revived. */
const repeated = (last: LatestObservation | null, at: number, { freshMs }: Policy): LatestObservation =>
  last === null || at - last.at > freshMs
    ? { at, ok: false, error: 'PAUSED', lagBlocks: 0, lagSec: 0, rttMs: 0 }
    : { ...last, at }

const plain = ({ at, ok, error, lagBlocks, lagSec, rttMs }: LatestObservation): LatestObservation => ({
  at,
  ok,
  error,
  lagBlocks,
  lagSec,
  rttMs,
})

/** A report that was overtaken changes no vote, but it belongs to the failures in a row, or ends them. */
function afterLateReport(
  last: LatestObservation,
  memory: ProbeMemory,
  seen: SeenObservation,
  policy: Policy,
): EffectiveObservation | null {
  const { goodAt } = memory
  if (memory.run.kind === null || memory.run.kind === 'refused' || seen.error === 'PAUSED') return null
  if (seen.ok && seen.error === null) {
    if (seen.at < memory.run.startedAt) return null
    const run: FailureRun = { ...memory.run, count: 1, startedAt: last.at }
    return { observation: { ...last, isConfirmed: false }, memory: { ...memory, goodAt: seen.at, run } }
  }
  const kind = failureKind(seen.error)
  if (kind === 'refused' || (goodAt !== null && seen.at < goodAt)) return null
  const run = addFailure(memory.run, kind, seen.at)
  return {
    observation: { ...last, isConfirmed: isConfirmed(run, last.at, policy) },
    memory: { ...memory, run },
  }
}

function afterProbe(memory: ProbeMemory, seen: SeenObservation, policy: Policy): EffectiveObservation {
  const outcome = outcomeOf(seen, policy)
  const hasFailed = !seen.ok || seen.error !== null
  const window = addProbe(memory.window, outcome, seen.firstError !== null)
  const run = hasFailed ? addFailure(memory.run, failureKind(seen.error), seen.at) : noFailures
  const next: ProbeMemory = {
    window,
    run,
    goodAt: hasFailed ? memory.goodAt : seen.at,
    ...worstLag(memory, seen, outcome),
  }
  const observation = plain(seen)
  const inconsistent = inconsistencyOf(window)
  if (hasFailed && isConfirmed(run, seen.at, policy)) observation.isConfirmed = true
  if (inconsistent === null) return { observation, memory: next }

  observation.inconsistent = inconsistent
  if (inconsistent === 'lag') {
    // The service answers often enough to be late and not down, also while its last probe happened to fail.
    observation.ok = true
    observation.error = null
  }
  if (observation.ok && observation.error === null) {
    observation.lagBlocks = Math.max(seen.lagBlocks, next.worstLagBlocks)
    observation.lagSec = Math.max(seen.lagSec, next.worstLagSec)
  }
  return { observation, memory: next }
}

/** Slow answers are no sign of several backends, so round trips are left out. */
function outcomeOf(seen: LatestObservation, policy: Policy): ProbeOutcome {
  const verdict = vote(seen, { ...policy, maxRttMs: null }, 'UP')
  return verdict === 'ok' ? 'good' : verdict === 'lag' ? 'behind' : 'bad'
}

type WorstLag = Pick<ProbeMemory, 'worstLagBlocks' | 'worstLagSec' | 'worstAge'>

function worstLag(
  memory: ProbeMemory,
  { lagBlocks, lagSec }: LatestObservation,
  outcome: ProbeOutcome,
): WorstLag {
  const isBehind = outcome === 'behind'
  const { worstLagBlocks, worstLagSec } = memory
  const worstAge = worstLagBlocks === 0 && worstLagSec === 0 ? -1 : memory.worstAge
  if (worstAge + 1 >= windowLength) {
    return { worstLagBlocks: isBehind ? lagBlocks : 0, worstLagSec: isBehind ? lagSec : 0, worstAge: 0 }
  }
  if (!isBehind || (lagBlocks < worstLagBlocks && lagSec < worstLagSec)) {
    return { worstLagBlocks, worstLagSec, worstAge: worstAge + 1 }
  }
  return {
    worstLagBlocks: Math.max(lagBlocks, worstLagBlocks),
    worstLagSec: Math.max(lagSec, worstLagSec),
    worstAge: 0,
  }
}

/** What a probe found, apart from why: `behind` is an answer with more lag than the policy allows. */
export type ProbeOutcome = 'good' | 'behind' | 'bad'

const allProbes = (1 << windowLength) - 1

const push = (mask: number, bit: boolean): number => ((mask << 1) | Number(bit)) & allProbes

/** Returns the window with one more probe. The oldest leaves it once there are more than ten. */
export function addProbe(window: TryWindow, outcome: ProbeOutcome, wasRetried: boolean): TryWindow {
  return {
    count: Math.min(windowLength, window.count + 1),
    retried: push(window.retried, wasRetried),
    bad: push(window.bad, outcome === 'bad'),
    behind: push(window.behind, outcome === 'behind'),
  }
}

/** Fewer probes than this tell nothing about a share. */
const minProbes = 5
/** An outage is one run of failures, however long. Only an endpoint whose backends differ fails now and then. */
const minRuns = 2
const lagShare = 0.3
const badShare = 0.7

/**
 * Returns the vote that the window justifies where the service answers now this way, now that; null where the last
 * probe speaks for itself. Three of ten tries that failed or were behind make a service late; seven of ten that failed
 * make it bad. Lag alone never does: an endpoint that is behind in every try would only be late, too.
 */
export function inconsistencyOf(window: TryWindow): Exclude<Vote, 'ok'> | null {
  if ((window.retried | window.bad | window.behind) === 0 || window.count < minProbes) return null
  const whole = countTries(window)
  if (whole.runs < minRuns || whole.wrong < lagShare * whole.tries) return null
  if (whole.failed >= badShare * whole.tries) return 'bad'

  // A service that has just stopped answering after a good spell is down, whatever happened before that spell.
  const before = countTries(window, trailingFailures(window))
  return before.wrong < lagShare * before.tries ? null : 'lag'
}

interface TryCounts {
  tries: number
  /** Tries that failed. */
  failed: number
  /** Tries that failed or were behind. */
  wrong: number
  /** Unbroken sequences of wrong tries. */
  runs: number
}

/** Counts the tries of a window without its newest `skipped` probes. */
export function countTries({ count, retried, bad, behind }: TryWindow, skipped = 0): TryCounts {
  const counts: TryCounts = { tries: 0, failed: 0, wrong: 0, runs: 0 }
  let wasWrong = false
  const add = (hasFailed: boolean, isBehind: boolean): void => {
    const isWrong = hasFailed || isBehind
    counts.tries++
    if (hasFailed) counts.failed++
    if (isWrong) counts.wrong++
    if (isWrong && !wasWrong) counts.runs++
    wasWrong = isWrong
  }
  for (let probe = count - 1; probe >= skipped; probe--) {
    if (hasBit(retried, probe)) add(true, false)
    add(hasBit(bad, probe), hasBit(behind, probe))
  }
  return counts
}

const hasBit = (mask: number, bit: number): boolean => (mask & (1 << bit)) !== 0

/** How many of the newest probes failed without a break. */
function trailingFailures({ count, bad }: TryWindow): number {
  let failures = 0
  while (failures < count && hasBit(bad, failures)) failures++
  return failures
}
