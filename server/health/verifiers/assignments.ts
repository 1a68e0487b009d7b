import { createHash } from 'node:crypto'

import type { Chain } from '../../../shared/chains.ts'
import { type Assignments, type Target, protocolLimits } from '../../../shared/verifier-protocol.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { Catalogue } from '../services/catalogue.ts'
import type { Service } from '../services/service.ts'
import type { ActiveVerifier } from './active-verifiers.ts'
import { type CanarySettings, canariesOf } from './canaries.ts'

/** What a verifier has to probe, as it is now. */
export interface ReadAssignments {
  readonly assignments: Assignments
  /** The same as JSON: megabytes for thousands of services, so verifiers with equal families share what was rendered once. */
  readonly json: string
}

/** The services that each verifier has to probe. */
export interface AssignmentSource {
  etag(verifier: ActiveVerifier): string
  read(verifier: ActiveVerifier): ReadAssignments
  /**
   * Resolves to the assignments once they differ from `etag`; to null after a while without a change, on abort, or when the
   * verifier is revoked.
   */
  waitForChange(verifier: ActiveVerifier, etag: string, signal: AbortSignal): Promise<ReadAssignments | null>
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

/** Puts members before those of an object's JSON. Neither may be empty. */
const withMembers = (members: object, json: string): string =>
  `${JSON.stringify(members).slice(0, -1)},${json.slice(1)}`

const compare = (left: string, right: string): number => (left < right ? -1 : Number(left > right))

/** All of the assignments but the time at which they are read. */
type TimelessAssignments = Omit<Assignments, 'serverTimeMs'>

interface PreparedAssignments {
  readonly assignments: TimelessAssignments
  readonly json: string
}

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
  const prepared = new Map<string, PreparedAssignments>()
  const waiting = new Set<() => void>()
  const closing = new AbortController()

  function prepare({ verifier }: ActiveVerifier): PreparedAssignments {
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
    const contentJson = JSON.stringify(content)
    const etag = createHash('sha256').update(contentJson).digest('base64url').slice(0, 22)
    const made = { assignments: { etag, ...content }, json: withMembers({ etag }, contentJson) }
    prepared.set(families, made)
    return made
  }

  function read(verifier: ActiveVerifier): ReadAssignments {
    const { assignments, json } = prepare(verifier)
    const serverTimeMs = Math.floor(clock.now())
    return { assignments: { ...assignments, serverTimeMs }, json: withMembers({ serverTimeMs }, json) }
  }

  return {
    etag: (verifier) => prepare(verifier).assignments.etag,
    read,

    async waitForChange(verifier, etag, signal) {
      const deadline = AbortSignal.any([signal, closing.signal, AbortSignal.timeout(waitMs)])
      while (prepare(verifier).assignments.etag === etag) {
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
