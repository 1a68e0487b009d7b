import type { Policy } from '../../../shared/health.ts'
import type { Log } from '../../platform/log.ts'
import { createPeriodicJob } from '../../platform/periodic-job.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { nextTurn } from '../../platform/turns.ts'
import type { ObservationTable } from './observation-table.ts'
import type { LatestObservation } from './latest-observation.ts'
import type { ServiceSnapshot } from '../decide/snapshot.ts'
import type { HealthState } from '../decide/state-machine.ts'
import type { Report } from '../decide/vote.ts'
import type { SavedHealth } from '../history/store.ts'
import {
  hasMissedExpiry,
  nextEvaluation,
  castsSameVote,
  minGapMs,
  never,
  nextDue,
  snapshotAtExpiry,
  notEvaluated,
  restoredFrom,
  settledSince,
  dueAfterChange,
  holdOf,
  withoutInstants,
} from './service-evaluation.ts'
import type { CountedReport, ServiceEvaluation } from './service-evaluation.ts'
import { createEvaluationSchedule } from './service-evaluation.ts'
import { countReports, freshReports, liveFailures } from './fresh-reports.ts'
import { pendingChange } from './pending-change.ts'
import type { PendingChange } from './pending-change.ts'
import type { PublishedDecisions, PublishedNumbers } from './published-decisions.ts'
import type { Catalogue, ListedService } from '../services/catalogue.ts'
import type { ActiveVerifiers } from '../verifiers/active-verifiers.ts'
import type { Ejections } from '../verifiers/ejections.ts'

/** The result of one evaluation, for history and metrics. */
export interface EvaluationResult {
  readonly service: ListedService
  readonly at: number
  readonly previousAt: number | null
  readonly previous: HealthState
  readonly state: HealthState
  readonly snapshot: ServiceSnapshot
  readonly reports: readonly CountedReport[]
}

/** The reports of one service that count, and the snapshot over them. */
type CountedReports = Pick<EvaluationResult, 'at' | 'snapshot' | 'reports'>

/** Turns the latest observations into published decisions, a slice at a time, so that no request waits behind 10,000 services. */
export interface Evaluator {
  /** Schedules an evaluation as soon as the shortest gap allows, because something about the service has changed. */
  markDue(slot: number): void
  /** Schedules an evaluation if a new observation says something else than the verifier's last one. */
  observed(listed: ListedService, last: LatestObservation | null, seen: LatestObservation): void
  markAllDue(): void
  /** Publishes the decision of before a restart again, until its quorum expires. */
  restore(listed: ListedService, saved: SavedHealth): void
  forget(slot: number): void
  /** Returns until when (epoch ms) the observations that are known here carry a decision; 0 where they do not. */
  carriedUntil(listed: ListedService, now: number): number
  state(slot: number): HealthState | undefined
  /** Returns the change that the votes ask for, if there is one. */
  pendingChange(listed: ListedService, now: number): PendingChange | null
  /** Returns the fresh reports on a service, including those of ejected verifiers. */
  reports(listed: ListedService, now: number): Report[]
  /** Evaluates every service that is due. */
  evaluateDue(): Promise<void>
  start(): void
  stop(): Promise<void>
}

interface EvaluatorOptions {
  catalogue: Catalogue
  table: ObservationTable
  activeVerifiers: ActiveVerifiers
  ejections: Ejections
  published: PublishedDecisions
  clock: SteadyClock
  log: Log
  onEvaluated: (evaluated: EvaluationResult) => void
  /** Is called when the clock was corrected backwards: earlier observations cannot be compared with later ones. */
  onTimeWentBack: () => void
  /** Whether this process decides; the decisions of another are restored one by one. By default it does. */
  isDeciding?: () => boolean
}

const tickMs = 200
/** Longest time (ms) for which one slice may occupy the event loop. */
const sliceMs = 2
/** Steps back of the clock below this (ms) are ignored. */
const stepBackMs = 1_000

export function createEvaluator(options: EvaluatorOptions): Evaluator {
  const { catalogue, ejections, published, clock, log, onEvaluated } = options
  const { isDeciding = () => true } = options
  const evaluations: (ServiceEvaluation | undefined)[] = [] // by slot
  const schedule = createEvaluationSchedule()
  let latestNow = Number.NEGATIVE_INFINITY

  function evaluate(listed: ListedService, now: number): void {
    const { service, slot } = listed
    const { policy } = service
    let last = evaluations[slot] ?? notEvaluated(now)
    if (hasMissedExpiry(last, now)) {
      last = apply(listed, last, {
        at: last.expiresAt,
        snapshot: snapshotAtExpiry(last, policy),
        reports: [],
      })
    }
    const { all, reports, snapshot } = countReports(options, listed, last.state.published, now)
    ejections.judge(listed, all, last.state.published)
    if (snapshot.raw === 'UNKNOWN' && now < last.restoredUntil) {
      schedule.set(slot, last.restoredUntil)
      return
    }
    const next = apply(listed, last, { at: now, snapshot, reports })
    const dueAt = nextDue(next, snapshot, now)
    schedule.set(slot, dueAt, settledSince(next, dueAt, policy))
    published.put(service.id, publishedNumbers(snapshot, next), next.expiresAt, now)
  }

  /** Logs an error in the evaluation of one service, so that the others are still evaluated. Its own answer expires. */
  function evaluateSafely(listed: ListedService, now: number): true {
    try {
      evaluate(listed, now)
    } catch (error) {
      schedule.set(listed.slot, now + minGapMs)
      log.error('a service could not be judged', { serviceId: listed.service.id, error })
    }
    return true
  }

  function apply(
    service: ListedService,
    last: ServiceEvaluation,
    counted: CountedReports,
  ): ServiceEvaluation {
    const next = evaluationOf(counted, last, service.service.policy)
    evaluations[service.slot] = next
    const { evaluatedAt: previousAt, state: previous } = last
    onEvaluated({ service, previousAt, previous, state: next.state, ...counted })
    return next
  }

  function restartAfterStepBack(now: number): void {
    if (now < latestNow - stepBackMs) {
      log.warn('the clock was corrected backwards: every decision begins anew', { byMs: latestNow - now })
      options.onTimeWentBack()
      for (const [slot, last] of evaluations.entries()) evaluations[slot] = last && withoutInstants(last)
      schedule.reset()
    }
    latestNow = now
  }

  /** Evaluates a service that is due. Returns whether there was anything to do. */
  function evaluateSlot(slot: number, now: number): boolean {
    if (!schedule.isDue(slot, now) || !isDeciding()) return false
    const listed = catalogue.at(slot)
    if (listed && !listed.service.isHidden) return evaluateSafely(listed, now)
    schedule.set(slot, never)
    return false
  }

  const evaluating = createPeriodicJob(
    tickMs,
    async () => {
      restartAfterStepBack(clock.now())
      if (isDeciding()) await inSlices(catalogue, clock, evaluateSlot)
    },
    (error) => log.error('evaluating failed', { error }),
  )

  return {
    markDue: (slot) => schedule.bringForward(slot, dueAfterChange(evaluations[slot])),
    observed({ service: { policy }, slot }, last, seen) {
      const evaluation = evaluations[slot]
      if (becameConfirmed(last, seen)) schedule.bringForward(slot, 0)
      const canWait = evaluation && last !== null && schedule.isSettled(slot, last.at)
      if (!canWait || !castsSameVote(last, seen, policy, evaluation))
        schedule.bringForward(slot, dueAfterChange(evaluation))
    },
    markAllDue() {
      for (const { slot } of catalogue.all()) schedule.bringForward(slot, 0)
    },
    restore({ service, slot }, saved) {
      const { published: decision, quorumExpiresAt, evaluatedAt } = saved
      evaluations[slot] = restoredFrom(saved)
      schedule.bringForward(slot, quorumExpiresAt)
      published.put(service.id, { ...saved, decision }, quorumExpiresAt, evaluatedAt)
    },
    forget(slot) {
      evaluations[slot] = undefined
      schedule.set(slot, never)
    },
    carriedUntil(listed, now) {
      const last = evaluations[listed.slot] ?? notEvaluated(now)
      const { snapshot } = countReports(options, listed, last.state.published, now)
      return snapshot.raw === 'UNKNOWN' ? 0 : snapshot.quorumExpiresAt
    },
    state: (slot) => evaluations[slot]?.state,
    pendingChange({ slot, service }, now) {
      const evaluation = evaluations[slot]
      const failures = () => liveFailures(options, { slot, service }, now)
      return evaluation ? pendingChange(evaluation, now, service.policy, failures) : null
    },
    reports: (listed, now) => freshReports(options, listed, now),
    evaluateDue: evaluating.run,
    start: evaluating.start,
    stop: evaluating.stop,
  }
}

/** Returns what is published: without averages while nothing is decided, as the contract has it. */
function publishedNumbers(snapshot: ServiceSnapshot, { state }: ServiceEvaluation): PublishedNumbers {
  const { published: decision } = state
  if (decision !== 'UNKNOWN') return { ...snapshot, decision }
  return { decision, liveVerifiers: snapshot.liveVerifiers, avgBlocksLatency: 0, avgTimeLatency: 0 }
}

const evaluationOf = (
  { snapshot, at, reports }: CountedReports,
  last: ServiceEvaluation,
  policy: Policy,
): ServiceEvaluation => nextEvaluation(last, snapshot, at, policy, holdOf(reports, snapshot))

/** Returns whether a failure needs no further hold from now on, so that the shortest gap is no reason to wait either. */
const becameConfirmed = (last: LatestObservation | null, seen: LatestObservation): boolean =>
  seen.isConfirmed === true && last?.isConfirmed !== true

/** Visits every slot, and lets other work run after each slice. `visit` returns whether it has done any work. */
async function inSlices(
  catalogue: Pick<Catalogue, 'slots'>,
  clock: SteadyClock,
  visit: (slot: number, now: number) => boolean,
): Promise<void> {
  let now = clock.now()
  let sliceEndsAt = now + sliceMs
  for (let slot = 0; slot < catalogue.slots; slot++) {
    if (!visit(slot, now)) continue
    now = clock.now()
    if (now <= sliceEndsAt) continue
    await nextTurn()
    now = clock.now()
    sliceEndsAt = now + sliceMs
  }
}
