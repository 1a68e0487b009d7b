import { fault } from '../../platform/fault.ts'
import { randomHex } from '../../platform/ids.ts'
import { StoreLost, ignoreLoss } from '../../platform/shared-store/store-link.ts'
import { type GatewayRequest, sessionHolderOf } from '../authentication.ts'
import { type ForwardedResponse, createForwardedResponse } from './forwarded-response.ts'
import type { RequestFrame, RequesterFrame, OwnerFrame } from './frame.ts'
import { type RemoteProcesses, presenceMs } from './remote-processes.ts'
import { requestIdsIn } from './unfinished-requests.ts'

/**
 * The response of the owner process. `absent`: that process does not have the session. `gone`: that process does
 * not exist any more. The request was not executed in either case.
 */
export type ForwardResult = Response | 'absent' | 'gone'

export interface RequestForwarder {
  /**
   * Forwards a request to the owner process. `body` is the parsed or raw body, or undefined. Throws the fault
   * `unavailable`, and rejects with StoreLost.
   */
  forward(owner: string, sessionId: string, incoming: GatewayRequest, body: unknown): Promise<ForwardResult>
  receive(from: string, frame: OwnerFrame, bytes: Uint8Array): void
  /** Aborts every forwarded call, because the store connection was lost and frames with it. */
  abortAll(): void
  /** Aborts the streams that answer no request. */
  abortStreams(): void
  /** Aborts calls to processes that no longer exist. */
  abortCallsToGoneProcesses(): Promise<void>
  activeCount(): number
}

interface ForwardedCall {
  readonly ownerProcess: string
  readonly answer: ForwardedResponse
  readonly isStream: boolean
}

/** The time after which a silent process is certainly gone, with a margin. */
const patienceMs = presenceMs + 2_000
const pauseMs = 100
/** The maximum number of requests that other processes are answering for this one. */
const maxUnderWay = 20_000
/** The maximum size of bodies that no process has accepted yet: the store buffers them for slow readers. */
const maxUntakenBytes = 16_777_216

export function createRequestForwarder(remotes: RemoteProcesses): RequestForwarder {
  const calls = new Map<string, ForwardedCall>()
  let untakenBytes = 0

  /**
   * Publishes the frame as soon as the owner process listens. It never sends twice: a process that did not
   * listen, or is gone, has received nothing.
   */
  async function deliver(frame: RequestFrame, owner: string, bytes: Uint8Array): Promise<'sent' | 'gone'> {
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pauseMs) {
      if (!remotes.isReady()) throw new StoreLost('not ready')
      const sent = await remotes.send(owner, frame, bytes)
      if (sent === 'sent') return sent
      if (sent === 'gone' && remotes.isSettled()) return sent
      await Bun.sleep(pauseMs)
    }
    throw noProcess()
  }

  async function wait(frame: RequestFrame, owner: string, bytes: Uint8Array, answer: ForwardedResponse) {
    untakenBytes += bytes.length
    try {
      if ((await deliver(frame, owner, bytes)) === 'gone') return 'gone'
      answer.sent()
      return await answer.outcome
    } finally {
      untakenBytes -= bytes.length
    }
  }

  async function forwardOnce(
    owner: string,
    sessionId: string,
    incoming: GatewayRequest,
    body: unknown,
    bytes: Uint8Array,
  ) {
    if (calls.size >= maxUnderWay || untakenBytes + bytes.length > maxUntakenBytes) throw tooMuch()
    const { method, signal } = incoming.request
    const call = randomHex(12)
    const send = (frame: RequesterFrame): void => {
      // Whoever cannot be told finds out by itself.
      remotes.send(owner, frame).catch(ignoreLoss)
    }
    const onEnd = (): void => void calls.delete(call)
    const requestIds = requestIdsIn(body)
    const answer = createForwardedResponse({ call, signal, requestIds, send, onEnd })
    calls.set(call, { ownerProcess: owner, answer, isStream: method === 'GET' })
    let forwarded: ForwardResult | 'later' | null = null
    try {
      forwarded = await wait(
        requestFrame(call, sessionId, incoming, body !== undefined),
        owner,
        bytes,
        answer,
      )
      return forwarded
    } finally {
      if (!(forwarded instanceof Response)) answer.abort()
    }
  }

  return {
    async forward(owner, sessionId, incoming, body) {
      const bytes = bytesOf(body)
      for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pauseMs) {
        const forwarded = await forwardOnce(owner, sessionId, incoming, body, bytes)
        if (forwarded !== 'later') return forwarded
        await Bun.sleep(pauseMs)
      }
      throw noProcess()
    },

    receive(from, frame, bytes) {
      const call = calls.get(frame.call)
      if (call?.ownerProcess === from) call.answer.receive(frame, bytes)
    },

    abortAll() {
      for (const { answer } of calls.values()) answer.abort()
    },

    abortStreams() {
      for (const { answer, isStream } of calls.values()) if (isStream) answer.abort()
    },

    async abortCallsToGoneProcesses() {
      for (const owner of new Set([...calls.values()].map((call) => call.ownerProcess))) {
        if (!remotes.isSettled() || !(await remotes.isGone(owner))) continue
        for (const call of calls.values()) if (call.ownerProcess === owner) call.answer.abort()
      }
    },
    activeCount: () => calls.size,
  }
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body
  return new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body))
}

function requestFrame(
  call: string,
  session: string,
  incoming: GatewayRequest,
  hasBody: boolean,
): RequestFrame {
  const { request, facts, caller } = incoming
  const { address, origin } = facts.caller()
  return {
    kind: 'ask',
    call,
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

const tooMuch = () =>
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
