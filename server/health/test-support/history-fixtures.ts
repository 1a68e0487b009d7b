import { initial } from '../decide/state-machine.ts'
import { type RollupAddition, emptyAddition } from '../history/rollup-addition.ts'
import { type RttHistogram, countRtt, createRttHistogram } from '../history/rtt-histogram.ts'
import type { HistoryBatch, SavedHealth } from '../history/store.ts'
import type { Transition } from '../history/transition.ts'
import { someInstant } from './virtual-clock.ts'

export const healthOf = (serviceId: string, changes: Partial<SavedHealth> = {}): SavedHealth => ({
  serviceId,
  published: 'UP',
  state: { ...initial(someInstant), published: changes.published ?? 'UP' },
  liveVerifiers: 3,
  avgBlocksLatency: 0,
  avgTimeLatency: 0,
  evaluatedAt: someInstant,
  quorumExpiresAt: someInstant + 30_000,
  cause: null,
  ...changes,
})

export const transitionOf = (
  serviceId: string,
  at: number,
  changes: Partial<Transition> = {},
): Transition => ({
  serviceId,
  at,
  from: 'UNKNOWN',
  to: 'UP',
  reason: '3 of 3 say OK',
  votes: [],
  ...changes,
})

/** What counting these round trips gives. */
export function rttsOf(...rttsMs: readonly number[]): RttHistogram {
  const histogram = createRttHistogram()
  for (const rttMs of rttsMs) countRtt(histogram, rttMs)
  return histogram
}

export const rollupOf = (
  serviceId: string,
  bucketAt: number,
  changes: Partial<RollupAddition> = {},
): RollupAddition => ({ ...emptyAddition(serviceId, bucketAt), ...changes })

/** For a recorder or a journal that has room for everything. */
export function nothingLost(rows: number): void {
  throw new Error(`${rows} rows were lost`)
}

export const historyBatchOf = (id: string, changes: Partial<HistoryBatch> = {}): HistoryBatch => ({
  id,
  healths: [],
  transitions: [],
  rollups: [],
  ...changes,
})
