import type { Admission } from './admission.ts'
import type { Quota } from './admit.ts'

/**
 * `RateLimit-Policy`, `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10: structured fields, whole seconds) and
 * `Retry-After`. Names are the limits' own; `qu` is left out, because credits are no registered quota unit.
 */
export function rateLimitHeaders(admission: Admission): Record<string, string> {
  switch (admission.kind) {
    case 'admitted':
      return quotaFields(admission.quotas)
    case 'refused':
      return {
        ...quotaFields(admission.quotas.map((quota) => withoutLaterReset(quota, admission.retryAfterMs))),
        'retry-after': seconds(admission.retryAfterMs),
      }
    case 'unavailable':
      return { 'retry-after': seconds(admission.retryAfterMs) }
    case 'oversized':
      return {}
  }
}

function quotaFields(quotas: readonly Quota[]): Record<string, string> {
  if (quotas.length === 0) return {}
  let policies = ''
  let limits = ''
  for (const quota of quotas) {
    const separator = policies === '' ? '' : ', '
    policies += separator + policyItem(quota)
    limits += separator + limitItem(quota)
  }
  return { 'ratelimit-policy': policies, ratelimit: limits }
}

const policyItem = ({ name, units, periodMs }: Quota): string => `"${name}";q=${units};w=${seconds(periodMs)}`

function limitItem({ name, remaining, resetMs }: Quota): string {
  const item = `"${name}";r=${remaining}`
  return resetMs === null ? item : `${item};t=${seconds(resetMs)}`
}

/** `Retry-After` should not point before a `t` of the same answer: of a limit that did not refuse, it says nothing. */
const withoutLaterReset = (quota: Quota, retryAfterMs: number): Quota =>
  quota.resetMs !== null && quota.resetMs > retryAfterMs ? { ...quota, resetMs: null } : quota

/** Rounded up, so that waiting as told is enough. */
const seconds = (ms: number): string => String(Math.ceil(ms / 1_000))
