const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const

/**
 * `try again in 40 seconds`, `… in 20 hours`, rounded up: what `Retry-After` says, for those who see no headers, as in a form
 * or in messages of a WebSocket. `ms`: how long to wait.
 */
export function tryAgainIn(ms: number): string {
  const wait = Math.max(1, Math.ceil(ms / 1_000))
  const { unit, seconds } = units.find((one) => wait >= 2 * one.seconds) ?? { unit: 'second', seconds: 1 }
  const count = Math.ceil(wait / seconds)
  return `try again in ${count} ${unit}${count === 1 ? '' : 's'}`
}
