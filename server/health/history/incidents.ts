import type { Decision } from '../../../shared/health.ts'
import type { UptimeSpan } from './uptime.ts'
import type { PastTransition } from './transition.ts'

/** A period in which a service was DOWN or LATENCY: from the first bad decision until it is UP again. */
export interface Incident {
  readonly serviceId: string
  readonly openedAt: number
  /** Epoch ms of the end; null while the incident lasts. */
  readonly closedAt: number | null
  readonly worst: 'LATENCY' | 'DOWN'
  readonly cause: string
  readonly transitions: number
}

const isBad = (decision: Decision): decision is 'LATENCY' | 'DOWN' =>
  decision === 'LATENCY' || decision === 'DOWN'

/**
 * Incidents are read off the transitions of one service (in order of time) rather than stored a second time.
 * UNKNOWN neither opens nor closes an incident: no verifier saw the service recover. Nor does announced maintenance open one.
 */
export function incidentsOf(
  transitions: readonly PastTransition[],
  maintenance: readonly UptimeSpan[],
): Incident[] {
  const incidents: Incident[] = []
  let open: { -readonly [key in keyof Incident]: Incident[key] } | null = null
  for (const { serviceId, at, to, reason } of transitions) {
    if (open) {
      open.transitions++
      if (to === 'DOWN') open.worst = 'DOWN'
      if (to === 'UP') {
        open.closedAt = at
        open = null
      }
    } else if (isBad(to) && !maintenance.some((span) => span.from <= at && at < span.to)) {
      open = { serviceId, openedAt: at, closedAt: null, worst: to, cause: reason, transitions: 1 }
      incidents.push(open)
    }
  }
  return incidents
}
