import type { Log } from '../platform/log.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { nextTurn } from '../platform/turns.ts'
import type { Board, BoardObservation } from './board.ts'
import { minLive } from './decide/quorum.ts'
import { snapshotOfLatest } from './decide/snapshot.ts'
import type { Snapshot } from './decide/snapshot.ts'
import type { HealthState } from './decide/state-machine.ts'
import type { Report } from './decide/vote.ts'
import type { SavedHealth } from './history/store.ts'
import {
  hasMissedExpiry,
  judgedBy,
  meansTheSame,
  minGapMs,
  never,
  nextDue,
  nobodyLeft,
  notJudged,
  restoredFrom,
  settledSince,
  soonDue,
  withoutInstants,
} from './judgement.ts'
import type { Judgement } from './judgement.ts'
import { createLookTimes } from './look-times.ts'
import type { Published } from './published.ts'
import type { Catalogue, ListedService } from './services/catalogue.ts'
import type { Directory } from './verifiers/directory.ts'
import type { Ejections } from './verifiers/ejections.ts'

/** What an evaluation found, for history, metrics and live views. */
export interface Evaluated {
  readonly service: ListedService
  readonly at: number
  readonly previousAt: number | null
  readonly previous: HealthState
  readonly state: HealthState
  readonly snapshot: Snapshot
  readonly reports: readonly Report[]
}

/** Turns the board into published decisions, a slice at a time so that no request waits behind 10,000 services. */
export interface Evaluator {
  /** A service has something new to be judged. */
  touched(slot: number): void
  /** A service has a new observation in place of the last one of the same verifier. */
  observed(listed: ListedService, last: BoardObservation | null, seen: BoardObservation): void
  touchedAll(): void
  /** Goes on with what was published before a restart, until its quorum would have been lost. */
  restore(listed: ListedService, saved: SavedHealth): void
  forget(slot: number): void
  state(slot: number): HealthState | undefined
  /** The fresh reports of a service, those of ejected verifiers among them. */
  reports(listed: ListedService, now: number): Report[]
  /** Judges everything that is due. */
  evaluateDue(): Promise<void>
  start(): void
  stop(): void
}

interface EvaluatorOptions {
  catalogue: Catalogue
  board: Board
  directory: Directory
  ejections: Ejections
  published: Published
  clock: SteadyClock
  log: Log
  onEvaluated: (evaluated: Evaluated) => void
  /** The clock was corrected backwards: what was seen before cannot be compared with what comes. */
  onTimeWentBack: () => void
}

const tickMs = 200
/** How long one slice may keep the event loop. */
const sliceMs = 2
/** Smaller steps back are of no consequence. */
const stepBackMs = 1_000

export function createEvaluator(options: EvaluatorOptions): Evaluator {
  const { catalogue, board, directory, ejections, published, clock, log, onEvaluated } = options
  /** By slot. */
  const judgements: (Judgement | undefined)[] = []
  const looks = createLookTimes()
  let timer: Timer | undefined
  let isEvaluating = false
  let latestNow = Number.NEGATIVE_INFINITY

  const counts = (report: Report): boolean => directory.find(report.verifierId)?.isEjected === false

  function evaluate(listed: ListedService, now: number): void {
    const { service, slot } = listed
    const { policy } = service
    let last = judgements[slot] ?? notJudged(now)
    if (hasMissedExpiry(last, now)) last = judge(listed, last, nobodyLeft(last, policy), last.expiresAt, [])

    const all = freshReports(board, directory, listed, now)
    ejections.judge(listed, all, last.state.published)
    const counted = all.filter(counts)
    const needed = minLive(policy, directory.assigned(service.family, now - policy.freshMs))
    const evaluation = { now, policy, minLive: needed, published: last.state.published }
    const snapshot = snapshotOfLatest(counted, evaluation)
    if (snapshot.raw === 'UNKNOWN' && now < last.restoredUntil) {
      looks.set(slot, last.restoredUntil)
      return
    }
    const next = judge(listed, last, snapshot, now, counted)
    const lookAt = nextDue(next, snapshot, now)
    looks.set(slot, lookAt, settledSince(next, lookAt, policy))
    published.put(service.id, { ...snapshot, decision: next.state.published }, next.expiresAt, now)
  }

  /** What goes wrong with one service must not keep the others from being judged; its own answer expires. */
  function evaluateSafely(listed: ListedService, now: number): void {
    try {
      evaluate(listed, now)
    } catch (error) {
      looks.set(listed.slot, now + minGapMs)
      log.error('a service could not be judged', { serviceId: listed.service.id, error })
    }
  }

  function judge(service: ListedService, last: Judgement, snapshot: Snapshot, at: number, counted: Report[]) {
    const next = judgedBy(last, snapshot, at, service.service.policy)
    judgements[service.slot] = next
    const { evaluatedAt: previousAt, state: previous } = last
    onEvaluated({ service, at, previousAt, previous, state: next.state, snapshot, reports: counted })
    return next
  }

  function beginAnewAfterStepBack(now: number): void {
    if (now < latestNow - stepBackMs) {
      log.warn('the clock was corrected backwards: every decision begins anew', { byMs: latestNow - now })
      options.onTimeWentBack()
      for (const [slot, last] of judgements.entries()) judgements[slot] = last && withoutInstants(last)
      looks.beginAnew()
    }
    latestNow = now
  }

  async function evaluateDue(): Promise<void> {
    if (isEvaluating) return
    isEvaluating = true
    try {
      let now = clock.now()
      beginAnewAfterStepBack(now)
      let sliceEndsAt = now + sliceMs
      for (let slot = 0; slot < catalogue.slots; slot++) {
        if (!looks.isDue(slot, now)) continue
        const listed = catalogue.at(slot)
        if (!listed || listed.service.isHidden) {
          looks.set(slot, never)
          continue
        }
        evaluateSafely(listed, now)
        now = clock.now()
        if (now > sliceEndsAt) {
          await nextTurn()
          now = clock.now()
          sliceEndsAt = now + sliceMs
        }
      }
    } finally {
      isEvaluating = false
    }
  }

  return {
    touched: (slot) => looks.hasten(slot, soonDue(judgements[slot])),
    observed({ service: { policy }, slot }, last, seen) {
      const judgement = judgements[slot]
      const canWait = judgement && last !== null && looks.isSettled(slot, last.at)
      if (!canWait || !meansTheSame(last, seen, policy, judgement)) looks.hasten(slot, soonDue(judgement))
    },
    touchedAll() {
      for (const { slot } of catalogue.all()) looks.hasten(slot, 0)
    },
    restore({ service, slot }, saved) {
      const { published: decision, quorumExpiresAt, evaluatedAt } = saved
      judgements[slot] = restoredFrom(saved)
      looks.hasten(slot, quorumExpiresAt)
      published.put(service.id, { ...saved, decision }, quorumExpiresAt, evaluatedAt)
    },
    forget(slot) {
      judgements[slot] = undefined
      looks.set(slot, never)
    },
    state: (slot) => judgements[slot]?.state,
    reports: (listed, now) => freshReports(board, directory, listed, now),
    evaluateDue,
    start() {
      timer = setInterval(() => {
        evaluateDue().catch((error: unknown) => log.error('evaluating failed', { error }))
      }, tickMs)
    },
    stop: () => clearInterval(timer),
  }
}

/** Of every verifier that is not cut off. */
function freshReports(board: Board, directory: Directory, listed: ListedService, now: number): Report[] {
  const { service, slot } = listed
  const reports: Report[] = []
  board.forEachFresh(slot, now - service.policy.freshMs, (column, observation) => {
    const verifier = directory.atColumn(column)
    if (!verifier || verifier.isIsolated) return
    const { at, ok, error, lagBlocks, lagSec, rttMs } = observation
    reports.push({ verifierId: verifier.verifier.id, at, ok, error, lagBlocks, lagSec, rttMs })
  })
  return reports
}
