import type { LimitDecision } from '../limits/limits.ts'
import { addReaders, anyReaders, nobody, type Readers } from './cors.ts'
import { errorAnswer, errorText, type RpcError } from './errors.ts'
import { lateBody } from './late-body.ts'
import type { RelayKey } from './parties.ts'
import type { Reply } from './reply.ts'

/** What headers say about the limits of a key. */
export interface LimitHeaders {
  /** `RateLimit-Policy`; null: the key has no limits. */
  policyOf(limits: Pick<RelayKey, 'rate' | 'credits'>): string | null
  /** `RateLimit` and `Retry-After`. */
  stateOf(admission: LimitDecision): Readonly<Record<string, string>>
}

interface Asked {
  readonly requestId: string
}

/** Makes the response of a reply to a key. */
export type AnswerWith = (reply: Reply, key: RelayKey, asked: Asked, readers: Readers) => Response

export function createAnswers(limits: LimitHeaders): AnswerWith {
  const prepared = createPreparedHeaders(limits)

  return ({ status, text, credits, admission, retryAfterSec }, key, { requestId }, readers) => {
    const response = new Response(lateBody(text), { status, headers: prepared(key, readers) })
    const { headers } = response
    headers.set('x-request-id', requestId)
    headers.set('x-rpc-credits', String(credits))
    if (admission !== null) {
      const state = limits.stateOf(admission)
      for (const name in state) headers.set(name, state[name] ?? '')
    }
    if (retryAfterSec !== undefined) headers.set('retry-after', String(retryAfterSec))
    return response
  }
}

/** By far the most answers are for one of these. */
interface Prepared {
  readonly any: Headers
  readonly nobody: Headers
}

/**
 * All headers that are the same in each answer to a key. Those that are made already are copied in a third less time
 * than made of a record.
 */
function createPreparedHeaders(limits: LimitHeaders) {
  const byKey = new WeakMap<RelayKey, Prepared>()

  function headersOf(key: RelayKey, readers: Readers): Record<string, string> {
    const headers = headersFor(unknownYet, readers)
    const policy = limits.policyOf(key)
    if (policy !== null) headers['ratelimit-policy'] = policy
    return headers
  }

  function prepare(key: RelayKey): Prepared {
    const prepared = {
      any: new Headers(headersOf(key, anyReaders)),
      nobody: new Headers(headersOf(key, nobody)),
    }
    byKey.set(key, prepared)
    return prepared
  }

  return (key: RelayKey, readers: Readers): Headers | Record<string, string> => {
    const { kind } = readers
    if (kind !== 'any' && kind !== 'nobody') return headersOf(key, readers)
    return (byKey.get(key) ?? prepare(key))[kind]
  }
}

const unknownYet: Asked = { requestId: '' }

/** Headers of every answer. */
export function headersFor({ requestId }: Asked, readers: Readers): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  }
  addReaders(headers, readers)
  return headers
}

/** Answers a request that does not get as far as its calls. */
export function refuse(
  asked: Asked,
  status: number,
  error: RpcError,
  readers: Readers,
  more: Readonly<Record<string, string>> = {},
): Response {
  return new Response(errorAnswer('null', errorText(error)), {
    status,
    headers: { ...headersFor(asked, readers), ...more },
  })
}
