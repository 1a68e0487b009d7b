/** The closed set of reasons for which an outbound request ends without an answer. */
export type EgressErrorCode =
  | 'ADDRESS'
  | 'DNS'
  | 'DNS_TIMEOUT'
  | 'SCHEME'
  | 'USERINFO'
  | 'PORT'
  | 'REDIRECT'
  | 'TIMEOUT'
  | 'TOO_LARGE'
  | 'CONNECT'
  | 'TLS'
  | 'PROTOCOL'
  | 'ABORTED'
  | 'URL'

/**
 * An outbound request that was refused or failed. Its text holds nothing but the code: an address or a peer's
 * words in an error would let a caller map the network behind this process.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly code: EgressErrorCode
  /** The runtime's own code (`ECONNREFUSED`, `CERT_HAS_EXPIRED`, …) where there is one. For logs only. */
  readonly reason: string | null

  constructor(code: EgressErrorCode, reason: string | null = null) {
    super(`outbound request failed: ${code}`)
    this.code = code
    this.reason = reason
  }
}

/** The reason of a `TOO_LARGE` answer that was made to become so when it is decompressed. */
export const decompressionBomb = 'decompression-bomb'

/** The reason of a `TIMEOUT` before there was a connection: nothing was sent. */
export const notConnected = 'not-connected'

/** Nothing was reached, or the connection broke. */
const connectionFailures: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENETDOWN',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
])

/** OpenSSL's certificate verdicts carry these beginnings; Bun passes them on under Node's names. */
const tlsFailure =
  /^(EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_C|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$)/

/** Turns whatever the runtime threw during an exchange into an `EgressError`. */
export function toEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error
  const reason = runtimeCode(error)
  if (reason === null) return new EgressError('PROTOCOL')
  if (connectionFailures.has(reason)) return new EgressError('CONNECT', reason)
  if (tlsFailure.test(reason)) return new EgressError('TLS', reason)
  return new EgressError('PROTOCOL', reason)
}

function runtimeCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}
