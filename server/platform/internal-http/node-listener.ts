import { isIP } from 'node:net'

import type { NodeRegistry } from './node-registry.ts'
import type { ReplayWindows } from './replay-windows.ts'
import { tagBytes } from './sealed-bytes.ts'
import type { RequestSeal } from './sealed-request.ts'
import { sealResponse } from './sealed-response.ts'

/** A request of another node, opened. */
export interface InternalRequest {
  /** The node that asks. */
  readonly from: string
  readonly body: Uint8Array<ArrayBuffer>
  /** Aborts when the other node has left. */
  readonly signal: AbortSignal
}

/** The response's body is streamed as fast as the other node reads it. */
export type AnswerNode = (request: InternalRequest) => Response | Promise<Response>

export interface InternalListener {
  readonly port: number
  /** Refuses new connections, and closes those that are left after `graceMs`. */
  stop(graceMs: number): Promise<void>
}

interface InternalListenerOptions {
  readonly host: string
  readonly port: number
  readonly nodeId: string
  readonly seal: RequestSeal
  readonly registry: Pick<NodeRegistry, 'databaseTime'>
  readonly replays: ReplayWindows
  handlerOf(path: string): AnswerNode | undefined
  onFailed(error: unknown): void
}

export const sealHeader = 'gatehouse-seal'
/** How far the time of a request may be from now, in either direction. */
const maxAgeMs = 30_000
const maxRequestBytes = 33_554_432 + tagBytes
/** Bun closes a connection that is silent for longer; responses that have begun may be silent for as long as they like. */
const receiveSeconds = 10

/** Listens for other nodes. Throws an Error with one sentence for the operator. */
export function listenForNodes(options: InternalListenerOptions): InternalListener {
  const { host, port, handlerOf, onFailed } = options

  async function answer(request: Request, server: Bun.Server<undefined>): Promise<Response> {
    const path = URL.parse(request.url)?.pathname ?? ''
    const opened = await open(request, path, options)
    if (opened === null) return refusal()
    server.timeout(request, 0)
    const { from, body, responseKey } = opened
    return sealResponse(responseKey, await responseOf(path, { from, body, signal: request.signal }))
  }

  async function responseOf(path: string, request: InternalRequest): Promise<Response> {
    try {
      return (await handlerOf(path)?.(request)) ?? new Response(null, { status: 404 })
    } catch (error) {
      onFailed(error)
      return new Response(null, { status: 500 })
    }
  }

  try {
    const server = Bun.serve({
      hostname: host,
      port,
      reusePort: false,
      development: false,
      idleTimeout: receiveSeconds,
      maxRequestBodySize: maxRequestBytes,
      fetch: answer,
      error: refusal,
    })
    return {
      port: server.port ?? port,
      async stop(graceMs) {
        await Promise.race([server.stop(false), Bun.sleep(graceMs)])
        await server.stop(true)
      },
    }
  } catch (error) {
    throw new Error(
      `GATEHOUSE_INTERNAL_URL: port ${port} of ${host} cannot be listened on; it may be in use, or another machine's.`,
      { cause: error },
    )
  }
}

/** The same whatever was wrong, so that nobody learns anything from it. */
const refusal = (): Response => new Response(null, { status: 404 })

/** Null for what is not sealed, changed, too old, replayed, or meant for another node. The body is read last. */
async function open(
  request: Request,
  path: string,
  { nodeId, seal, registry, replays }: InternalListenerOptions,
): Promise<(Pick<InternalRequest, 'from' | 'body'> & { responseKey: Buffer }) | null> {
  const verified = seal.verify(request.method, path, request.headers.get(sealHeader))
  const now = registry.databaseTime()
  if (verified === null || now === null) return null
  const { from, to, time, number, responseKey } = verified
  if (to !== nodeId || Math.abs(now - time) > maxAgeMs) return null
  if (!replays.take(from, number, now)) return null
  const body = verified.open(new Uint8Array(await request.arrayBuffer()))
  return body === null ? null : { from, body, responseKey }
}

/** Where to listen for what reaches a URL: at its address, or at all of this machine where it has a name. */
export function listeningAddressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url)
  const bare = hostname.replace(/^\[|\]$/g, '')
  return { host: isIP(bare) === 0 ? '0.0.0.0' : bare, port: Number(port || '80') }
}
