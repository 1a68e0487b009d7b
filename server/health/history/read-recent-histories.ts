import type { RecentHistory } from '../../../shared/health-services.ts'
import { dayMs, hourMs } from '../../../shared/durations.ts'
import { decisionBar } from './decision-bar.ts'
import type { RecentStore } from './recent-store.ts'
import { stripPart } from './strip-part.ts'
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
      strip: decisionBar(transitions, maintenance, day, stripParts).map(stripPart),
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
