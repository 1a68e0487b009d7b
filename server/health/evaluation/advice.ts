import type { ServiceAdvice } from '../../../shared/health-services.ts'
import { type KnownFacts, certificateDays, expirySoonDays } from './facts.ts'
import { type RecentTries, areUneven } from './recent-tries.ts'

/** Returns what is worth a word about a service although it decides nothing, the most urgent first. */
export function adviceOf(known: KnownFacts | null, tries: RecentTries, now: number): ServiceAdvice[] {
  const facts = known?.facts ?? null
  const days = certificateDays(facts, now)
  const advice: ServiceAdvice[] = []
  if (facts?.certificateProblem) advice.push({ kind: 'certificateRefused' })
  else if (days !== null && days <= expirySoonDays)
    advice.push({ kind: 'certificateEnds', days: Math.max(0, Math.floor(days)) })
  if (areUneven(tries)) advice.push({ kind: 'answersDiffer', ...tries })
  return advice
}
