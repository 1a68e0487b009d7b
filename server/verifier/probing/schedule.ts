import type { RoundPlan } from './plan.ts'

/** Decides which rounds are due. Instants are milliseconds of one monotonic clock. */
export interface ProbeSchedule {
  /**
   * Replaces all plans. A plan that is in both lists keeps its due time, unless one of its targets is new, or not as before:
   * that one must not sit out the wait of others, which may be long.
   */
  replacePlans(plans: readonly RoundPlan[], now: number): void
  /** Sets the shortest interval of every plan, in ms; 0 removes the restriction. */
  slowDownTo(intervalMs: number): void
  /** Returns the plans to start now. Each counts as running until `finished`. */
  takeDue(now: number): RoundPlan[]
  finished(key: string): void
  /**
   * Makes a plan due now. The time that this wins is given back in the rounds after it, so that there are no more of them
   * in the long run; a plan that owes a whole interval already keeps its turn.
   */
  bringForward(key: string, now: number): void
  /** Returns when the next round is due; null while none waits. */
  nextDueAt(): number | null
}

interface Entry {
  plan: RoundPlan
  dueAt: number
  /** When its last round began; -Infinity before the first. */
  startedAt: number
  /** By how much rounds were brought forward, without what was given back since; in ms. */
  owedMs: number
}

const jitter = 0.1
const longestFirstWaitMs = 1_000
/** Services that are registered one by one have the others of their plan probed with each of them, but not more often. */
const shortestGapMs = 10_000
/** The share of an interval by which one is lengthened to give back what is owed. */
const repaidShare = 0.1

/** Rounds of one plan never overlap: after one that took longer than its interval the next starts at once. `random` returns [0, 1). */
export function createProbeSchedule(random: () => number): ProbeSchedule {
  let entries = new Map<string, Entry>()
  /** The keys of running plans, including those that are no longer assigned. */
  const running = new Set<string>()
  let slowestMs = 0

  const intervalOf = (plan: RoundPlan): number =>
    Math.max(plan.intervalMs, slowestMs) * (1 - jitter + 2 * jitter * random())

  return {
    replacePlans(plans, now) {
      const known = entries
      entries = new Map()
      for (const plan of plans) {
        const before = known.get(plan.key) ?? neverStarted(plan)
        const gapMs = Math.max(slowestMs, Math.min(plan.intervalMs, shortestGapMs))
        const firstWaitMs = random() * Math.min(plan.intervalMs, longestFirstWaitMs)
        const soonAt = Math.max(now, before.startedAt + gapMs) + firstWaitMs
        const dueAt = hasChanged(before.plan, plan) ? Math.min(before.dueAt, soonAt) : before.dueAt
        entries.set(plan.key, { ...before, plan, dueAt })
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
        const intervalMs = intervalOf(entry.plan)
        const repaidMs = Math.min(entry.owedMs, repaidShare * intervalMs)
        entry.owedMs -= repaidMs
        entry.startedAt = now
        entry.dueAt = now + intervalMs + repaidMs
        due.push(entry.plan)
      }
      return due
    },
    finished(key) {
      running.delete(key)
    },
    bringForward(key, now) {
      const entry = entries.get(key)
      if (entry === undefined || running.has(key) || entry.dueAt <= now) return
      const wonMs = entry.dueAt - now
      if (entry.owedMs + wonMs > entry.plan.intervalMs * (1 + jitter)) return
      entry.owedMs += wonMs
      entry.dueAt = now
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

const neverStarted = (plan: RoundPlan): Entry => ({
  plan: { ...plan, targets: [] },
  dueAt: Infinity,
  startedAt: -Infinity,
  owedMs: 0,
})

/** Returns whether a plan has a target that it did not have before, or that was another. */
function hasChanged(before: RoundPlan, { targets }: RoundPlan): boolean {
  const known = new Set(before.targets.map((target) => JSON.stringify(target)))
  return targets.some((target) => !known.has(JSON.stringify(target)))
}
