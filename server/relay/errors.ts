import { assertNever } from '../platform/fault.ts'
import { parseJson } from '../platform/json.ts'
import { tryAgainIn } from '../platform/try-again-in.ts'
import { isApiKey, tokenPrefixes } from '../platform/token-prefixes.ts'
import type { LimitDecision } from '../limits/limits.ts'
import type { FaultCode } from '../../shared/faults.ts'
import type { LimitName, LimitScope } from '../../shared/limits.ts'
import type { MethodAccess } from '../../shared/method-access.ts'
import type { KeyRefusal } from './methods/key-restrictions.ts'
import type { RequestOutcome } from './relay-metrics.ts'

/**
 * The error codes of JSON-RPC 2.0 and EIP-1474. Several of our errors share one: `data.reason` tells them apart, in the
 * words of `shared/faults.ts`.
 */
export const errorCodes = {
  notJson: -32700,
  noRequest: -32600,
  noMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  unauthorized: -32001,
  unavailable: -32002,
  limit: -32005,
} as const

export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes]

/** An error of the relay itself, in contrast to one that an upstream answered. */
export interface RpcError {
  readonly code: ErrorCode
  /** Says what was wrong and what to do next. It holds nothing that a caller may not know. */
  readonly message: string
  readonly reason?:
    | FaultCode
    | LimitName
    | MethodRefusalReason
    | KeyRefusal
    | 'batch_too_large'
    | 'upstream_limited'
    | 'upstream_budget_spent'
    | 'answer_too_large'
    | 'too_large_for_nodes'
    | 'beyond_head'
  /** Of a limit: whose it is. */
  readonly scope?: LimitScope
  readonly retryAfterMs?: number
}

/** Returns the JSON text of the error object. */
export function rpcErrorText({ code, message, reason, scope, retryAfterMs }: RpcError): string {
  const data = reason === undefined ? undefined : { reason, scope, retryAfterMs }
  return JSON.stringify({ code, message, data })
}

/**
 * Returns the JSON text of a response object with an error. `id` and `error` are JSON texts. In the older forms result and
 * error are both present.
 */
export const errorAnswer = (id: string, error: string, isLegacy = false): string =>
  isLegacy ? `{"result":null,"error":${error},"id":${id}}` : `{"jsonrpc":"2.0","id":${id},"error":${error}}`

/** Returns the HTTP status of a single answer in an older form, as Bitcoin Core chooses it (src/httprpc.cpp). */
export function legacyStatusOf(answer: string): number {
  if (!answer.startsWith('{"result":null,"error":{')) return 200
  const { error } = parseJson(answer) as { readonly error: { readonly code?: unknown } }
  if (error.code === errorCodes.noMethod) return 404
  return error.code === errorCodes.noRequest ? 400 : 500
}

/** Why a method is not relayed. */
export type MethodRefusal = Exclude<MethodAccess, 'allowed'>

type MethodRefusalReason =
  | 'method_not_offered'
  | 'method_controls_node'
  | 'method_uses_node_keys'
  | 'method_unknown'

/** Returns the error for a method that the endpoint does not relay. It says what its operator can do. */
export function refusedMethod(method: string, why: MethodRefusal): RpcError {
  const { noMethod: code } = errorCodes
  switch (why) {
    case 'node-control': {
      const message = `${method} controls the node, so it is refused unless the operator names it in methods.allow of this endpoint`
      return { code, message, reason: 'method_controls_node' }
    }
    case 'key-use': {
      const message = `${method} uses keys of the node, so it is refused unless the operator names it in methods.allow of this endpoint; sign with a key of your own`
      return { code, message, reason: 'method_uses_node_keys' }
    }
    case 'unknown': {
      const message = `${method} is not a method that is known here; the operator can name it in methods.allow of this endpoint, or set methods.unknown to allow`
      return { code, message, reason: 'method_unknown' }
    }
    case 'denied':
    case 'not-listed': {
      const message = `this endpoint does not offer the method ${method}; its operator can change that in methods.allow and methods.deny`
      return { code, message, reason: 'method_not_offered' }
    }
    default:
      return assertNever(why)
  }
}

/** Returns the error for a call that the endpoint relays, and that this key may not make. */
export const narrowedKey = (method: string, reason: KeyRefusal): RpcError => ({
  code: errorCodes.unauthorized,
  message:
    reason === 'method_not_allowed'
      ? `this query key may not call ${method}: see its allowed methods`
      : `this query key may not make this call of ${method}: see its allowed contracts`,
  reason,
})

/** Every query key that is not valid here gets one text, whatever the reason: it must not tell which keys exist. */
export const wrongKey = (value: string): RpcError => ({
  code: errorCodes.unauthorized,
  message: whyWrong(value),
  reason: 'unauthorized',
})

function whyWrong(value: string): string {
  if (value === '')
    return 'a query key is needed, in the address /rpc/{endpoint}/{key}, as a bearer token or in x-api-key'
  if (isApiKey(value))
    return `this is an API key, which administers an account: calls take a query key, which begins with ${tokenPrefixes.queryKey}`
  return 'this query key is not valid here: check the key and the endpoint, and whether it was disabled or expired'
}

export const tooManyWrongKeys: RpcError = {
  code: errorCodes.unauthorized,
  message: 'too many requests with a wrong key came from this address; wait as Retry-After says',
  reason: 'rate_limited',
}

/** The errors of a valid key that is used from a place where its restrictions do not allow it. */
export const restrictedKey: Readonly<Record<'ip_not_allowed' | 'domain_not_allowed', RpcError>> = {
  ip_not_allowed: {
    code: errorCodes.unauthorized,
    message: 'this query key may not be used from this address: see its allowed IPs',
    reason: 'ip_not_allowed',
  },
  domain_not_allowed: {
    code: errorCodes.unauthorized,
    message: 'this query key may not be used by this page: see its allowed domains',
    reason: 'domain_not_allowed',
  },
}

/** The error while keys cannot be looked up or calls cannot be counted. */
export const relayUnavailable: RpcError = {
  code: errorCodes.unavailable,
  message: 'this cannot be answered at the moment; try again shortly',
  reason: 'unavailable',
}

export const endpointRemoved: RpcError = {
  code: errorCodes.unavailable,
  message: 'the endpoint of this query key is not configured any more; ask the operator',
  reason: 'not_found',
}

export const noSuchAddress: RpcError = {
  code: errorCodes.noRequest,
  message:
    'there is nothing at this address: calls go to /rpc/{endpoint}/{key}, or /rpc/{endpoint} with the key in a header; MCP to /mcp/account or /mcp',
  reason: 'not_found',
}

export const noWallet: RpcError = {
  code: errorCodes.noMethod,
  message:
    'no wallet of the node can be chosen here; leave it out (-rpcwallet), and sign with a key of your own',
  reason: 'method_uses_node_keys',
}

export const onlyPost: RpcError = {
  code: errorCodes.noRequest,
  message: 'calls are sent by POST',
  reason: 'method_not_allowed',
}

export const compressedBody: RpcError = {
  code: errorCodes.noRequest,
  message: 'the content-encoding must be gzip, br, zstd or none',
  reason: 'unsupported_media_type',
}

export const damagedBody: RpcError = {
  code: errorCodes.notJson,
  message: 'the body is not what its content-encoding says',
  reason: 'bad_request',
}

export const requestBodyTooLarge = (maxBytes: number): RpcError => ({
  code: errorCodes.noRequest,
  message: `the body must have at most ${maxBytes} bytes; send several smaller batches`,
  reason: 'payload_too_large',
})

export const batchTooLarge = (maxCalls: number): RpcError => ({
  code: errorCodes.noRequest,
  message: `a batch holds at most ${maxCalls} calls; send several`,
  reason: 'batch_too_large',
})

export type NotAdmitted = Exclude<LimitDecision, { kind: 'admitted' }>

interface LimitError {
  /** The status of the HTTP response. */
  readonly status: number
  readonly outcome: RequestOutcome
  readonly error: RpcError
}

const outcomes = { rate: 'rate_limited', credits: 'credits_exhausted' } as const

const owners: Readonly<Record<LimitScope, string>> = {
  key: 'this query key',
  plan: "a query key of this account's plan",
  account: 'all query keys of this account together',
}

const refusalText = (limit: LimitName, scope: LimitScope, retryAfterMs: number): string =>
  limit === 'rate'
    ? `the rate limit of ${owners[scope]} is reached; ${tryAgainIn(retryAfterMs)}`
    : `the credits of ${owners[scope]} are used up; ${tryAgainIn(retryAfterMs)}`

const units: Readonly<Record<LimitName, string>> = { rate: 'calls', credits: 'credits' }

/** Returns the error for a request with `calls` calls that the limits of its key did not admit. */
export function limitErrorOf(limitDecision: NotAdmitted, calls: number): LimitError {
  const { limit: code, unavailable } = errorCodes
  switch (limitDecision.kind) {
    case 'refused': {
      const { limit, scope, retryAfterMs } = limitDecision
      const error = {
        code,
        message: refusalText(limit, scope, retryAfterMs),
        reason: limit,
        scope,
        retryAfterMs,
      }
      return { status: 429, outcome: outcomes[limit], error }
    }
    case 'oversized': {
      const { limit, scope, cost, units: most } = limitDecision
      const what = units[limit]
      const advice = calls > 1 ? '; send smaller batches' : ''
      const message = `this needs ${cost} ${what} at once, and the whole limit of ${owners[scope]} is ${most}${advice}`
      return {
        status: calls > 1 ? 413 : 429,
        outcome: outcomes[limit],
        error: { code, message, reason: limit, scope },
      }
    }
    case 'unavailable': {
      const { retryAfterMs } = limitDecision
      const message = 'the limits of this query key cannot be checked at the moment; nothing was charged'
      const error = { code: unavailable, message, reason: 'limits_unavailable', retryAfterMs } as const
      return { status: 503, outcome: 'limits_unavailable', error }
    }
    default:
      return assertNever(limitDecision)
  }
}
