import { errorCodes, type RpcError } from './errors.ts'

/** One text for every key that does not hold here, whatever the reason: it must not tell which keys exist. */
export const wrongKey: RpcError = {
  code: errorCodes.unauthorized,
  message:
    'this query key is not valid here: check the key and the endpoint, and whether it was disabled or expired',
  reason: 'unauthorized',
}

export const tooManyWrongKeys: RpcError = {
  code: errorCodes.unauthorized,
  message: 'too many requests with a wrong key came from this address; wait as Retry-After says',
  reason: 'rate_limited',
}

export const restricted: Readonly<Record<'ip_not_allowed' | 'domain_not_allowed', RpcError>> = {
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

/** The keys or the meter cannot be asked. */
export const unavailable: RpcError = {
  code: errorCodes.unavailable,
  message: 'this cannot be answered at the moment; try again shortly',
  reason: 'unavailable',
}

export const endpointGone: RpcError = {
  code: errorCodes.unavailable,
  message: 'the endpoint of this query key is not configured any more; ask the operator',
  reason: 'not_found',
}

export const nothingHere: RpcError = {
  code: errorCodes.noRequest,
  message:
    'there is nothing at this address: it is /rpc/{endpoint}/{key}, or /rpc/{endpoint} with the key in a header',
  reason: 'not_found',
}

export const onlyPost: RpcError = {
  code: errorCodes.noRequest,
  message: 'calls are sent by POST',
  reason: 'method_not_allowed',
}

export const compressedBody: RpcError = {
  code: errorCodes.noRequest,
  message: 'the body must not be compressed',
  reason: 'unsupported_media_type',
}

export const bodyTooLarge = (most: number): RpcError => ({
  code: errorCodes.noRequest,
  message: `the body must have at most ${most} bytes; send several smaller batches`,
  reason: 'payload_too_large',
})

/** For people who open the address in a browser. */
export const howToUse = {
  use: 'POST a JSON-RPC 2.0 call, or an array of them, to this address',
  key: 'in the address, /rpc/{endpoint}/{key}, or as Authorization: Bearer or x-api-key with /rpc/{endpoint}',
  example: { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] },
} as const
