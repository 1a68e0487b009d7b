import type { ServiceSummary } from '../../shared/health-services.ts'
import { worstFirst } from './decision.ts'
import { duration } from './quantities.ts'
import { withCapital } from '../ui/sentence.ts'

type Reasoned = Pick<ServiceSummary, 'decision' | 'reason' | 'pending' | 'maintenance'>

/**
 * Returns why a service is not UP in one sentence, or what it waits for; empty where there is nothing to say. `now` in
 * epoch ms.
 */
export function rowReason({ decision, reason, pending, maintenance }: Reasoned, now: number): string {
  if (pending !== null) {
    const heldMs = Math.min(pending.neededSec * 1_000, Math.max(0, now - pending.since * 1_000))
    const held = `${pending.decision} for ${duration(heldMs)} of ${duration(pending.neededSec * 1_000)}`
    const isBetter = worstFirst.indexOf(pending.decision) > worstFirst.indexOf(decision)
    return isBetter ? `Recovering: ${held}` : `Failing: ${held}`
  }
  if (reason !== null) return withCapital(reason)
  return maintenance?.note ?? ''
}
