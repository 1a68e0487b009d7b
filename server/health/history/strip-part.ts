import type { StripPart } from '../../../shared/health-services.ts'
import type { TimeInStates } from './uptime.ts'

/** Returns the worst of a span, however short it was. Announced work is what it is only where nothing else was watched. */
export function stripPart({ byDecision, maintenanceMs, notWatchedMs }: TimeInStates): StripPart {
  if (byDecision.DOWN > 0) return 'DOWN'
  if (byDecision.UNKNOWN > 0) return 'UNKNOWN'
  if (byDecision.LATENCY > 0) return 'LATENCY'
  if (maintenanceMs > 0) return 'MAINTENANCE'
  return byDecision.UP > 0 || notWatchedMs === 0 ? 'UP' : null
}
