// Interface agreed first; the implementation follows in this file.
export interface EgressRequest {
  url: string
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Total deadline for the whole exchange, body included. */
  timeoutMs: number
  /** Bytes of decoded body that are read before the exchange is cut off. */
  maxBytes: number
  signal?: AbortSignal
}
export interface EgressResponse {
  status: number
  headers: Headers
  text: string
  bytes: number
}
export type EgressErrorCode =
  | 'ADDRESS' | 'DNS' | 'DNS_TIMEOUT' | 'SCHEME' | 'USERINFO' | 'PORT' | 'REDIRECT' | 'TIMEOUT'
  | 'TOO_LARGE' | 'CONNECT' | 'TLS' | 'PROTOCOL' | 'ABORTED' | 'URL'
export interface Egress {
  request(request: EgressRequest): Promise<EgressResponse>
  close(): void
}
