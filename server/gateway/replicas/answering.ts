import type { RequestFacts } from '../../http/request-facts.ts'
import type { Log } from '../../platform/log.ts'
import { StoreLost } from '../../platform/shared-store/store-link.ts'
import { costOf, windowBytes } from './asked-answer.ts'
import type { Ask, FromAsker, FromHome } from './frame.ts'
import { returnedHeaders } from './kept-headers.ts'
import type { Peers } from './peers.ts'

/** Answers a request that another process let in; it is let in here, too. */
export type ServeForwarded = (request: Request, facts: RequestFacts) => Promise<Response>

export interface Answering {
  hear(from: string, frame: FromAsker, bytes: Uint8Array): void
  breakAll(): void
  underWay(): number
}

interface AnsweringOptions {
  readonly peers: Pick<Peers, 'send' | 'isPresent'>
  readonly log: Log
  /** Whether this principal has this session here. */
  isHere(principal: string, sessionId: string): boolean | Promise<boolean>
  serve: ServeForwarded
}

/** A request that is answered for another process. */
interface Served {
  readonly from: string
  readonly call: string
  readonly left: AbortController
  /** What may be sent before the other side has read more. */
  credit: number
  /** Waits for credit. */
  wake: (() => void) | null
}

const partBytes = 32_768
/** Requests of other processes that are answered here. */
const maxUnderWay = 20_000

export function createAnswering({ peers, log, isHere, serve }: AnsweringOptions): Answering {
  const all = new Map<string, Served>()

  /** False: nobody hears it, and the rest is in vain. */
  async function tell({ from }: Pick<Served, 'from'>, frame: FromHome, bytes?: Uint8Array): Promise<boolean> {
    try {
      return (await peers.send(from, frame, bytes)) === 'sent'
    } catch (error) {
      if (error instanceof StoreLost) return false
      throw error
    }
  }

  async function take(from: string, ask: Ask, body: Uint8Array): Promise<void> {
    const { call, principal, session } = ask
    // Whoever was taken for gone may wake up with requests that nobody waits for any more, of sessions that are elsewhere.
    if (!peers.isPresent() || all.size >= maxUnderWay) return void tell({ from }, { kind: 'later', call })
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
    const headers = returnedHeaders(response.headers)
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
    hear(from, frame, bytes) {
      if (frame.kind === 'ask') return void take(from, frame, bytes)
      const served = all.get(frame.call)
      if (served === undefined || served.from !== from) return
      if (frame.kind === 'abort') return end(served)
      served.credit += frame.bytes
      served.wake?.()
    },
    breakAll() {
      for (const served of all.values()) end(served)
    },
    underWay: () => all.size,
  }
}

function requestOf({ method, url, headers, hasBody }: Ask, body: Uint8Array, signal: AbortSignal): Request {
  return new Request(url, { method, headers, signal, ...(hasBody && { body: Buffer.from(body) }) })
}

/** As the asking process found them. Time-outs are its own matter. */
const factsOf = ({ requestId, caller }: Ask): RequestFacts => ({
  requestId,
  route: 'forwarded',
  caller: () => caller,
  allowSeconds: () => undefined,
  upgrade: () => false,
})
