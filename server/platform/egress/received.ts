type Bytes = Uint8Array<ArrayBuffer>

/** An answer as it came, undecoded. */
export interface Received {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  /** Null: there is none, or it is there as a whole. */
  readonly body: ReadableStream<Bytes> | null
  /** All of the body, which as a stream would take longer to read than it took to come. */
  readonly whole?: Bytes
  /** When the certificate of the peer ends (Unix seconds); null without TLS. */
  readonly certificateExpiresAt: number | null
  /** Closes the connection that it came over, whoever uses it by now: it carried what was meant for somebody else. */
  distrust(): void
}

export const hasBody = ({ body, whole }: Received): boolean => body !== null || whole !== undefined
