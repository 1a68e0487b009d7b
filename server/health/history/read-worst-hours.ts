import { dayMs, hourMs } from '../../../shared/durations.ts'
import { type StripPart, worsePart } from '../../../shared/health-services.ts'
import type { RecentPast, RecentStore } from './recent-store.ts'
import { stripPart } from './strip-part.ts'
import { type UptimeSpan, timesInStates } from './uptime.ts'

/** How many services one statement is about; others are served between two of them. */
const idsAtOnce = 500

/** The id of each service with the name of its group. */
export type GroupedServices = readonly (readonly [id: string, group: string])[]

/** The worst of each of 24 hours, by the name of the group. */
export interface WorstHours {
  /** When the first hour began, epoch ms. */
  readonly from: number
  readonly byGroup: ReadonlyMap<string, readonly StripPart[]>
}

/**
 * Resolves to the worst that any service of a group was in each of the last 24 hours of the clock, of which the last is not
 * over. Fault: `unavailable`.
 */
export async function readWorstHours(
  store: Pick<RecentStore, 'recentTransitions'>,
  services: GroupedServices,
  now: number,
): Promise<WorstHours> {
  const from = Math.ceil(now / hourMs) * hourMs - dayMs
  const spans = Array.from({ length: dayMs / hourMs }, (_, hour) => ({
    from: from + hour * hourMs,
    to: Math.min(from + (hour + 1) * hourMs, now),
  }))
  const byGroup = new Map<string, readonly StripPart[]>()
  for (let first = 0; first < services.length; first += idsAtOnce) {
    const some = services.slice(first, first + idsAtOnce)
    const ids = some.map(([id]) => id)
    const pasts = await store.recentTransitions(ids, { from, to: now })
    for (const [id, group] of some) {
      const parts = partsOf(pasts.get(id), spans)
      const known = byGroup.get(group)
      byGroup.set(group, known?.map((part, hour) => worsePart(part, parts[hour] ?? null)) ?? parts)
    }
  }
  return { from, byGroup }
}

/** Most services stay for a day what they were, which need not be found out 24 times. */
function partsOf(past: RecentPast | undefined, spans: readonly UptimeSpan[]): StripPart[] {
  const { transitions = [], maintenance = [] } = past ?? {}
  const [first, second] = transitions
  if (first === undefined && maintenance.length === 0) return spans.map(() => null)
  const isSteady = first !== undefined && second === undefined && maintenance.length === 0
  if (isSteady && first.at <= (spans[0]?.from ?? 0)) return spans.map(() => first.to)
  return timesInStates(transitions, maintenance, spans).map(stripPart)
}
