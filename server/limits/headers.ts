import { type Limit, type LimitName, type LimitScope, limitNames } from '../../shared/limits.ts'
import { periodMs as lengthOf } from '../../shared/periods.ts'
import type { FurtherLimits, LimitDecision } from './limit-decision.ts'
import type { Quota } from './admit.ts'

/**
 * Returns the `RateLimit-Policy` header (draft-ietf-httpapi-ratelimit-headers-10: structured fields, whole seconds) of
 * a key with these limits, or null when it has none. The names of further limits begin with their scope:
 * `"account-rate"`. The parameter `qu` is left out, because credits are no registered quota unit.
 */
export function rateLimitPolicy(
  limits: Readonly<Record<LimitName, Limit | null>> & { readonly further?: readonly FurtherLimits[] },
): string | null {
  const { further = [] } = limits
  const items = [...policyItems('key', limits), ...further.flatMap((some) => policyItems(some.scope, some))]
  return items.length === 0 ? null : items.join(', ')
}

const policyItems = (scope: LimitScope, limits: Readonly<Record<LimitName, Limit | null>>): string[] =>
  limitNames.flatMap((name) => {
    const limit = limits[name]
    return limit === null
      ? []
      : [`"${itemNames[scope][name]}";q=${limit.units};w=${seconds(lengthOf[limit.period])}`]
  })

const itemNames: Readonly<Record<LimitScope, Readonly<Record<LimitName, string>>>> = {
  key: { rate: 'rate', credits: 'credits' },
  plan: { rate: 'plan-rate', credits: 'plan-credits' },
  account: { rate: 'account-rate', credits: 'account-credits' },
}

/** Returns the `RateLimit` header of the same draft, and `Retry-After`. */
export function rateLimitState(decision: LimitDecision): Record<string, string> {
  switch (decision.kind) {
    case 'admitted':
      return quotaFields(decision.quotas)
    case 'refused':
      return {
        ...quotaFields(decision.quotas.map((quota) => withoutLaterReset(quota, decision.retryAfterMs))),
        'retry-after': delaySeconds(decision.retryAfterMs),
      }
    case 'unavailable':
      return { 'retry-after': seconds(decision.retryAfterMs) }
    case 'oversized':
      return {}
  }
}

function quotaFields(quotas: readonly Quota[]): Record<string, string> {
  if (quotas.length === 0) return {}
  let limits = ''
  for (const quota of quotas) limits += limits === '' ? limitItem(quota) : `, ${limitItem(quota)}`
  return { ratelimit: limits }
}

/** `t` is at most the window of the policy: the µs by which an interval is longer are over when the answer arrives. */
function limitItem({ scope, name, remaining, resetMs, periodMs }: Quota): string {
  const item = `"${itemNames[scope][name]}";r=${remaining}`
  return resetMs === null ? item : `${item};t=${seconds(Math.min(resetMs, periodMs))}`
}

/**
 * Removes `t` where it lies after `Retry-After`: for a limit that did not refuse, it would contradict the answer.
 */
const withoutLaterReset = (quota: Quota, retryAfterMs: number): Quota =>
  quota.resetMs !== null && quota.resetMs > retryAfterMs ? { ...quota, resetMs: null } : quota

/** Converts ms to whole seconds, rounded up so that waiting this long is enough. */
const seconds = (ms: number): string => String(Math.ceil(ms / 1_000))

/**
 * Writes a number of seconds with a leading zero, as RFC 9110 lets `Retry-After` begin: ethers 5 and 6 take one without
 * it for milliseconds, and give up after twelve attempts within a tenth of a second. What they do not recognize makes
 * them wait by their own growing delays. Other clients read the same number.
 */
const delaySeconds = (ms: number): string => `0${seconds(ms)}`
