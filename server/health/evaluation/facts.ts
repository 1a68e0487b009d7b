import { createHash } from 'node:crypto'

import { dayMs } from '../../../shared/durations.ts'
import { type ServiceFacts, lastingFacts } from '../../../shared/service-facts.ts'

/** The facts of one service, of all verifiers together. */
export interface KnownFacts {
  readonly facts: ServiceFacts
  /** When the newest of them was reported, epoch ms. */
  readonly at: number
  readonly verifierIds: readonly string[]
  /** The address that they were read from, as `addressTag` shortens it; null where a version before this one stored them. */
  readonly address: string | null
}

/**
 * What verifiers found out about services beside their heads. They repeat it every few minutes. What nobody repeats is
 * remembered for a month, also over restarts, as far as it does not change by itself.
 */
export interface ReportedFacts {
  /** Takes what a verifier read from a service at an instant, unless the service has had another address then. */
  put(serviceId: string, verifierId: string, facts: ServiceFacts, at: number): void
  /** Notes the address of a service. Where it is another than before, what was read from that one is discarded. */
  setAddress(serviceId: string, address: string, now: number): void
  /** Returns since when (epoch ms) a service has had its address; 0 for one that has not moved while this process ran. */
  addressSince(serviceId: string): number
  /** Returns the facts of all verifiers together; null where none are known. */
  of(serviceId: string, now: number): KnownFacts | null
  /** Takes over what was stored before a restart. */
  restore(serviceId: string, known: KnownFacts): void
  /** Returns the lasting facts of the services about which something was reported since the last call. */
  takeReported(now: number): [serviceId: string, known: KnownFacts][]
  forgetService(serviceId: string): void
  /** Discards what a verifier reported that has gone, but for what is remembered. */
  forgetVerifier(verifierId: string): void
  /** Discards what is remembered of a verifier that was revoked. */
  distrust(verifierId: string): void
}

/** An address that facts are read from: `since` is the instant from which on they are. */
interface Address {
  readonly tag: string
  readonly since: number
}

interface Report {
  readonly facts: ServiceFacts
  readonly at: number
}
type Reports = ReadonlyMap<string, Report>

/** Facts that were not repeated for this time (ms) say nothing about now. */
const freshMs = 900_000
/** How long (ms) lasting facts are remembered. */
export const factsKeptMs = 30 * dayMs

const noReports: Reports = new Map()

export function createReportedFacts(): ReportedFacts {
  const reports = new Map<string, Map<string, Report>>()
  const restored = new Map<string, KnownFacts>()
  const addresses = new Map<string, Address>()
  const unsaved = new Set<string>()

  function discard(serviceId: string): void {
    reports.delete(serviceId)
    restored.delete(serviceId)
    unsaved.delete(serviceId)
  }

  const addressSince = (serviceId: string): number => addresses.get(serviceId)?.since ?? 0

  function together(serviceId: string, ofService: Reports): KnownFacts | undefined {
    return knownFacts(ofService, addresses.get(serviceId)?.tag ?? null)
  }

  function lasting(serviceId: string, now: number): KnownFacts | null {
    const known = together(serviceId, reports.get(serviceId) ?? noReports) ?? restored.get(serviceId)
    if (known === undefined || now - known.at >= factsKeptMs) return null
    const facts = lastingFacts(known.facts)
    return Object.keys(facts).length === 0 ? null : { ...known, facts }
  }

  return {
    put(serviceId, verifierId, facts, at) {
      if (at < addressSince(serviceId)) return
      const ofService = reports.get(serviceId) ?? new Map<string, Report>()
      reports.set(serviceId, ofService)
      if (at < (ofService.get(verifierId)?.at ?? 0)) return
      ofService.set(verifierId, { facts, at })
      unsaved.add(serviceId)
    },
    setAddress(serviceId, address, now) {
      const tag = addressTag(address)
      const known = addresses.get(serviceId)
      if (known?.tag === tag) return
      addresses.set(serviceId, { tag, since: known ? now : 0 })
      const before = known?.tag ?? restored.get(serviceId)?.address ?? tag
      if (before !== tag) discard(serviceId)
    },
    addressSince,
    of(serviceId, now) {
      const fresh = [...(reports.get(serviceId) ?? noReports)].filter(([, { at }]) => now - at < freshMs)
      return together(serviceId, new Map(fresh)) ?? lasting(serviceId, now)
    },
    restore: (serviceId, known) => void restored.set(serviceId, known),
    takeReported(now) {
      const ids = [...unsaved]
      unsaved.clear()
      return ids.flatMap((id): [string, KnownFacts][] => {
        const known = lasting(id, now)
        return known === null ? [] : [[id, known]]
      })
    },
    forgetService(serviceId) {
      discard(serviceId)
      addresses.delete(serviceId)
    },
    forgetVerifier(verifierId) {
      for (const [id, ofService] of reports) {
        const known = together(id, ofService)
        if (ofService.delete(verifierId) && known !== undefined) restored.set(id, known)
      }
    },
    distrust(verifierId) {
      for (const [id, { verifierIds }] of restored) if (verifierIds.includes(verifierId)) restored.delete(id)
    },
  }
}

function knownFacts(reports: Reports, address: string | null): KnownFacts | undefined {
  if (reports.size === 0) return undefined
  const oldestFirst = [...reports].toSorted(([, one], [, other]) => one.at - other.at)
  return {
    facts: mergeFacts(oldestFirst.map(([, { facts }]) => facts)),
    at: oldestFirst.at(-1)?.[1].at ?? 0,
    verifierIds: oldestFirst.map(([verifierId]) => verifierId),
    address,
  }
}

/** Returns what tells one address from another: so little of its hash that it tells nothing of a secret in it. */
const addressTag = (address: string): string => createHash('sha256').update(address).digest('hex').slice(0, 4)

/** The newest report says each fact; of certificates, which differ behind a balancer, the one that ends first. */
export function mergeFacts(oldestFirst: readonly ServiceFacts[]): ServiceFacts {
  const expiries = oldestFirst.flatMap(({ certificateExpiresAt: at }) => (at === undefined ? [] : [at]))
  const problem = oldestFirst
    .map(({ certificateProblem }) => certificateProblem)
    .find((found) => found !== undefined && found !== null)
  return {
    ...Object.assign({}, ...oldestFirst),
    ...(expiries.length > 0 && { certificateExpiresAt: Math.min(...expiries) }),
    ...(problem && { certificateProblem: problem }),
  }
}

/** Days before its end from which a certificate is worth a word: those that renew themselves do so at 30. */
export const expirySoonDays = 14

/** Returns the days until the certificate of a service ends, in fractions; null where none is known. */
export function certificateDays(facts: ServiceFacts | null, now: number): number | null {
  const until = facts?.certificateExpiresAt
  return until === undefined ? null : (until * 1000 - now) / dayMs
}
