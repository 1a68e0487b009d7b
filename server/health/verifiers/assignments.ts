import { createHash } from 'node:crypto'

import type { Chain } from '../../../shared/chains.ts'
import { type Assignments, type Target, protocolLimits } from '../../../shared/verifier-protocol.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { Catalogue } from '../services/catalogue.ts'
import type { Service } from '../services/service.ts'
import type { ActiveVerifier } from './active-verifiers.ts'
import { type CanarySettings, canariesOf } from './canaries.ts'

/** The services that each verifier has to probe. */
export interface AssignmentSource {
  etag(verifier: ActiveVerifier): string
  read(verifier: ActiveVerifier): Assignments
  /**
   * Resolves to the assignments once they differ from `etag`; to null after a while without a change, on abort, or when the
   * verifier is revoked.
   */
  waitForChange(verifier: ActiveVerifier, etag: string, signal: AbortSignal): Promise<Assignments | null>
  /** Must be called when services, chains or verifiers have changed. It answers the waiting requests. */
  changed(): void
  /** Ends all waiting requests, because the server stops. */
  close(): void
}

const toTarget = (service: Service): Target => ({
  serviceId: service.id,
  chain: service.chain,
  provider: service.provider,
  family: service.family,
  endpoint: service.endpoint,
  ...(service.ws !== null && { ws: service.ws }),
  ...(Object.keys(service.headers).length > 0 && { headers: { ...service.headers } }),
  ...(service.ca !== null && { ca: service.ca }),
  ...(service.rule && { rule: service.rule }),
  hidden: service.isHidden,
  policy: {
    intervalMs: service.policy.intervalMs,
    timeoutMs: service.policy.timeoutMs,
    enterBlocks: service.policy.enterBlocks,
    enterSec: service.policy.enterSec,
    maxRttMs: service.policy.maxRttMs,
    deepIntervalMs: service.policy.deepIntervalMs,
    rateLimitedIs: service.policy.rateLimitedIs,
  },
})

const compare = (left: string, right: string): number => (left < right ? -1 : Number(left > right))

interface AssignmentSourceOptions {
  catalogue: Catalogue
  findChain: (key: string) => Chain | undefined
  canaries: () => CanarySettings
  isRevoked: (verifierId: string) => boolean
  clock: SteadyClock
  waitMs?: number
}

export function createAssignmentSource(options: AssignmentSourceOptions): AssignmentSource {
  const {
    catalogue,
    findChain,
    canaries,
    isRevoked,
    clock,
    waitMs = protocolLimits.assignmentsWaitMs,
  } = options
  /** Assignments by the verifier's families: verifiers with equal families get equal assignments. */
  const prepared = new Map<string, Omit<Assignments, 'serverTimeMs'>>()
  const waiting = new Set<() => void>()
  const closing = new AbortController()

  function prepare({ verifier }: ActiveVerifier): Omit<Assignments, 'serverTimeMs'> {
    const families = [...verifier.families].sort().join(' ')
    const known = prepared.get(families)
    if (known) return known
    const targets: Target[] = []
    const chains = new Map<string, Chain>()
    for (const { service } of catalogue.all()) {
      if (!verifier.families.includes(service.family)) continue
      targets.push(toTarget(service))
      const chain = service.chain === null ? undefined : findChain(service.chain)
      if (chain) chains.set(chain.key, chain)
    }
    // Sorted, so that a file that is merely rearranged, or read again after a restart, does not change the etag.
    targets.sort((left, right) => compare(left.serviceId, right.serviceId))
    const sortedChains = [...chains.values()].sort((left, right) => compare(left.key, right.key))
    const content = { ...canariesOf(canaries(), targets), chains: sortedChains, targets }
    const etag = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)
    const assignments = { etag, ...content }
    prepared.set(families, assignments)
    return assignments
  }

  const read = (verifier: ActiveVerifier): Assignments => ({
    ...prepare(verifier),
    serverTimeMs: Math.floor(clock.now()),
  })

  return {
    etag: (verifier) => prepare(verifier).etag,
    read,

    async waitForChange(verifier, etag, signal) {
      const deadline = AbortSignal.any([signal, closing.signal, AbortSignal.timeout(waitMs)])
      while (prepare(verifier).etag === etag) {
        if (deadline.aborted || isRevoked(verifier.verifier.id)) return null
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake)
            deadline.removeEventListener('abort', wake)
            resolve()
          }
          waiting.add(wake)
          deadline.addEventListener('abort', wake)
        })
      }
      return read(verifier)
    },

    changed() {
      prepared.clear()
      for (const wake of waiting) wake()
    },

    close: () => closing.abort(),
  }
}
