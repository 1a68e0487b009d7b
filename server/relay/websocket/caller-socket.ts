import {
  closeCodes,
  type CloseCode,
  type OpenSocket,
  type SocketUser,
} from '../../platform/http/web-socket.ts'
import type { LimitName } from '../../../shared/limits.ts'
import { Fault } from '../../platform/fault.ts'
import type { Log } from '../../platform/log.ts'
import { forward } from '../forward/forward.ts'
import type { KeyCaller } from '../../keys/check.ts'
import { errorAnswer, requestBodyTooLarge, rpcErrorText } from '../errors.ts'
import type { RelayEndpoints, RelayKey, RelayKeys, RelayRequestLog } from '../ports.ts'
import type { ForwardCalls, RelayCalls } from '../relay-calls.ts'
import type { RelayMetrics } from '../relay-metrics.ts'
import { parseRequest } from '../request/parse.ts'
import { refusedRequest } from '../rpc-refusals.ts'
import { Notifications, type NotificationServices } from './notifications.ts'
import { closeReasons } from './socket-errors.ts'
import { Subscriptions, type SubscriptionServices } from './subscriptions.ts'

export interface CallerSocketServices extends NotificationServices, SubscriptionServices {
  readonly keys: RelayKeys
  readonly endpoints: RelayEndpoints
  readonly relayCalls: RelayCalls
  readonly relayMetrics: RelayMetrics
  readonly requestLog: RelayRequestLog
  readonly log: Log
}

/** The request that opened a WebSocket. */
export interface Opening {
  /** The key value. */
  readonly value: string
  readonly key: RelayKey
  readonly endpoint: string
  readonly caller: KeyCaller
  /** The ids of its messages begin with this one. */
  readonly requestId: string
}

/** One WebSocket of a caller: each message is relayed as an HTTP request with the same body would be. */
export class CallerSocket implements SocketUser {
  readonly keyId: string
  key: RelayKey
  readonly endpoint: string
  readonly #opening: Opening
  readonly #services: CallerSocketServices
  readonly #subscriptions: Subscriptions
  readonly #notifications: Notifications
  readonly #queue: string[] = []
  readonly #onClosed: (socket: CallerSocket) => void
  #queuedChars = 0
  #messages = 0
  #inFlight = 0
  #charsInFlight = 0
  #socket: OpenSocket | null = null
  #isDraining = false

  constructor(opening: Opening, services: CallerSocketServices, onClosed: (socket: CallerSocket) => void) {
    this.keyId = opening.key.id
    this.key = opening.key
    this.endpoint = opening.endpoint
    this.#opening = opening
    this.#services = services
    this.#onClosed = onClosed
    this.#subscriptions = new Subscriptions(
      {
        notify: (notification, id) => this.#notifications.send(notification, id),
        upstreamLost: () => this.#close(closeCodes.restart, closeReasons.upstreamLost),
      },
      services,
    )
    this.#notifications = new Notifications(this, services)
  }

  get subscriptions(): number {
    return this.#subscriptions.size
  }

  opened(socket: OpenSocket): void {
    this.#socket = socket
  }

  received(text: string): void {
    if (this.#socket === null || this.#isDraining) return
    if (this.#queue.length === 0 && this.#hasRoomFor(text)) return void this.#answer(text)
    const { messagesQueued, queuedChars } = this.#services.settings
    this.#queue.push(text)
    this.#queuedChars += text.length
    if (this.#queue.length > messagesQueued || this.#queuedChars > queuedChars)
      this.#close(closeCodes.policy, closeReasons.tooManyMessages)
  }

  /** One message has room alone, however long it is. */
  #hasRoomFor({ length }: string): boolean {
    const { messagesInFlight, charsInFlight } = this.#services.settings
    if (this.#inFlight === 0) return true
    return this.#inFlight < messagesInFlight && this.#charsInFlight + length <= charsInFlight
  }

  closed(): void {
    this.#socket = null
    this.#queue.length = 0
    this.#subscriptions.close()
    this.#onClosed(this)
  }

  send(text: string): void {
    this.#socket?.send(text)
  }

  untilBlocksAreKnown(): Promise<void> | null {
    return this.#services.routeOf(this.endpoint)?.tip?.told() ?? null
  }

  /** Returns the credits charged for one notification of this method. */
  price(method: string): number {
    return this.#services.endpoints.find(this.endpoint)?.priceOf(method) ?? 0
  }

  stopped(why: LimitName | 'unavailable'): void {
    if (why === 'unavailable') this.#close(closeCodes.tryAgainLater, closeReasons.limitsUnavailable)
    else this.#close(closeCodes.policy, closeReasons[why])
  }

  /** Drops all messages but those in flight, and closes when these are answered. */
  drain(): void {
    this.#isDraining = true
    this.#queue.length = 0
    if (this.#inFlight === 0) this.closeNow()
  }

  closeNow(): void {
    this.#close(closeCodes.goingAway, closeReasons.leaving)
  }

  /** Closes the WebSocket if it may not be open any more; called about twice a second. */
  async recheck(): Promise<void> {
    try {
      if (await this.#isAllowed()) this.#recheckUpstream()
    } catch (error) {
      // An open WebSocket stays open while the database is away.
      if (!(error instanceof Fault)) this.failed(error)
    }
  }

  /** Closes the WebSocket after an unexpected error. */
  failed(error: unknown): void {
    if (error instanceof Fault) return this.#close(closeCodes.tryAgainLater, closeReasons.unavailable)
    this.#services.log.error('a WebSocket failed', { error })
    this.#close(closeCodes.internal, closeReasons.failed)
  }

  async #answer(text: string): Promise<void> {
    this.#inFlight++
    this.#charsInFlight += text.length
    try {
      if (await this.#isAllowed()) await this.#relay(text)
    } catch (error) {
      this.failed(error)
    } finally {
      this.#inFlight--
      this.#charsInFlight -= text.length
      this.#next()
    }
  }

  #next(): void {
    if (this.#isDraining) return this.drain()
    if (this.#socket === null) return
    for (let next = this.#queue[0]; next !== undefined && this.#hasRoomFor(next); next = this.#queue[0]) {
      this.#queue.shift()
      this.#queuedChars -= next.length
      void this.#answer(next)
    }
  }

  async #relay(text: string): Promise<void> {
    const { endpoints, relayCalls, relayMetrics } = this.#services
    const endpoint = endpoints.find(this.endpoint)
    if (endpoint === undefined) return this.#close(closeCodes.policy, closeReasons.endpointGone)
    const bytes = Buffer.byteLength(text)
    const waiter = {
      requestId: `${this.#opening.requestId}.${++this.#messages}`,
      allowSeconds: () => undefined,
    }
    const maxBytes = endpoint.bodyBounds.some
    if (bytes > maxBytes) return this.#refuseTooLong(text, { bytes, maxBytes }, waiter)
    const created: string[] = []
    const reply = await relayCalls(this.key, endpoint, text, bytes, waiter, this.#forwardTo(created))
    relayMetrics.countRequest(reply.outcome)
    if (reply.text !== null) this.send(reply.text)
    for (const id of created) this.#subscriptions.announce(id)
  }

  /** As a body that is too long is refused, but by the id of the call, which is all that tells answers apart here. */
  #refuseTooLong(
    text: string,
    { bytes, maxBytes }: { readonly bytes: number; readonly maxBytes: number },
    waiter: { readonly requestId: string },
  ): void {
    const { relayMetrics, requestLog, settings } = this.#services
    relayMetrics.countRequest('unreadable')
    requestLog.add(refusedRequest(this.key, waiter, 'invalid', 413, bytes))
    const parsed = parseRequest(text, settings)
    const id = parsed.kind === 'calls' && !parsed.isBatch ? parsed.entries[0]?.id : null
    this.send(errorAnswer(id ?? 'null', rpcErrorText(requestBodyTooLarge(maxBytes))))
  }

  /** Forwards what has to do with streams over a WebSocket, and all other calls as those of HTTP callers. */
  #forwardTo(created: string[]): ForwardCalls {
    return async (calls, route, context) => {
      const others = calls.filter(({ facts }) => facts.kind !== 'subscribe')
      if (others.length === calls.length) return await forward(calls, route, context)
      const streams = calls.filter(({ facts }) => facts.kind === 'subscribe')
      const failures = await Promise.all([
        ...streams.map((call) => this.#subscriptions.answer(call, route, context.deadlineAt, created)),
        others.length === 0 ? null : forward(others, route, context),
      ])
      return calls.some(({ outcome }) => outcome !== 'unanswered')
        ? null
        : (failures.find((failure) => failure !== null) ?? null)
    }
  }

  /** Takes over changes of the key. Throws Fault `unavailable` when the key cannot be looked up. */
  async #isAllowed(): Promise<boolean> {
    const { value, caller } = this.#opening
    const authorizing = this.#services.keys.authorize(value, this.endpoint, caller)
    const authorization = authorizing instanceof Promise ? await authorizing : authorizing
    if (authorization.kind !== 'allowed') {
      this.#close(closeCodes.policy, closeReasons[authorization.kind])
      return false
    }
    this.key = authorization.key
    return this.#socket !== null
  }

  /** Subscriptions must not stay with a node that is DOWN, silent, or no upstream any more. */
  #recheckUpstream(): void {
    const endpoint = this.#services.endpoints.find(this.endpoint)
    if (endpoint === undefined) this.#close(closeCodes.policy, closeReasons.endpointGone)
    else this.#subscriptions.recheck()
  }

  #close(code: CloseCode, reason: string): void {
    this.#subscriptions.close()
    this.#socket?.close(code, reason)
    this.#socket = null
  }
}
