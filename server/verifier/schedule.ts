import type { RoundPlan } from './plan.ts'

/** Says which rounds are due. Instants are milliseconds of one monotonic clock. */
export interface Schedule {
  /** Takes new plans in place of the old ones; a plan that stays keeps its rhythm. */
  follow(plans: readonly RoundPlan[], now: number): void
  /** No plan runs more often than this; 0 takes the restriction away. */
  slowDownTo(intervalMs: number): void
  /** The plans to start now. Each counts as running until `finished`. */
  takeDue(now: number): RoundPlan[]
  finished(key: string): void
  /** When the next round is due, null while nothing waits. */
  nextDueAt(): number | null
}

interface Entry {
  plan: RoundPlan
  dueAt: number
}

const jitter = 0.1
const longestFirstWaitMs = 1_000

/** A round's plan never overlaps itself: one that takes longer than its interval follows at once. `random`: [0, 1). */
export function createSchedule(random: () => number): Schedule {
  let entries = new Map<string, Entry>()
  /** Plans under way, also those that are assigned no more. */
  const running = new Set<string>()
  let slowestMs = 0

  const intervalOf = (plan: RoundPlan): number =>
    Math.max(plan.intervalMs, slowestMs) * (1 - jitter + 2 * jitter * random())

  return {
    follow(plans, now) {
      const known = entries
      entries = new Map()
      for (const plan of plans) {
        const firstWaitMs = random() * Math.min(plan.intervalMs, longestFirstWaitMs)
        const keptDueAt = known.get(plan.key)?.dueAt ?? Infinity
        // A plan that became more demanding must not sit out the long wait that it was given before.
        const soonMs = known.has(plan.key) ? intervalOf(plan) : firstWaitMs
        entries.set(plan.key, { plan, dueAt: Math.min(keptDueAt, now + soonMs) })
      }
    },
    slowDownTo(intervalMs) {
      slowestMs = intervalMs
    },
    takeDue(now) {
      const due: RoundPlan[] = []
      for (const entry of entries.values()) {
        if (entry.dueAt > now || running.has(entry.plan.key)) continue
        running.add(entry.plan.key)
        entry.dueAt = now + intervalOf(entry.plan)
        due.push(entry.plan)
      }
      return due
    },
    finished(key) {
      running.delete(key)
    },
    nextDueAt() {
      let next: number | null = null
      for (const { plan, dueAt } of entries.values()) {
        if (!running.has(plan.key)) next = Math.min(next ?? Infinity, dueAt)
      }
      return next
    },
  }
}
