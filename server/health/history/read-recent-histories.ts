import type { RecentHistory, StripPart } from '../../../shared/health-services.ts'
import { dayMs, hourMs } from '../../../shared/durations.ts'
import { type BarSlice, decisionBar } from './decision-bar.ts'
import type { RecentStore } from './recent-store.ts'
import { timeInStates, uptime } from './uptime.ts'

const stripMs = dayMs
const stripParts = 48
const uptimeMs = 90 * dayMs
const responseMs = hourMs

/**
 * Resolves to the last day and the uptime of some services, in the order of their ids. Two statements read all of them,
 * however many there are.
 */
export async function readRecentHistories(
  store: RecentStore,
  ids: readonly string[],
  now: number,
): Promise<RecentHistory[]> {
  const [pasts, responses] = await Promise.all([
    store.recentTransitions(ids, { from: now - uptimeMs, to: now }),
    store.responseTimes(ids, { from: now - responseMs, to: now }),
  ])
  return ids.map((id): RecentHistory => {
    const { transitions, maintenance, readFrom } = pasts.get(id) ?? unwatched(now)
    const day = { from: now - stripMs, to: now }
    const time = timeInStates(transitions, maintenance, { from: readFrom, to: now })
    const { byDecision, maintenanceMs, notWatchedMs } = timeInStates(transitions, maintenance, day)
    return {
      id,
      strip: decisionBar(transitions, maintenance, day, stripParts).map(partOf),
      day: {
        upMs: byDecision.UP,
        latencyMs: byDecision.LATENCY,
        downMs: byDecision.DOWN,
        unknownMs: byDecision.UNKNOWN,
        maintenanceMs,
        notWatchedMs,
      },
      availability: uptime(time).availability,
      watchedMs: time.totalMs - time.notWatchedMs,
      responseMs: responses.get(id) ?? null,
    }
  })
}

const unwatched = (now: number) => ({ transitions: [], maintenance: [], readFrom: now - uptimeMs })

/** Returns the worst of a part, however short it was. Announced work is what it is only where nothing else was watched. */
function partOf({ byDecision, maintenanceMs, notWatchedMs }: BarSlice): StripPart {
  if (byDecision.DOWN > 0) return 'DOWN'
  if (byDecision.UNKNOWN > 0) return 'UNKNOWN'
  if (byDecision.LATENCY > 0) return 'LATENCY'
  if (maintenanceMs > 0) return 'MAINTENANCE'
  return byDecision.UP > 0 || notWatchedMs === 0 ? 'UP' : null
}
