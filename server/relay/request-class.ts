import type { RequestClass } from '../../shared/request-log.ts'
import type { UpstreamFailure } from './forward/attempt-class.ts'
import type { RequestOutcome } from './relay-metrics.ts'
import type { RejectedEntry, RpcCall } from './rpc-call.ts'

/** Returns what became of a request that the limits admitted. `failure` says why no call of it was answered. */
export function classOfAnswered(calls: readonly RpcCall[], failure: UpstreamFailure | null): RequestClass {
  if (failure !== null) return classOfFailure(failure)
  let found: RequestClass = 'cache'
  for (const { outcome, isCached } of calls) {
    if (outcome === 'unanswered') return 'partial'
    if (outcome === 'error') found = 'error'
    else if (!isCached && found === 'cache') found = 'answer'
  }
  return found
}

function classOfFailure(failure: UpstreamFailure): RequestClass {
  switch (failure) {
    case 'timeout':
      return 'timeout'
    case 'busy':
    case 'stopped':
      return 'busy'
    case 'too-large':
      return 'too-large'
    case 'limited':
      return 'upstream-limited'
    default:
      return 'no-answer'
  }
}

/** Returns what became of a request that was answered without being forwarded. */
export function classOfRefused(
  { outcome }: { readonly outcome: RequestOutcome },
  entries: readonly (RpcCall | RejectedEntry)[],
): RequestClass {
  switch (outcome) {
    case 'rate_limited':
      return 'rate-limit'
    case 'credits_exhausted':
      return 'credits-limit'
    case 'unreadable':
      return entries.some(({ method }) => method !== null) ? 'method-refused' : 'invalid'
    default:
      return 'unavailable'
  }
}
