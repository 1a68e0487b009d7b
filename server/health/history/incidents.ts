import type { Decision } from '../../../shared/health.ts'
import type { UptimeSpan } from './uptime.ts'
import { type PastTransition, isChangeOfDecision } from './transition.ts'

/** A period in which a service was DOWN or LATENCY: from the first bad decision until it is UP again. */
export interface Incident {
  readonly serviceId: string
  readonly openedAt: number
  /** Epoch ms of the end; null while the incident lasts. */
  readonly closedAt: number | null
  readonly worst: 'LATENCY' | 'DOWN'
  readonly cause: string
  readonly transitions: number
  /** Why, as stored, and since when (epoch ms): the first, and the newest of those that followed. */
  readonly reasons: readonly IncidentReason[]
  /** How many were left out after the first. */
  readonly reasonsLeftOut: number
}

interface IncidentReason {
  readonly at: number
  readonly decision: Decision
  readonly reason: string
}

/** The most reasons that an incident lists. */
const maxReasons = 20

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
  let open: OpenIncident | null = null
  for (const transition of transitions) {
    const { serviceId, at, to, reason } = transition
    if (open) {
      if (isChangeOfDecision(transition)) open.transitions++
      if (to === 'DOWN') open.worst = 'DOWN'
      if (to === 'UP') {
        open.closedAt = at
        open = null
      } else addReason(open, transition)
    } else if (isBad(to) && isChangeOfDecision(transition) && !isDuring(maintenance, at)) {
      open = {
        serviceId,
        openedAt: at,
        closedAt: null,
        worst: to,
        cause: reason,
        transitions: 1,
        reasons: [{ at, decision: to, reason }],
        reasonsLeftOut: 0,
      }
      incidents.push(open)
    }
  }
  return incidents
}

const isDuring = (spans: readonly UptimeSpan[], at: number): boolean =>
  spans.some((span) => span.from <= at && at < span.to)

type OpenIncident = { -readonly [key in keyof Incident]: Incident[key] } & { reasons: IncidentReason[] }

/** Adds why it goes on. The first reason stays, for that is how it began; of the others, the newest do. */
function addReason(open: OpenIncident, { at, to: decision, reason }: PastTransition): void {
  const last = open.reasons.at(-1)
  if (last?.decision === decision && last.reason === reason) return
  open.reasons.push({ at, decision, reason })
  if (open.reasons.length <= maxReasons) return
  open.reasons.splice(1, 1)
  open.reasonsLeftOut++
}
