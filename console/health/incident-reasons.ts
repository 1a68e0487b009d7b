import { dayMs } from '../../shared/durations.ts'
import type { ServiceHistory } from '../../shared/health-details.ts'
import { readerZone } from '../ui/reader-zone.ts'

interface ReasonTime {
  /** Epoch ms. */
  readonly at: number
  /** The time of day, with the day where an incident lasts over more than one. */
  readonly time: string
  readonly reason: string
}

const clock = { hour: '2-digit', minute: '2-digit', timeZone: readerZone() } as const
const timeOfDay = new Intl.DateTimeFormat('en-GB', clock)
const dayAndTime = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...clock })

/** Returns the reasons of an incident with the times since when, in order of time. */
export function reasonTimes({ reasons }: Pick<ServiceHistory['incidents'][number], 'reasons'>): ReasonTime[] {
  const [first, last] = [reasons[0]?.at ?? 0, reasons.at(-1)?.at ?? 0]
  const format = (last - first) * 1_000 < dayMs ? timeOfDay : dayAndTime
  return reasons.map(({ at, reason }) => ({ at: at * 1_000, time: format.format(at * 1_000), reason }))
}
