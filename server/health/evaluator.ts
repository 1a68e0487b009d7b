import type { Decision } from '../../shared/health.ts'
import type { Log } from '../platform/log.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { Board } from './board.ts'
import { minLive } from './decide/quorum.ts'
import { snapshotOfLatest } from './decide/snapshot.ts'
import type { Snapshot } from './decide/snapshot.ts'
import { initial, step } from './decide/state-machine.ts'
import type { HealthState } from './decide/state-machine.ts'
import type { Report } from './decide/vote.ts'
import type { SavedHealth } from './history/store.ts'
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
  touchedAll(): void
  /** Goes on with what was published before a restart, until its quorum would have been lost. */
  restore(listed: ListedService, saved: SavedHealth): void
  forget(slot: number): void
  state(slot: number): HealthState | undefined
  snapshot(slot: number): Snapshot | undefined
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
}

/** A service is judged at most this often, however many verifiers report on it. */
const minGapMs = 1_000
const tickMs = 200
/** How long one slice may keep the event loop. */
const sliceMs = 4
const never = Number.POSITIVE_INFINITY

interface Judged {
  state: HealthState
  snapshot: Snapshot | null
  evaluatedAt: number | null
  /** The restored decision stands until then even without a report. */
  restoredUntil: number
}

export function createEvaluator(options: EvaluatorOptions): Evaluator {
  const { catalogue, board, directory, ejections, published, clock, log, onEvaluated } = options
  const judged = new Map<number, Judged>()
  const dueAt: number[] = []
  let timer: Timer | undefined
  let isEvaluating = false

  function schedule(slot: number, wanted: number): void {
    dueAt[slot] = Math.min(dueAt[slot] ?? never, wanted)
  }

  function touched(slot: number): void {
    const evaluatedAt = judged.get(slot)?.evaluatedAt ?? null
    schedule(slot, evaluatedAt === null ? 0 : evaluatedAt + minGapMs)
  }

  function reports({ service, slot }: ListedService, now: number): Report[] {
    const fresh: Report[] = []
    board.forEachFresh(slot, now - service.policy.freshMs, (column, observation) => {
      const verifier = directory.atColumn(column)
      if (verifier && !verifier.isIsolated) fresh.push({ verifierId: verifier.verifier.id, ...observation })
    })
    return fresh
  }

  const counts = (report: Report): boolean => directory.find(report.verifierId)?.isEjected === false

  function evaluate(listed: ListedService, now: number): void {
    const { service, slot } = listed
    const current = judged.get(slot) ?? notJudged(now)
    judged.set(slot, current)
    const all = reports(listed, now)
    ejections.judge(listed, all, current.state.published)
    const counted = all.filter(counts)
    const snapshot = snapshotOfLatest(counted, {
      now,
      policy: service.policy,
      minLive: minLive(service.policy, directory.assigned(service.family)),
      published: current.state.published,
    })
    if (snapshot.raw === 'UNKNOWN' && now < current.restoredUntil) {
      dueAt[slot] = current.restoredUntil
      return
    }
    current.restoredUntil = 0
    const previous = current.state
    const previousAt = current.evaluatedAt
    current.state = step(previous, snapshot.raw, now, service.policy)
    current.snapshot = snapshot
    current.evaluatedAt = now
    dueAt[slot] = nextDue(current.state.published, snapshot, now)
    published.put(service.id, { ...snapshot, decision: current.state.published }, expiry(snapshot), now)
    onEvaluated({
      service: listed,
      at: now,
      previousAt,
      previous,
      state: current.state,
      snapshot,
      reports: counted,
    })
  }

  async function evaluateDue(): Promise<void> {
    if (isEvaluating) return
    isEvaluating = true
    try {
      let sliceEndsAt = clock.now() + sliceMs
      for (let slot = 0; slot < catalogue.slots; slot++) {
        if ((dueAt[slot] ?? 0) > clock.now()) continue
        const listed = catalogue.at(slot)
        if (!listed || listed.service.isHidden) {
          dueAt[slot] = never
          continue
        }
        evaluate(listed, clock.now())
        if (clock.now() > sliceEndsAt) {
          await new Promise((resolve) => setImmediate(resolve))
          sliceEndsAt = clock.now() + sliceMs
        }
      }
    } finally {
      isEvaluating = false
    }
  }

  return {
    touched,
    touchedAll() {
      for (const { slot } of catalogue.all()) schedule(slot, 0)
    },
    restore({ service, slot }, saved) {
      const restored = { state: saved.state, snapshot: null, evaluatedAt: saved.evaluatedAt }
      judged.set(slot, { ...restored, restoredUntil: saved.quorumExpiresAt })
      schedule(slot, saved.quorumExpiresAt)
      published.put(
        service.id,
        { ...saved, decision: saved.published },
        saved.quorumExpiresAt,
        saved.evaluatedAt,
      )
    },
    forget(slot) {
      judged.delete(slot)
      dueAt[slot] = never
    },
    state: (slot) => judged.get(slot)?.state,
    snapshot: (slot) => judged.get(slot)?.snapshot ?? undefined,
    reports,
    evaluateDue,
    start() {
      timer = setInterval(() => {
        evaluateDue().catch((error: unknown) => log.error('evaluating failed', { error }))
      }, tickMs)
    },
    stop: () => clearInterval(timer),
  }
}

const notJudged = (now: number): Judged => ({
  state: initial(now),
  snapshot: null,
  evaluatedAt: null,
  restoredUntil: 0,
})

/**
 * A raw signal that differs from what is published is looked at again soon, for it may have held long enough; so is one
 * without a quorum, until its last live verifier has gone.
 */
function nextDue(publishedDecision: Decision, snapshot: Snapshot, now: number): number {
  if (snapshot.raw !== publishedDecision) return now + minGapMs
  if (snapshot.raw !== 'UNKNOWN') return snapshot.quorumExpiresAt + 1
  return snapshot.liveVerifiers > 0 ? now + minGapMs : never
}

/** Without a quorum the answer is UNKNOWN already, and it stays so until somebody reports. */
const expiry = (snapshot: Snapshot): number => (snapshot.raw === 'UNKNOWN' ? never : snapshot.quorumExpiresAt)
