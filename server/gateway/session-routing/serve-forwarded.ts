import type { RequestFacts } from '../../platform/http/request-facts.ts'
import type { AnswerNode, InternalHttp, InternalRequest } from '../../platform/internal-http/internal-http.ts'
import type { Log } from '../../platform/log.ts'
import { type RequestHead, forwardStatus, unpackRequest } from './envelope.ts'
import { sendParts } from './send-parts.ts'
import { requestIdsIn } from './unfinished-requests.ts'

/** Answers a request that another process authenticated and forwarded; it is authenticated here again. */
export type ServeForwarded = (request: Request, facts: RequestFacts) => Promise<Response>

export interface ForwardedRequestServer {
  readonly answer: AnswerNode
  /** Sends later requests back, to wait until this process is gone. */
  close(): void
  activeCount(): number
}

interface ForwardedRequestServerOptions {
  readonly registry: Pick<InternalHttp['registry'], 'isPresent'>
  readonly log: Log
  /** Returns true when this caller has this session in this process. */
  isHere(principal: string, sessionId: string): boolean | Promise<boolean>
  serve: ServeForwarded
}

/** The maximum number of forwarded requests answered at once. */
const maxUnderWay = 20_000

export function createForwardedRequestServer(options: ForwardedRequestServerOptions): ForwardedRequestServer {
  const { registry, log, isHere, serve } = options
  const active = new Set<AbortController>()
  let isClosed = false

  function answerTaken({ head, body, signal }: TakenRequest): Response {
    const left = new AbortController()
    active.add(left)
    const onEnd = (): void => {
      active.delete(left)
      // Whoever listens for the end of the request learns of it, however it came.
      left.abort()
    }
    const { stream, abort } = sendParts({
      response: () => serve(requestOf(head, body, left.signal), factsOf(head)),
      requestIds: requestIdsIn(body),
      onEnd,
      onBroken: (error) => log.warn('a request of another process broke off', { error }),
    })
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    return new Response(stream)
  }

  return {
    async answer({ body: packed, signal }: InternalRequest) {
      const asked = unpackRequest(packed)
      // Whoever was taken for gone may wake up with requests that nobody waits for any more, of sessions that are elsewhere.
      if (asked === null || isClosed || !registry.isPresent() || active.size >= maxUnderWay)
        return new Response(null, { status: forwardStatus.later })
      const { principal, session } = asked.head
      if (!(await isHere(principal, session))) return new Response(null, { status: forwardStatus.absent })
      return answerTaken({ ...asked, signal })
    },
    close() {
      isClosed = true
    },
    activeCount: () => active.size,
  }
}

interface TakenRequest {
  readonly head: RequestHead
  readonly body: Uint8Array
  /** Aborts when the forwarding process has left. */
  readonly signal: AbortSignal
}

function requestOf(
  { method, url, headers, hasBody }: RequestHead,
  body: Uint8Array,
  signal: AbortSignal,
): Request {
  return new Request(url, { method, headers, signal, ...(hasBody && { body: Buffer.from(body) }) })
}

/** Returns the request facts as the forwarding process found them. Timeouts are applied there. */
const factsOf = ({ requestId, caller }: RequestHead): RequestFacts => ({
  requestId,
  route: 'forwarded',
  caller: () => caller,
  allowSeconds: () => undefined,
  upgrade: () => false,
})
