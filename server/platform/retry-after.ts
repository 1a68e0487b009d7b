import { systemClock } from './clock.ts'

/**
 * Returns how long (ms) an answer asks to be left alone by its `Retry-After` (RFC 9110, section 10.2.3); null where it does
 * not say. A date is compared with the `Date` of the same answer, so that no other clock matters, and with our own where
 * there is none.
 */
export function retryAfterOf(headers: Headers, now = systemClock.now): number | null {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const date = headers.get('date')
  const untilMs = Date.parse(text) - (date === null ? now() : Date.parse(date))
  return Number.isFinite(untilMs) ? Math.max(0, untilMs) : null
}
