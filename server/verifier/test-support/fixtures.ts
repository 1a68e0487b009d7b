import type { Chain } from '../../../shared/chains.ts'
import type { Assignments, Target } from '../../../shared/verifier-protocol.ts'
import type { Observation } from '../probing/observation.ts'
import type { RoundPlan } from '../probing/plan.ts'
import type { ProbeRunner } from '../probes/run.ts'
import type { FinishedRound } from '../probing/round.ts'

export function movableClock() {
  let wall = 1_800_000_000_000
  let monotonic = 5_000
  return {
    now: () => wall,
    monotonic: () => monotonic,
    pass(ms: number) {
      wall += ms
      monotonic += ms
    },
    jump(ms: number) {
      wall += ms
    },
  }
}

export const testnet: Chain = {
  key: 'testnet',
  name: 'Testnet',
  family: 'evm',
  chainId: 31_337,
  genesisHash: '0xAbCd000000000000',
  blockMs: 1_000,
  futureTolSec: 15,
  headAge: 'slot',
  finalityDepth: 10,
  anchors: [],
}

export const target = (serviceId: string, changes: Partial<Target> = {}): Target => ({
  serviceId,
  chain: 'testnet',
  provider: `provider of ${serviceId}`,
  family: 'evm',
  endpoint: 'http://127.0.0.1:1/',
  hidden: false,
  ...changes,
  policy: {
    intervalMs: 10_000,
    timeoutMs: 1_000,
    enterBlocks: 5,
    enterSec: 60,
    maxRttMs: null,
    deepIntervalMs: 300_000,
    rateLimitedIs: 'bad',
    ...changes.policy,
  },
})

export const withInterval = (intervalMs: number): Partial<Target> => ({
  policy: { ...target('any').policy, intervalMs },
})

export const assignments = (targets: Target[], changes: Partial<Assignments> = {}): Assignments => ({
  etag: 'etag-1',
  serverTimeMs: 1_800_000_000_000,
  canaries: [],
  chains: [testnet],
  targets,
  ...changes,
})

export const plan = (targets: Target[], changes: Partial<RoundPlan> = {}): RoundPlan => ({
  key: 'chain testnet',
  chainKey: 'testnet',
  chain: testnet,
  targets,
  intervalMs: 10_000,
  ...changes,
})

export const observation = (serviceId: string, changes: Partial<Observation> = {}): Observation => ({
  serviceId,
  provider: `provider of ${serviceId}`,
  ok: 1,
  error: null,
  height: 100,
  timestamp: 1_800_000_000,
  hash8: null,
  rttMs: 12,
  offsetMs: 0,
  firstError: null,
  ...changes,
})

export const round = (observations: Observation[], changes: Partial<FinishedRound> = {}): FinishedRound => ({
  planKey: 'chain testnet',
  chainKey: 'testnet',
  startedAt: 0,
  finishedAt: 100,
  spreadMs: 0,
  observations,
  checkpoint: null,
  isRetest: false,
  facts: [],
  ...changes,
})

/** Every service answers with the same head. */
export const healthyRunner: ProbeRunner = {
  probeHead: () =>
    Promise.resolve({
      ok: true,
      head: { height: 100, timestamp: 1_800_000_000, hash8: null },
      error: null,
      rttMs: 3,
    }),
  probeCheckpoint: () => Promise.resolve(null),
  probeGenesis: () => Promise.resolve(null),
  probeChainId: () => Promise.resolve(null),
  probeFacts: () => Promise.resolve({}),
}
