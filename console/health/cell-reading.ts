import { worstFirst } from './decision.ts'
import { duration } from './quantities.ts'
import type { Cell } from './stretches.ts'

const instants = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** `Nov 20, 14:00 – 14:30: DOWN 1 min, UP 29 min`, where the reader is. */
export function cellReading({ from, to, byDecision }: Cell): string {
  const parts = worstFirst.flatMap((decision) =>
    byDecision[decision] > 0 ? [`${decision} ${duration(byDecision[decision])}`] : [],
  )
  return `${instants.formatRange(from, to)}: ${parts.join(', ')}`
}
