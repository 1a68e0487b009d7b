import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/server'

interface SseTransportOptions {
  /** The path to which the client posts its messages. */
  readonly endpoint: string
  readonly sessionId: string
  readonly keepAliveMs: number
  /** The number of unread bytes at which the stream is closed. */
  readonly unreadBytes: number
}

/**
 * The server side of HTTP with SSE (protocol 2024-11-05) on web streams, which no SDK provides. The client's
 * messages arrive in POST requests: see `receive`.
 */
export class SseTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void
  readonly sessionId: string
  /** The response to the GET request: the stream. */
  readonly response: Response
  readonly #options: SseTransportOptions
  readonly #encoder = new TextEncoder()
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #keepAlive: ReturnType<typeof setInterval> | null = null
  #isClosed = false

  /** Opens the stream. `left` is the abort signal of the GET request. */
  constructor(options: SseTransportOptions, left: AbortSignal) {
    this.#options = options
    this.sessionId = options.sessionId
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        cancel: () => this.close(),
      },
      { highWaterMark: options.unreadBytes, size: (chunk) => chunk?.byteLength ?? 0 },
    )
    left.addEventListener('abort', () => void this.close(), { once: true })
    this.response = new Response(stream, { headers: streamHeaders })
  }

  async start(): Promise<void> {
    this.#write(`event: endpoint\ndata: ${this.#options.endpoint}?sessionId=${this.sessionId}\n\n`)
    this.#keepAlive = setInterval(() => this.#write(': keep-alive\n\n'), this.#options.keepAliveMs)
    this.#keepAlive.unref()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('the SSE stream is closed')
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
  }

  /** Delivers a message that the client posted. */
  receive(message: JSONRPCMessage, request: Request): void {
    this.onmessage?.(message, { request })
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#keepAlive !== null) clearInterval(this.#keepAlive)
    try {
      this.#controller?.close()
    } catch (error) {
      // The client has cancelled the stream already.
      if (!(error instanceof TypeError)) throw error
    } finally {
      this.onclose?.()
    }
  }

  #write(text: string): void {
    if (this.#isClosed || this.#controller === null) return
    // `enqueue` never refuses: without this a client that does not read would fill the memory.
    if ((this.#controller.desiredSize ?? 0) <= 0) {
      this.onerror?.(new Error('the client does not read its SSE stream'))
      void this.close()
      return
    }
    this.#controller.enqueue(this.#encoder.encode(text))
  }
}

export const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no', // nginx would hold the messages back
}
