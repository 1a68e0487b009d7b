import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import type { RoundPlan } from './plan.ts'

/** A probe of one service out of its turn that is due, because the service has just stopped answering. */
export interface DueRetest {
  readonly serviceId: string
  /** 1 to 3. */
  readonly number: number
}

/** Decides which services are probed again soon after a failure. Instants are milliseconds of one monotonic clock. */
export interface Retests {
  /** Records the result of a service's newest probe, which ended at `now`. */
  record(plan: RoundPlan, serviceId: string, error: ProbeError | null, now: number): void
  /** Returns the retests to start now. One does not wait for the answer to the one before. */
  takeDue(now: number): DueRetest[]
  /** Returns when the next retest is due; null while none is. */
  nextDueAt(): number | null
  keepOnly(serviceIds: ReadonlySet<string>): void
}

const retestsAfterFailure = 3
const longestGapMs = 1_000
/** The share of the interval after which services are retested that are probed more often than every ten seconds. */
const gapShare = 0.1
/** Retests are never early, so that the failures span the time that makes them certain. */
const longestDelay = 0.05

/** Results after which another probe would be wrong, or tell nothing about whether the service is there. */
const neverRetested: ReadonlySet<ProbeError> = new Set([
  'RATE_LIMITED',
  'PAUSED',
  'BLOCKED_ADDRESS',
  'HTTP_4XX',
  'TOO_LARGE',
])

/**
 * The first failure of a service that was answering is followed by retests after 1, 2 and 3 s, so that a service that is
 * gone is told from one that failed once before its next turn comes. An answer cancels those that are left. `random`
 * returns [0, 1).
 */
export function createRetests(random: () => number): Retests {
  const answering = new Set<string>()
  const pending = new Map<string, (DueRetest & { readonly dueAt: number })[]>()

  function plan({ intervalMs }: RoundPlan, serviceId: string, failedAt: number): void {
    const gapMs = Math.min(longestGapMs, intervalMs * gapShare)
    const retests = Array.from({ length: retestsAfterFailure }, (_, index) => ({
      serviceId,
      number: index + 1,
      dueAt: failedAt + gapMs * (index + 1) * (1 + longestDelay * random()),
    }))
    pending.set(serviceId, retests)
  }

  return {
    record(probedPlan, serviceId, error, now) {
      if (error === null) {
        answering.add(serviceId)
        pending.delete(serviceId)
      } else if (!neverRetested.has(error) && answering.delete(serviceId)) {
        plan(probedPlan, serviceId, now)
      }
    },
    takeDue(now) {
      const due: DueRetest[] = []
      for (const [serviceId, retests] of pending) {
        const later = retests.filter(({ dueAt }) => dueAt > now)
        if (later.length === retests.length) continue
        due.push(...retests.filter(({ dueAt }) => dueAt <= now))
        if (later.length > 0) pending.set(serviceId, later)
        else pending.delete(serviceId)
      }
      return due
    },
    nextDueAt() {
      let next: number | null = null
      for (const retests of pending.values()) {
        for (const { dueAt } of retests) next = Math.min(next ?? Infinity, dueAt)
      }
      return next
    },
    keepOnly(serviceIds) {
      for (const serviceId of answering) if (!serviceIds.has(serviceId)) answering.delete(serviceId)
      for (const serviceId of pending.keys()) if (!serviceIds.has(serviceId)) pending.delete(serviceId)
    },
  }
}
