import { readerZone } from '../ui/reader-zone.ts'
import { worstFirst } from './decision.ts'
import { duration } from './quantities.ts'
import type { Cell } from './stretches.ts'

const instants = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: readerZone(),
})

/** `Nov 20, 14:00 – 14:30: DOWN 1 min, UP 29 min`, where the reader is. */
export function cellReading({ from, to, byDecision, notWatchedMs }: Cell): string {
  const parts = worstFirst.flatMap((decision) =>
    byDecision[decision] > 0 ? [`${decision} ${duration(byDecision[decision])}`] : [],
  )
  const all = notWatchedMs > 0 ? [...parts, `not watched ${duration(notWatchedMs)}`] : parts
  return `${instants.formatRange(from, to)}: ${all.join(', ')}`
}
