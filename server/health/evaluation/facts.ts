import { dayMs } from '../../../shared/durations.ts'
import type { ServiceFacts } from '../../../shared/service-facts.ts'

/** What verifiers found out about services beside their heads. In memory: verifiers repeat it every few minutes. */
export interface ReportedFacts {
  put(serviceId: string, verifierId: string, facts: ServiceFacts, at: number): void
  /** Returns the facts of all verifiers together; null where none reported any of late. */
  of(serviceId: string, now: number): ServiceFacts | null
  forgetService(serviceId: string): void
  /** Discards what a verifier reported that was revoked or switched off. */
  forgetVerifier(verifierId: string): void
}

interface Report {
  readonly facts: ServiceFacts
  readonly at: number
}

/** Facts that were not repeated for this time (ms) say nothing about now. */
const freshMs = 900_000

export function createReportedFacts(): ReportedFacts {
  const reports = new Map<string, Map<string, Report>>()
  return {
    put(serviceId, verifierId, facts, at) {
      const ofService = reports.get(serviceId) ?? new Map<string, Report>()
      reports.set(serviceId, ofService)
      ofService.set(verifierId, { facts, at })
    },
    of(serviceId, now) {
      const fresh = [...(reports.get(serviceId)?.values() ?? [])].filter(({ at }) => now - at < freshMs)
      if (fresh.length === 0) return null
      return mergeFacts(fresh.toSorted((one, other) => one.at - other.at).map(({ facts }) => facts))
    },
    forgetService: (serviceId) => void reports.delete(serviceId),
    forgetVerifier(verifierId) {
      for (const ofService of reports.values()) ofService.delete(verifierId)
    },
  }
}

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
