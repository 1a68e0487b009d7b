import type { UsageNumbers } from '../../shared/usage.ts'

const counts = new Intl.NumberFormat('en')
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const millis = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** `1,234,567`. */
export const usageCountText = (count: number): string => counts.format(count)

/** `12.3%`; what is there is never said to be 0 %. */
export function shareText(share: number | null): string {
  if (share === null) return '–'
  return share > 0 && share < 0.001 ? '< 0.1%' : percents.format(share)
}

/** `0.5 ms`, `38 ms`, `1.2 s`. */
export function latencyText(latencyMs: number | null): string {
  if (latencyMs === null) return '–'
  if (latencyMs >= 1_000) return `${millis.format(latencyMs / 1_000)} s`
  return `${millis.format(latencyMs >= 10 ? Math.round(latencyMs) : latencyMs)} ms`
}

/** `+14%`, `−3%`: how an amount differs from an earlier one; nothing where there is none to compare with. */
export function comparedText(now: number | null, before: number | null): string {
  if (now === null || before === null || before === 0) return ''
  const change = Math.round((now / before - 1) * 100)
  if (change === 0) return 'as before'
  return change < 0 ? `−${usageCountText(-change)}%` : `+${usageCountText(change)}%`
}

/** The share of errors in all requests; nothing where there are none. */
export const errorNote = ({ errors, requests }: UsageNumbers): string =>
  errors === 0 || requests === 0 ? '' : shareText(errors / requests)

/** By which limit calls were refused; nothing where none was. */
export function refusalNote({ rateLimited, creditLimited }: UsageNumbers): string {
  if (rateLimited === 0) return creditLimited === 0 ? '' : 'by credits'
  if (creditLimited === 0) return 'by rate'
  return `${usageCountText(rateLimited)} by rate, ${usageCountText(creditLimited)} by credits`
}
