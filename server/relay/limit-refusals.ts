import type { LimitDecision } from '../limits/limits.ts'
import { assertNever } from '../platform/fault.ts'
import type { LimitName } from '../../shared/limits.ts'
import { errorCodes, type RpcError } from './errors.ts'
import type { RequestOutcome } from './relay-metrics.ts'

export type NotAdmitted = Exclude<LimitDecision, { kind: 'admitted' }>

interface LimitRefusal {
  readonly status: number
  readonly outcome: RequestOutcome
  readonly error: RpcError
}

const outcomes = { rate: 'rate_limited', credits: 'credits_exhausted' } as const

const texts: Readonly<Record<LimitName, string>> = {
  rate: 'the rate limit of this query key is reached; try again after the time in Retry-After',
  credits: 'the credits of this query key are used up; try again after the time in Retry-After',
}

const units: Readonly<Record<LimitName, string>> = { rate: 'calls', credits: 'credits' }

/** What a request with so many calls is told when it is not admitted. */
export function refusalOf(admission: NotAdmitted, calls: number): LimitRefusal {
  const { limit: code, unavailable } = errorCodes
  switch (admission.kind) {
    case 'refused': {
      const { limit, retryAfterMs } = admission
      const error = { code, message: texts[limit], reason: limit, retryAfterMs }
      return { status: 429, outcome: outcomes[limit], error }
    }
    case 'oversized': {
      const { limit, cost, units: most } = admission
      const what = units[limit]
      const advice = calls > 1 ? '; send smaller batches' : ''
      const message = `this needs ${cost} ${what} at once, and the whole limit of the query key is ${most}${advice}`
      return {
        status: calls > 1 ? 413 : 429,
        outcome: outcomes[limit],
        error: { code, message, reason: limit },
      }
    }
    case 'unavailable': {
      const { retryAfterMs } = admission
      const message = 'the limits of this query key cannot be checked at the moment; nothing was charged'
      const error = { code: unavailable, message, reason: 'limits_unavailable', retryAfterMs } as const
      return { status: 503, outcome: 'limits_unavailable', error }
    }
    default:
      return assertNever(admission)
  }
}
