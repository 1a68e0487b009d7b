import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import type { RoundPlan } from './plan.ts'

/**
 * Decides which services are probed before their turn, because something else than a probe suggests that they have failed.
 * Instants are milliseconds of one monotonic clock.
 */
export interface EarlyProbes {
  /**
   * Something suggests that the service has failed since its last probe. Does nothing for one that is not answering,
   * which is known already, and for one that has not been probed.
   */
  suspect(serviceId: string, now: number): void
  /** Records the result of a service's newest probe, which ended at `now`. */
  record(plan: RoundPlan, serviceId: string, error: ProbeError | null, now: number): void
  /** Returns the ids of the services to probe now. */
  takeDue(now: number): string[]
  /** Returns when the next one is due; null while none is. */
  nextDueAt(): number | null
  keepOnly(serviceIds: ReadonlySet<string>): void
}

/** The shortest time (ms) between two early probes of a service, unless it is probed more often anyway. */
const shortestGapMs = 1_000
/** Several verifiers may hear of one failure at the same moment: they wait for up to this share of the gap. */
const longestDelay = 0.1

const shortestGapOf = ({ intervalMs }: Pick<RoundPlan, 'intervalMs'>): number =>
  Math.min(shortestGapMs, intervalMs)

interface Answering {
  readonly serviceId: string
  intervalMs: number
  gapMs: number
  /** When the last early probe was started. */
  probedAt: number
  dueAt: number | null
  isUnderWay: boolean
}

/**
 * Whoever raises suspicion decides nothing: it only has the service probed now. A suspicion that the probe refutes
 * doubles the gap to the next one, up to the interval, so that a service is at worst probed twice as often as without
 * suspicions, however many there are. `random` returns [0, 1).
 */
export function createEarlyProbes(random: () => number): EarlyProbes {
  const answering = new Map<string, Answering>()
  /** The services of `answering` that have a probe due. */
  const due = new Set<Answering>()

  function plan(service: Answering, now: number): void {
    // After a while without suspicions, the next one is taken as seriously as the first.
    if (now - service.probedAt >= 2 * service.intervalMs) service.gapMs = shortestGapOf(service)
    const delayMs = longestDelay * random() * shortestGapOf(service)
    service.dueAt = Math.max(now, service.probedAt + service.gapMs) + delayMs
    due.add(service)
  }

  return {
    suspect(serviceId, now) {
      const service = answering.get(serviceId)
      if (service !== undefined && service.dueAt === null && !service.isUnderWay) plan(service, now)
    },
    record({ intervalMs }, serviceId, error, now) {
      const known = answering.get(serviceId)
      if (error !== null) {
        if (known) due.delete(known)
        answering.delete(serviceId)
        return
      }
      if (known === undefined) {
        const gapMs = shortestGapOf({ intervalMs })
        const probedAt = now - gapMs
        answering.set(serviceId, { serviceId, intervalMs, gapMs, probedAt, dueAt: null, isUnderWay: false })
        return
      }
      known.intervalMs = intervalMs
      if (!known.isUnderWay) return
      known.isUnderWay = false
      known.gapMs = Math.min(2 * known.gapMs, Math.max(intervalMs, shortestGapOf(known)))
    },
    takeDue(now) {
      const taken = [...due].filter(({ dueAt }) => dueAt !== null && dueAt <= now)
      for (const service of taken) {
        due.delete(service)
        Object.assign(service, { dueAt: null, probedAt: now, isUnderWay: true })
      }
      return taken.map(({ serviceId }) => serviceId)
    },
    nextDueAt() {
      let next: number | null = null
      for (const { dueAt } of due) next = Math.min(next ?? Infinity, dueAt ?? Infinity)
      return next
    },
    keepOnly(serviceIds) {
      for (const [serviceId, service] of answering) {
        if (serviceIds.has(serviceId)) continue
        answering.delete(serviceId)
        due.delete(service)
      }
    },
  }
}
