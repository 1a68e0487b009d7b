import type { RequestFacts } from '../../platform/http/request-facts.ts'
import type { Log } from '../../platform/log.ts'
import { StoreLost } from '../../platform/shared-store/store-link.ts'
import { costOf, windowBytes } from './forwarded-response.ts'
import type { RequestFrame, RequesterFrame, OwnerFrame } from './frame.ts'
import type { RemoteProcesses } from './remote-processes.ts'

/** Answers a request that another process authenticated and forwarded; it is authenticated here again. */
export type ServeForwarded = (request: Request, facts: RequestFacts) => Promise<Response>

export interface ForwardedRequestServer {
  receive(from: string, frame: RequesterFrame, bytes: Uint8Array): void
  abortAll(): void
  activeCount(): number
}

interface ForwardedRequestServerOptions {
  readonly remotes: Pick<RemoteProcesses, 'send' | 'isPresent'>
  readonly log: Log
  /** Returns true when this caller has this session in this process. */
  isHere(principal: string, sessionId: string): boolean | Promise<boolean>
  serve: ServeForwarded
}

/** A forwarded request that this process is answering. */
interface Served {
  readonly from: string
  readonly call: string
  readonly left: AbortController
  /** The number of bytes that may be sent before the forwarding process returns credit. */
  credit: number
  /** Resumes the sender when credit arrives. */
  wake: (() => void) | null
}

const partBytes = 32_768
/** The maximum number of forwarded requests answered at once. */
const maxUnderWay = 20_000

export function createForwardedRequestServer({
  remotes,
  log,
  isHere,
  serve,
}: ForwardedRequestServerOptions): ForwardedRequestServer {
  const all = new Map<string, Served>()

  /** Sends a frame. Resolves to false when nobody received it, so that the rest need not be sent. */
  async function tell(
    { from }: Pick<Served, 'from'>,
    frame: OwnerFrame,
    bytes?: Uint8Array,
  ): Promise<boolean> {
    try {
      return (await remotes.send(from, frame, bytes)) === 'sent'
    } catch (error) {
      if (error instanceof StoreLost) return false
      throw error
    }
  }

  async function take(from: string, ask: RequestFrame, body: Uint8Array): Promise<void> {
    const { call, principal, session } = ask
    // Whoever was taken for gone may wake up with requests that nobody waits for any more, of sessions that are elsewhere.
    if (!remotes.isPresent() || all.size >= maxUnderWay) return void tell({ from }, { kind: 'later', call })
    if (!(await isHere(principal, session))) return void tell({ from }, { kind: 'absent', call })
    const served: Served = { from, call, left: new AbortController(), credit: windowBytes, wake: null }
    all.set(call, served)
    void tell(served, { kind: 'taken', call })
    try {
      await answer(served, await serve(requestOf(ask, body, served.left.signal), factsOf(ask)))
    } catch (error) {
      if (!served.left.signal.aborted) log.warn('a request of another process broke off', { error })
      void tell(served, { kind: 'broken', call })
    } finally {
      all.delete(call)
      // Whoever listens for its end learns of it, however it came.
      served.left.abort()
    }
  }

  async function answer(served: Served, response: Response): Promise<void> {
    const { call, left } = served
    const { status, body } = response
    const headers = forwardedResponseHeaders(response.headers)
    // Frames arrive in the order in which they are sent: none but the last needs to be waited for.
    const isHeard = tell(served, { kind: 'head', call, status, headers, hasBody: body !== null })
    if (body === null) return void (await isHeard)
    const reader = body.getReader()
    const leave = (): void => void reader.cancel().catch(() => undefined)
    left.signal.addEventListener('abort', leave, { once: true })
    void isHeard.then((heard) => heard || left.abort())
    for (;;) {
      const { done, value } = await reader.read()
      if (left.signal.aborted) return
      if (done) break
      await sendParts(served, value)
    }
    left.signal.removeEventListener('abort', leave)
    await tell(served, { kind: 'end', call })
  }

  async function sendParts(served: Served, bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; start += partBytes) {
      while (served.credit <= 0 && !served.left.signal.aborted) await untilCredit(served)
      if (served.left.signal.aborted) return
      const part = bytes.subarray(start, start + partBytes)
      served.credit -= costOf(part)
      void tell(served, { kind: 'part', call: served.call }, part).then((heard) => heard || end(served))
    }
  }

  function untilCredit(served: Served): Promise<void> {
    return new Promise((resolve) => {
      served.wake = resolve
    })
  }

  function end(served: Served): void {
    served.left.abort()
    served.wake?.()
  }

  return {
    receive(from, frame, bytes) {
      if (frame.kind === 'ask') return void take(from, frame, bytes)
      const served = all.get(frame.call)
      if (served === undefined || served.from !== from) return
      if (frame.kind === 'abort') return end(served)
      served.credit += frame.bytes
      served.wake?.()
    },
    abortAll() {
      for (const served of all.values()) end(served)
    },
    activeCount: () => all.size,
  }
}

function requestOf(
  { method, url, headers, hasBody }: RequestFrame,
  body: Uint8Array,
  signal: AbortSignal,
): Request {
  return new Request(url, { method, headers, signal, ...(hasBody && { body: Buffer.from(body) }) })
}

/** Returns the request facts as the forwarding process found them. Timeouts are applied there. */
const factsOf = ({ requestId, caller }: RequestFrame): RequestFacts => ({
  requestId,
  route: 'forwarded',
  caller: () => caller,
  allowSeconds: () => undefined,
  upgrade: () => false,
})

/** Response headers that the forwarding process cannot produce by itself. */
const forwardedResponseHeaderNames =
  /^(?:allow|cache-control|content-type|mcp-.+|ratelimit.*|retry-after|www-authenticate|x-accel-buffering)$/

const forwardedResponseHeaders = (headers: Headers): [string, string][] =>
  [...headers].filter(([name]) => forwardedResponseHeaderNames.test(name))
