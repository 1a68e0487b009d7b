import { dayMs, hourMs, minuteMs, secondMs } from '../../shared/durations.ts'

const units = [
  { unit: 'day', seconds: dayMs / secondMs },
  { unit: 'hour', seconds: hourMs / secondMs },
  { unit: 'minute', seconds: minuteMs / secondMs },
] as const

/**
 * `try again in 40 seconds`, `… in 20 hours`, rounded up: what `Retry-After` says, for those who see no headers, as in a form
 * or in messages of a WebSocket. `ms`: how long to wait.
 */
export function tryAgainIn(ms: number): string {
  const wait = Math.max(1, Math.ceil(ms / secondMs))
  const { unit, seconds } = units.find((one) => wait >= 2 * one.seconds) ?? { unit: 'second', seconds: 1 }
  const count = Math.ceil(wait / seconds)
  return `try again in ${count} ${unit}${count === 1 ? '' : 's'}`
}
