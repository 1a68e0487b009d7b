import { initial } from '../decide/state-machine.ts'
import type { RollupAddition } from '../history/recorder.ts'
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

export const rollupOf = (
  serviceId: string,
  bucketAt: number,
  changes: Partial<RollupAddition> = {},
): RollupAddition => ({
  serviceId,
  bucketAt,
  upMs: 0,
  latencyMs: 0,
  downMs: 0,
  probes: 0,
  failures: 0,
  lagBlocksSum: 0,
  lagBlocksMax: 0,
  lagSecSum: 0,
  lagSecMax: 0,
  rttP50Ms: 0,
  rttP95Ms: 0,
  liveMin: null,
  ...changes,
})

export const historyBatchOf = (id: string, changes: Partial<HistoryBatch> = {}): HistoryBatch => ({
  id,
  healths: [],
  transitions: [],
  rollups: [],
  ...changes,
})
