import { type JSONRPCMessage, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'

import { unpredictableId } from '../../platform/json-rpc-ids.ts'
import type { CallProgress, DownstreamQuestion } from '../scope.ts'
import { DownstreamError } from './failure.ts'
import type { DownstreamLimits } from './limits.ts'

/** One request in progress, as the fetch below the SDK sees it. */
export interface DownstreamExchange {
  /**
   * An unguessable id. It travels as a header, which the fetch removes (the SDK offers no other way), and is the
   * progress token.
   */
  readonly id: string
  readonly signal: AbortSignal
  /** Records why the exchange is about to fail; the first reason counts. */
  note(error: DownstreamError): void
  /** Records the reason and ends the exchange. */
  fail(error: DownstreamError): void
  /** Counts the bytes of its bodies, where its caller wants to know them. */
  readonly traffic: ByteCounts | null
  /** The reason for which it was ended from below. */
  readonly failure: DownstreamError | null
  close(): void
}

/** The bytes of one call, counted where they are sent and received. */
export interface ByteCounts {
  sent: number
  received: number
}

export interface ExchangeCaller {
  readonly signal: AbortSignal
  readonly traffic?: ByteCounts
  onProgress?(progress: CallProgress): void
  ask?(question: DownstreamQuestion): Promise<Readonly<Record<string, unknown>>>
}

/** The header that carries the id; its name collides with none that a tool server could be sent. */
export const exchangeHeader = 'x-gatehouse-exchange'

export interface Exchanges {
  open(caller: ExchangeCaller): DownstreamExchange
  find(id: string | null): DownstreamExchange | null
  /**
   * Passes progress on at once. The SDK does so later, and loses progress that arrives together with the answer; so
   * the deadline, which progress extends, is kept here as well.
   */
  hear(message: JSONRPCMessage): void
  /**
   * Asks the caller of the exchange in progress. A question does not say which call it belongs to: while several callers
   * could be asked it is refused, lest one answers for another.
   */
  ask(question: DownstreamQuestion): Promise<Readonly<Record<string, unknown>>>
  /** Ends all exchanges in progress. */
  endAll(error: DownstreamError): void
}

interface Open extends DownstreamExchange {
  hear(progress: CallProgress): void
  /** Null: its caller cannot be asked. */
  readonly ask: ((question: DownstreamQuestion) => Promise<Readonly<Record<string, unknown>>>) | null
}

/**
 * The reason of exchanges that have ended. One object for all, because creating an error takes as long as sending a
 * request.
 */
const over = new DownstreamError('unreachable', 'over')

/** Connects what happens on the wire to the request it belongs to. */
export function createExchanges(limits: Pick<DownstreamLimits, 'callMs' | 'callTotalMs'>): Exchanges {
  const exchanges = new Map<string, Open>()

  function openExchange(
    { signal, onProgress, traffic, ask }: ExchangeCaller,
    onClose: (id: string) => void,
  ): Open {
    const controller = new AbortController()
    const id = `gatehouse-${unpredictableId()}`
    let failure: DownstreamError | null = null
    const fail = (error: DownstreamError): void => {
      failure ??= error
      controller.abort(error)
    }
    const onDeadline = (): void => fail(new DownstreamError('timed_out'))
    const lastDeadline = setTimeout(onDeadline, limits.callTotalMs)
    let deadline = setTimeout(onDeadline, limits.callMs)
    const restart = (): void => {
      clearTimeout(deadline)
      deadline = setTimeout(onDeadline, limits.callMs)
    }
    const onAbort = (): void => controller.abort(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    return {
      id,
      signal: controller.signal,
      traffic: traffic ?? null,
      get failure() {
        return failure
      },
      note(error) {
        failure ??= error
      },
      fail,
      hear(progress) {
        restart()
        onProgress?.(progress)
      },
      /** People take their time: only the last deadline runs while one is asked. */
      ask:
        ask === undefined
          ? null
          : async (question) => {
              clearTimeout(deadline)
              try {
                return await ask(question)
              } finally {
                if (!controller.signal.aborted) restart()
              }
            },
      close() {
        clearTimeout(deadline)
        clearTimeout(lastDeadline)
        signal.removeEventListener('abort', onAbort)
        onClose(id)
        controller.abort(over) // whatever still arrives for it is not read
      },
    }
  }

  return {
    open(caller) {
      const exchange = openExchange(caller, (id) => exchanges.delete(id))
      exchanges.set(exchange.id, exchange)
      return exchange
    },
    endAll(error) {
      for (const exchange of exchanges.values()) exchange.fail(error)
    },
    ask(question) {
      const [one, ...others] = [...exchanges.values()].flatMap(({ ask }) => (ask === null ? [] : [ask]))
      if (one !== undefined && others.length === 0) return one(question)
      const why = one === undefined ? 'No call is in progress' : 'Several calls are in progress'
      return Promise.reject(new ProtocolError(ProtocolErrorCode.InvalidRequest, `${why}: nobody is asked`))
    },
    find: (id) => (id === null ? null : (exchanges.get(id) ?? null)),
    hear(message) {
      if (!('method' in message) || message.method !== 'notifications/progress') return
      const { progressToken, progress, total, message: text } = message.params ?? {}
      const exchange = typeof progressToken === 'string' ? exchanges.get(progressToken) : undefined
      if (exchange === undefined || typeof progress !== 'number') return
      exchange.hear({
        progress,
        ...(typeof total === 'number' ? { total } : {}),
        ...(typeof text === 'string' ? { message: text } : {}),
      })
    },
  }
}
