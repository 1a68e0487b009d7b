import { never } from './judgement.ts'

/** When services are to be judged next, by slot. Instants in epoch ms. */
export interface LookTimes {
  isDue(slot: number, now: number): boolean
  /** Not later than this. */
  hasten(slot: number, at: number): void
  /** At this. A verifier whose last word is not older than `settledSince` may repeat it without being looked at sooner. */
  set(slot: number, at: number, settledSince?: number): void
  isSettled(slot: number, lastAt: number): boolean
  /** Everything is due. */
  beginAnew(): void
}

export function createLookTimes(): LookTimes {
  // In arrays of numbers, as most reports need nothing else: the judgement itself lies in far memory.
  const dueAt: number[] = []
  const settled: number[] = []

  return {
    isDue: (slot, now) => (dueAt[slot] ?? 0) <= now,
    hasten(slot, at) {
      dueAt[slot] = Math.min(dueAt[slot] ?? never, at)
    },
    set(slot, at, settledSince = never) {
      dueAt[slot] = at
      settled[slot] = settledSince
    },
    isSettled: (slot, lastAt) => lastAt >= (settled[slot] ?? never),
    beginAnew() {
      dueAt.fill(0)
      settled.fill(never)
    },
  }
}
