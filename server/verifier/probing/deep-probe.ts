import type { Chain } from '../../../shared/chains.ts'
import type { ServiceFacts } from '../../../shared/service-facts.ts'
import type { Target } from '../../../shared/verifier-protocol.ts'
import type { Clock } from '../../platform/clock.ts'
import { type DeepMemory, checkpointHeight, deepStep, isWrongGenesis } from './checkpoint.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import type { RoundPlan } from './plan.ts'
import { compareChain } from '../probes/chain-identity.ts'
import type { ProbeRunner } from '../probes/run.ts'

/** The first 8 bytes of the hash that each service returned for one final height. */
export interface CheckpointFinding {
  height: number
  hashes: { serviceId: string; hash8: string }[]
}

/** A service that answered in this round, with the height of its head; null unless it named one of the right chain. */
export interface AnsweringTarget {
  target: Target
  height: number | null
}

/** What of a service's identity is not that of its chain. */
export type Contradiction = 'WRONG_CHAIN' | 'WRONG_GENESIS'

/** Checks every few minutes that services are on the right chain and on the same fork of it. */
export interface DeepProbe {
  /** Runs in each round once the heads are known. Resolves to null when no check is due or no service returned a hash. */
  run(
    plan: RoundPlan,
    answering: readonly AnsweringTarget[],
    signal: AbortSignal,
  ): Promise<CheckpointFinding | null>
  /** Returns what the last checks of the service found to be that of another chain; null where nothing was. */
  contradictionOf(target: Target): Contradiction | null
  keepOnly(serviceIds: ReadonlySet<string>): void
}

const hash8Pattern = /^[0-9a-f]{16}$/

export interface DeepProbeOptions {
  runner: Pick<ProbeRunner, 'probeCheckpoint' | 'probeGenesis' | 'probeChainId' | 'probeFacts'>
  concurrency: ConcurrencyLimit
  clock: Clock
  onBrokenProbe: (serviceId: string, error: unknown) => void
  /** Is called with what was found out of a service beside its identity. */
  onFacts: (target: Target, facts: ServiceFacts) => void
}

export function createDeepProbe({
  runner,
  concurrency,
  clock,
  onBrokenProbe,
  onFacts,
}: DeepProbeOptions): DeepProbe {
  const memories = new Map<string, DeepMemory>()
  /** The addresses of services that were found to be of another chain, by the services' ids. */
  const wrongGenesis = new Map<string, string>()
  const wrongChain = new Map<string, string>()

  async function checkGenesis(target: Target, expected: string): Promise<void> {
    const genesis = await runner.probeGenesis(target)
    if (genesis === null) return // no answer proves nothing: the earlier result still applies
    if (isWrongGenesis(genesis, expected)) wrongGenesis.set(target.serviceId, target.endpoint)
    else wrongGenesis.delete(target.serviceId)
  }

  async function checkChainId(target: Target, chain: Chain): Promise<void> {
    const named = await runner.probeChainId(target)
    if (named === null) return
    const found = compareChain(named, chain)
    if (found.error === null) wrongChain.delete(target.serviceId)
    else wrongChain.set(target.serviceId, target.endpoint)
    onFacts(target, { otherChain: 'otherChain' in found ? found.otherChain : undefined })
  }

  const contradictionOf = ({ serviceId, endpoint }: Target): Contradiction | null => {
    if (wrongChain.get(serviceId) === endpoint) return 'WRONG_CHAIN'
    return wrongGenesis.get(serviceId) === endpoint ? 'WRONG_GENESIS' : null
  }

  /** Asks every target within the concurrency limit, and none once the signal has aborted. */
  async function askEach(
    answering: readonly AnsweringTarget[],
    signal: AbortSignal,
    ask: (target: Target) => Promise<void>,
  ): Promise<void> {
    const askUnlessAborted = async (target: Target) => {
      if (signal.aborted) return
      try {
        await ask(target)
      } catch (error) {
        if (!signal.aborted) onBrokenProbe(target.serviceId, error)
      }
    }
    await Promise.all(answering.map(({ target }) => concurrency.run(() => askUnlessAborted(target))))
  }

  return {
    async run(plan, answering, signal) {
      const { chain } = plan
      if (!chain) return null
      const now = clock.monotonic()
      const asked = new Set(answering.map(({ target }) => `${target.serviceId} ${target.endpoint}`))
      const deepIntervalMs = Math.min(...plan.targets.map(({ policy }) => policy.deepIntervalMs))
      const step = deepStep(memories.get(plan.key), asked, deepIntervalMs, now)
      if (step.kind === 'none') return null

      const { chainId, genesisHash, finalityDepth } = chain
      await askEach(answering, signal, async (target) => {
        if (chainId !== null) await checkChainId(target, chain)
        if (genesisHash !== null) await checkGenesis(target, genesisHash)
      })

      const heightsById = new Map(answering.map((one) => [one.target.serviceId, one.height]))
      await askEach(answering, signal, async (target) => {
        const own = heightsById.get(target.serviceId) ?? null
        if (own !== null) onFacts(target, await runner.probeFacts(target, own))
      })

      const heights = answering.flatMap(({ target, height }) =>
        height === null || contradictionOf(target) !== null ? [] : [height],
      )
      const height = step.kind === 'repeat' ? step.height : checkpointHeight(heights, finalityDepth)
      const chosenAt = step.kind === 'repeat' ? step.chosenAt : now
      memories.set(plan.key, { chosenAt, height, collectedAt: now, asked })
      if (height === null) return null

      const hashes: CheckpointFinding['hashes'] = []
      await askEach(answering, signal, async (target) => {
        const hash8 = await runner.probeCheckpoint(target, height)
        if (hash8 !== null && hash8Pattern.test(hash8)) hashes.push({ serviceId: target.serviceId, hash8 })
      })
      return hashes.length > 0 ? { height, hashes } : null
    },

    contradictionOf,

    keepOnly(serviceIds) {
      for (const contradicting of [wrongChain, wrongGenesis])
        for (const serviceId of contradicting.keys())
          if (!serviceIds.has(serviceId)) contradicting.delete(serviceId)
    },
  }
}
