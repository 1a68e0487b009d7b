import { errorCodes, type RpcError } from '../errors.ts'

/** These errors exist for callers over WebSocket only. */

export const unansweredBySocket: RpcError = {
  code: errorCodes.unavailable,
  message: 'no node could answer by WebSocket; the call was not charged, try again',
  reason: 'upstream_error',
}

export const noSubscription: RpcError = {
  code: errorCodes.unavailable,
  message: 'this connection has no such subscription; the call was not charged',
  reason: 'not_found',
}

export const noWebSocket: RpcError = {
  code: errorCodes.unavailable,
  message:
    'no node of this endpoint can be reached by WebSocket, which subscriptions need; its operator can add one (ws)',
  reason: 'unavailable',
}

export const streamNotRelayed = (method: string): RpcError => ({
  code: errorCodes.noMethod,
  message: `${method} opens a stream of a shape that is not relayed; ask for what is new from time to time`,
  reason: 'method_not_offered',
})

export const subscriptionWithoutId: RpcError = {
  code: errorCodes.noRequest,
  message: 'a subscription needs a call with an id: its answer names the subscription',
  reason: 'bad_request',
}

export const tooManySubscriptions = (most: number): RpcError => ({
  code: errorCodes.limit,
  message: `a connection has at most ${most} subscriptions; end some, or open another connection`,
  reason: 'conflict',
})

export const tooManySockets = (most: number): RpcError => ({
  code: errorCodes.limit,
  message: `this query key has ${most} open WebSockets, which is the most; close some`,
  reason: 'rate_limited',
})

export const noRoomForSockets: RpcError = {
  code: errorCodes.unavailable,
  message: 'there is no room for further WebSockets at the moment; try again shortly, or use HTTP',
  reason: 'unavailable',
}

export const noUpgrade: RpcError = {
  code: errorCodes.noRequest,
  message: 'this request cannot become a WebSocket: see RFC 6455',
  reason: 'bad_request',
}

/** The reasons with which connections are closed: at most 123 bytes each (RFC 6455, section 5.5). */
export const closeReasons = {
  invalid: 'this query key may not be used here any more',
  ip_not_allowed: 'this query key may not be used from this address any more',
  domain_not_allowed: 'this query key may not be used by this page any more',
  endpointGone: 'the endpoint of this query key is not configured any more',
  tooManyMessages: 'too many messages wait for their answers; wait for some before sending more',
  rate: 'the rate limit of this query key, or of its account, is reached, and notifications count',
  credits: 'the credits of this query key, or of its account, are used up, and notifications cost some',
  limitsUnavailable: 'the limits of this query key cannot be checked at the moment',
  unavailable: 'calls cannot be taken at the moment; connect again shortly',
  upstreamLost: 'no node can go on with your subscriptions; connect and subscribe again',
  failed: 'something went wrong on our side; connect again',
  leaving: 'the server goes away; connect again',
} as const
