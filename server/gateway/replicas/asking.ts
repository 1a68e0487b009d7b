import { fault } from '../../platform/fault.ts'
import { randomHex } from '../../platform/ids.ts'
import { StoreLost, ignoreLoss } from '../../platform/shared-store/store-link.ts'
import type { Entrant } from '../transports/entrant.ts'
import { type AskedAnswer, createAskedAnswer } from './asked-answer.ts'
import type { Ask, FromAsker, FromHome } from './frame.ts'
import { keptHeaders } from './kept-headers.ts'
import { type Peers, presenceMs } from './peers.ts'
import { requestIdsIn } from './unanswered.ts'

/** `absent`: the process does not have the session. `gone`: there is no such process. Nothing was done in both cases. */
export type Asked = Response | 'absent' | 'gone'

export interface Asking {
  /** `body`: as it came, or what was read of it; undefined: none. Faults: `unavailable`. Rejects with StoreLost. */
  ask(home: string, sessionId: string, entrant: Entrant, body: unknown): Promise<Asked>
  hear(from: string, frame: FromHome, bytes: Uint8Array): void
  /** Ends all that is under way: the store was lost, and frames with it. */
  breakAll(): void
  /** Ends the streams that answer no request. */
  breakStreams(): void
  /** Ends what is under way at processes that are gone. */
  watch(): Promise<void>
  underWay(): number
}

interface AskedCall {
  readonly home: string
  readonly answer: AskedAnswer
  readonly isStream: boolean
}

/** As long as it takes to be sure that a process is gone, and a little. */
const patienceMs = presenceMs + 2_000
const pauseMs = 100
/** Requests of callers here that other processes are answering. */
const maxUnderWay = 20_000
/** Of bodies that nobody has taken yet: what the store holds for a process that is slow to read. */
const maxUntakenBytes = 16_777_216

export function createAsking(peers: Peers): Asking {
  const calls = new Map<string, AskedCall>()
  let untakenBytes = 0

  /** Sends as soon as somebody listens there. Nothing is sent twice: whoever is deaf or gone has not heard it. */
  async function deliver(ask: Ask, home: string, bytes: Uint8Array): Promise<'sent' | 'gone'> {
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pauseMs) {
      if (!peers.isReady()) throw new StoreLost('not ready')
      const sent = await peers.send(home, ask, bytes)
      if (sent === 'sent') return sent
      if (sent === 'gone' && peers.isSettled()) return sent
      await Bun.sleep(pauseMs)
    }
    throw noProcess()
  }

  async function wait(ask: Ask, home: string, bytes: Uint8Array, answer: AskedAnswer) {
    untakenBytes += bytes.length
    try {
      if ((await deliver(ask, home, bytes)) === 'gone') return 'gone'
      answer.sent()
      return await answer.outcome
    } finally {
      untakenBytes -= bytes.length
    }
  }

  async function askOnce(
    home: string,
    sessionId: string,
    entrant: Entrant,
    body: unknown,
    bytes: Uint8Array,
  ) {
    if (calls.size >= maxUnderWay || untakenBytes + bytes.length > maxUntakenBytes) throw tooMuch()
    const { method, signal } = entrant.request
    const call = randomHex(12)
    const tell = (frame: FromAsker): void => {
      // Whoever cannot be told finds out by itself.
      peers.send(home, frame).catch(ignoreLoss)
    }
    const onEnd = (): void => void calls.delete(call)
    const requestIds = requestIdsIn(body)
    const answer = createAskedAnswer({ call, signal, requestIds, tell, onEnd })
    calls.set(call, { home, answer, isStream: method === 'GET' })
    let asked: Asked | 'later' | null = null
    try {
      asked = await wait(askFrame(call, sessionId, entrant, body !== undefined), home, bytes, answer)
      return asked
    } finally {
      if (!(asked instanceof Response)) answer.break()
    }
  }

  return {
    async ask(home, sessionId, entrant, body) {
      const bytes = bytesOf(body)
      for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pauseMs) {
        const asked = await askOnce(home, sessionId, entrant, body, bytes)
        if (asked !== 'later') return asked
        await Bun.sleep(pauseMs)
      }
      throw noProcess()
    },

    hear(from, frame, bytes) {
      const call = calls.get(frame.call)
      if (call?.home === from) call.answer.hear(frame, bytes)
    },

    breakAll() {
      for (const { answer } of calls.values()) answer.break()
    },

    breakStreams() {
      for (const { answer, isStream } of calls.values()) if (isStream) answer.break()
    },

    async watch() {
      for (const home of new Set([...calls.values()].map((call) => call.home))) {
        if (!peers.isSettled() || !(await peers.isGone(home))) continue
        for (const call of calls.values()) if (call.home === home) call.answer.break()
      }
    },
    underWay: () => calls.size,
  }
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body
  return new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body))
}

function askFrame(call: string, session: string, entrant: Entrant, hasBody: boolean): Ask {
  const { request, facts, principal } = entrant
  const { address, origin } = facts.caller()
  const { method, url } = request
  const headers = keptHeaders(request.headers)
  const { requestId } = facts
  const caller = { address, origin }
  return {
    kind: 'ask',
    call,
    session,
    principal: principal.name,
    requestId,
    method,
    url,
    headers,
    hasBody,
    caller,
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
