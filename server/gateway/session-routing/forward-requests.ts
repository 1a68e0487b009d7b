import type { Clock } from '../../platform/clock.ts'
import { fault } from '../../platform/fault.ts'
import { type InternalHttp, NodeError } from '../../platform/internal-http/internal-http.ts'
import { presenceMs } from '../../platform/internal-http/node-registry.ts'
import { nextTurn } from '../../platform/turns.ts'
import { type GatewayRequest, sessionHolderOf } from '../authentication.ts'
import { type RequestHead, forwardPath, forwardStatus, packRequest, readForwardedHead } from './envelope.ts'
import { passOn } from './pass-on.ts'
import { requestIdsIn } from './unfinished-requests.ts'

/**
 * The response of the owner process. `absent`: that process does not have the session. `gone`: that process does
 * not exist any more. The request was not executed in either case.
 */
export type ForwardResult = Response | 'absent' | 'gone'

/**
 * `later`: it can be sent again. `refused`: by a process that has taken the address over, it seems; as a refusal can be
 * forged, the request is not sent again, but the end of its process is waited for.
 */
type NothingReceived = 'later' | 'refused'

export interface RequestForwarder {
  /**
   * Forwards a request to the owner process. `body` is the parsed or raw body, or undefined. Throws the fault
   * `unavailable`.
   */
  forward(owner: string, sessionId: string, incoming: GatewayRequest, body: unknown): Promise<ForwardResult>
  activeCount(): number
}

/** A request that another process is answering. */
interface ForwardedCall {
  readonly owner: string
  /** Ends the response, because nothing more will come or nobody waits for more. */
  abort(): void
}

/** A silent process is certainly gone after one such time, or two where heartbeats of our own were late; with a margin. */
const patienceMs = 2 * presenceMs + 2_000
const pauseMs = 100
/**
 * A process under load takes a request, or says that it does not, within this time. One that stands still is not waited
 * for as long: the registry notices.
 */
const takenWithinMs = 10_000
/** The maximum number of requests that other processes are answering for this one. */
const maxUnderWay = 20_000

export function createRequestForwarder({
  send,
  registry,
  clock,
}: Pick<InternalHttp, 'send' | 'registry'> & { readonly clock: Clock }): RequestForwarder {
  const calls = new Set<ForwardedCall>()

  async function forwardOnce(
    owner: string,
    incoming: GatewayRequest,
    packed: Uint8Array<ArrayBuffer>,
    body: unknown,
  ): Promise<ForwardResult | NothingReceived> {
    if (calls.size >= maxUnderWay) throw tooMany()
    const { signal } = incoming.request
    const left = new AbortController()
    const call: ForwardedCall = { owner, abort: () => left.abort() }
    const onEnd = (): void => void calls.delete(call)
    calls.add(call)
    try {
      await readEnds()
      const response = await send(owner, {
        path: forwardPath,
        body: packed,
        headMs: takenWithinMs,
        signal: AbortSignal.any([signal, left.signal]),
      })
      if (response.status !== forwardStatus.taken) {
        onEnd()
        await response.body?.cancel()
        return response.status === forwardStatus.absent ? 'absent' : 'later'
      }
      const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
      call.abort = () => void reader.cancel().catch(() => undefined)
      const { head, rest } = await readForwardedHead(reader)
      const passedOn = passOn({ head, rest, reader, requestIds: requestIdsIn(body), onEnd })
      call.abort = passedOn.abort
      return passedOn.response
    } catch (error) {
      onEnd()
      return nothingReceived(error)
    }
  }

  /** Returns what a failure means, if the process has received nothing. Throws otherwise. */
  function nothingReceived(error: unknown): 'gone' | NothingReceived {
    const failure = error instanceof NodeError ? error.failure : 'broken'
    if (failure === 'broken' || failure === 'aborted') throw notAnswered()
    if (failure === 'gone' && registry.isSettled()) return 'gone'
    return failure === 'refused' ? 'refused' : 'later'
  }

  const isGone = (owner: string): boolean =>
    registry.isSettled() && !registry.others().some(({ id }) => id === owner)

  /** A process that is frozen keeps its connections: its responses end when the others consider it gone. */
  function endCallsToGoneProcesses(): void {
    if (!registry.isSettled()) return
    const living = new Set(registry.others().map(({ id }) => id))
    for (const { owner, abort } of calls) if (!living.has(owner)) abort()
  }
  registry.onBeat(endCallsToGoneProcesses)

  return {
    async forward(owner, sessionId, incoming, body) {
      const packed = packRequest(headOf(sessionId, incoming, body !== undefined), bytesOf(body))
      const until = clock.monotonic() + patienceMs
      let forwarded: ForwardResult | NothingReceived = 'later'
      do {
        if (forwarded === 'later') forwarded = await forwardOnce(owner, incoming, packed, body)
        else if (isGone(owner)) return 'gone'
        if (forwarded !== 'later' && forwarded !== 'refused') return forwarded
        await Bun.sleep(pauseMs)
      } while (clock.monotonic() < until)
      throw noProcess()
    },
    activeCount: () => calls.size,
  }
}

/**
 * Lets this process read of connections that have ended: what is written on one that was kept to a process that is dead
 * already would count as perhaps carried out. What one turn of the event loop has found is handled by the next.
 */
async function readEnds(): Promise<void> {
  await nextTurn()
  await nextTurn()
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body
  return new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body))
}

function headOf(session: string, { request, facts, caller }: GatewayRequest, hasBody: boolean): RequestHead {
  const { address, origin } = facts.caller()
  return {
    session,
    principal: sessionHolderOf(caller),
    requestId: facts.requestId,
    method: request.method,
    url: request.url,
    headers: forwardedRequestHeaders(request.headers),
    hasBody,
    caller: { address, origin },
  }
}

const noProcess = () =>
  fault('unavailable', 'The process that has this session cannot be reached now: try again in a moment', {
    retryAfterSec: 1,
  })

const notAnswered = () =>
  fault(
    'unavailable',
    'The process that has this session did not answer: the request may or may not have been carried out. The session goes on: try again in a moment',
    { retryAfterSec: 1 },
  )

const tooMany = () =>
  fault(
    'unavailable',
    'Too many requests wait for other processes of this installation: try again in a moment',
    {
      retryAfterSec: 1,
    },
  )

/** Headers that carry the caller's request. All others describe the hop from the caller to this process. */
const forwardedRequestHeaderNames =
  /^(?:accept|authorization|content-type|last-event-id|traceparent|tracestate|baggage|mcp-.+|x-gateway-.+)$/

const forwardedRequestHeaders = (headers: Headers): [string, string][] =>
  [...headers].filter(([name]) => forwardedRequestHeaderNames.test(name))
