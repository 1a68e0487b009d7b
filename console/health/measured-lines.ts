import type { HistoryRange, ServiceHistory } from '../../shared/health-details.ts'
import { dayText } from '../ui/relative-time.ts'
import type { FactLine } from './service-facts.ts'
import { duration } from './quantities.ts'

type Histories = Readonly<Partial<Record<HistoryRange, Pick<ServiceHistory, 'buckets' | 'uptime' | 'to'>>>>

/** Longer than any pause in which a watched service is not measured. */
const oldSec = 3_600

/** Returns how fast a service answered last, and since when it is watched; without what is not known yet. */
export function measuredLines(histories: Histories): FactLine[] {
  const { '24h': day, '90d': months } = histories
  const last = day?.buckets.findLast(({ at, probes, failures }) => probes > failures && at > day.to - oldSec)
  const watchedMs = months?.uptime.watchedMs ?? 0
  const isWhole = watchedMs >= 90 * 86_400_000 - 1_000
  return [
    ...(last === undefined
      ? []
      : [
          {
            key: 'response',
            title: 'Response p50 / p95',
            text: `${Math.round(last.rttP50Ms)} ms / ${Math.round(last.rttP95Ms)} ms`,
          },
        ]),
    ...(months === undefined || watchedMs === 0
      ? []
      : [
          {
            key: 'watched',
            title: 'Watched',
            text: isWhole
              ? 'for more than 90 days'
              : `since ${dayText(months.to * 1_000 - watchedMs)}, ${duration(watchedMs)}`,
          },
        ]),
  ]
}
