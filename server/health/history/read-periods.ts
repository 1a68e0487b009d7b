import { type Incident, incidentsOf } from './incidents.ts'
import type { RecentStore } from './recent-store.ts'
import { type TimeInStates, type UptimeSpan, timesInStates, uptime } from './uptime.ts'
import { hourMs } from '../../../shared/durations.ts'

/** What a service was in each of some spans of time, and when it was not well. */
export interface PeriodHistory {
  readonly id: string
  /** In the order of the spans. */
  readonly times: readonly TimeInStates[]
  /** (UP + LATENCY) / all time that counts, of all spans together; null where no time counts. */
  readonly availability: number | null
  readonly watchedMs: number
  readonly troubles: readonly ServiceTrouble[]
  /** The median response time (ms) of the last hour; null without a good answer. */
  readonly responseMs: number | null
}

/** From the first decision that was LATENCY or DOWN until it was UP again: epoch ms, null while it lasts. */
export interface ServiceTrouble {
  readonly from: number
  readonly to: number | null
  readonly worst: Incident['worst']
}

const responseMs = hourMs

/** How many services one statement is about. */
const idsAtOnce = 200

/** More changes of one service than most have in a year; of one with more, the oldest are not read. */
const mostTransitions = 5_000

/**
 * Resolves to the past of services, in the order of their ids. `spans` follow each other without a gap; what is later than
 * `now` is not counted. Two statements read 200 services.
 */
export async function readPeriods(
  store: RecentStore,
  ids: readonly string[],
  spans: readonly UptimeSpan[],
  now: number,
): Promise<PeriodHistory[]> {
  const all: PeriodHistory[] = []
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    all.push(...(await readSome(store, ids.slice(first, first + idsAtOnce), spans, now)))
  }
  return all
}

async function readSome(
  store: RecentStore,
  ids: readonly string[],
  spans: readonly UptimeSpan[],
  now: number,
): Promise<PeriodHistory[]> {
  const past = spans.map(({ from, to }) => ({ from: Math.min(from, now), to: Math.min(to, now) }))
  const whole = { from: past[0]?.from ?? now, to: past.at(-1)?.to ?? now }
  const [pasts, responses] = await Promise.all([
    store.recentTransitions(ids, whole, mostTransitions),
    store.responseTimes(ids, { from: now - responseMs, to: now }),
  ])
  return ids.map((id) => {
    const { transitions, maintenance } = pasts.get(id) ?? { transitions: [], maintenance: [] }
    const times = timesInStates(transitions, maintenance, past)
    const [sum] = timesInStates(transitions, maintenance, [whole])
    const changes = transitions.map(({ at, to }, index) => {
      const from = transitions[index - 1]?.to ?? 'UNKNOWN'
      return { serviceId: id, at, from, to, reason: '' }
    })
    return {
      id,
      times,
      availability: sum === undefined ? null : uptime(sum).availability,
      watchedMs: sum === undefined ? 0 : sum.totalMs - sum.notWatchedMs,
      troubles: incidentsOf(changes, maintenance).map(({ openedAt, closedAt, worst }) => ({
        from: openedAt,
        to: closedAt,
        worst,
      })),
      responseMs: responses.get(id) ?? null,
    }
  })
}
