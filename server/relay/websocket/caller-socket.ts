import { closeCodes, type CloseCode, type OpenSocket, type SocketUser } from '../../http/web-socket.ts'
import type { LimitName } from '../../../shared/limits.ts'
import { Fault } from '../../platform/fault.ts'
import type { Log } from '../../platform/log.ts'
import { forward } from '../forward/forward.ts'
import type { Item } from '../item.ts'
import type { KeyCaller } from '../../keys/check.ts'
import type { DecisionOf, RelayEndpoints, RelayKey, RelayKeys } from '../parties.ts'
import type { PassOn, RelayCalls } from '../relay-calls.ts'
import type { RelayMetrics } from '../relay-metrics.ts'
import { Notifications, notificationMethod, type NotificationsWorld } from './notifications.ts'
import { closeReasons } from './socket-errors.ts'
import { Subscriptions, type SubscriptionsWorld } from './subscriptions.ts'

export interface CallerSocketWorld extends NotificationsWorld, SubscriptionsWorld {
  readonly keys: RelayKeys
  readonly endpoints: RelayEndpoints
  readonly relayCalls: RelayCalls
  readonly numbers: RelayMetrics
  readonly decisionOf: DecisionOf
  readonly log: Log
}

/** With what it was opened. */
export interface Opening {
  readonly value: string
  readonly key: RelayKey
  readonly endpoint: string
  readonly caller: KeyCaller
}

/** One WebSocket of a caller: each message is relayed as an HTTP request with the same body would be. */
export class CallerSocket implements SocketUser {
  readonly keyId: string
  key: RelayKey
  readonly endpoint: string
  readonly #opening: Opening
  readonly #world: CallerSocketWorld
  readonly #subscriptions: Subscriptions
  readonly #notifications: Notifications
  readonly #waiting: string[] = []
  readonly #onClosed: (socket: CallerSocket) => void
  #charsWaiting = 0
  #underWay = 0
  #socket: OpenSocket | null = null
  #isLeaving = false

  constructor(opening: Opening, world: CallerSocketWorld, onClosed: (socket: CallerSocket) => void) {
    this.keyId = opening.key.id
    this.key = opening.key
    this.endpoint = opening.endpoint
    this.#opening = opening
    this.#world = world
    this.#onClosed = onClosed
    this.#subscriptions = new Subscriptions(
      {
        notified: (params) => this.#notifications.pass(params),
        lost: () => this.#close(closeCodes.restart, closeReasons.upstreamLost),
      },
      world,
    )
    this.#notifications = new Notifications(this, world)
  }

  get subscriptions(): number {
    return this.#subscriptions.size
  }

  opened(socket: OpenSocket): void {
    this.#socket = socket
  }

  received(text: string): void {
    if (this.#socket === null || this.#isLeaving) return
    const { messagesUnderWay, messagesWaiting, charsWaiting } = this.#world.settings
    if (this.#underWay < messagesUnderWay) return void this.#answer(text)
    this.#waiting.push(text)
    this.#charsWaiting += text.length
    if (this.#waiting.length > messagesWaiting || this.#charsWaiting > charsWaiting)
      this.#close(closeCodes.policy, closeReasons.tooManyMessages)
  }

  closed(): void {
    this.#socket = null
    this.#waiting.length = 0
    this.#subscriptions.close()
    this.#onClosed(this)
  }

  send(text: string): void {
    this.#socket?.send(text)
  }

  /** Of a notification. */
  price(): number {
    return this.#world.endpoints.find(this.endpoint)?.priceOf(notificationMethod) ?? 0
  }

  stopped(why: LimitName | 'unavailable'): void {
    if (why === 'unavailable') this.#close(closeCodes.tryAgainLater, closeReasons.limitsUnavailable)
    else this.#close(closeCodes.policy, closeReasons[why])
  }

  /** Takes no more messages, and closes when those that came are answered. */
  leave(): void {
    this.#isLeaving = true
    this.#waiting.length = 0
    if (this.#underWay === 0) this.closeNow()
  }

  closeNow(): void {
    this.#close(closeCodes.goingAway, closeReasons.leaving)
  }

  /** Looks whether it may still be open: asked about twice a second. */
  async recheck(): Promise<void> {
    try {
      if (await this.#isAllowed()) this.#recheckUpstream()
    } catch (error) {
      // What was open stays so while the database is away.
      if (!(error instanceof Fault)) this.failed(error)
    }
  }

  /** By a mistake of ours. */
  failed(error: unknown): void {
    if (error instanceof Fault) return this.#close(closeCodes.tryAgainLater, closeReasons.unavailable)
    this.#world.log.error('a WebSocket failed', { error })
    this.#close(closeCodes.internal, closeReasons.failed)
  }

  async #answer(text: string): Promise<void> {
    this.#underWay++
    try {
      if (await this.#isAllowed()) await this.#relay(text)
    } catch (error) {
      this.failed(error)
    } finally {
      this.#underWay--
      this.#next()
    }
  }

  #next(): void {
    if (this.#isLeaving) return this.leave()
    const next = this.#waiting.shift()
    if (next === undefined || this.#socket === null) return
    this.#charsWaiting -= next.length
    void this.#answer(next)
  }

  async #relay(text: string): Promise<void> {
    const { endpoints, relayCalls, numbers } = this.#world
    const endpoint = endpoints.find(this.endpoint)
    if (endpoint === undefined) return this.#close(closeCodes.policy, closeReasons.endpointGone)
    const made: string[] = []
    const bytes = Buffer.byteLength(text)
    const reply = await relayCalls(this.key, endpoint, text, bytes, null, this.#passOn(made))
    numbers.countRequest(reply.outcome)
    if (reply.text !== null) this.send(reply.text)
    for (const id of made) this.#subscriptions.announce(id)
  }

  /** Subscriptions go by WebSocket, everything else as it goes for callers by HTTP. */
  #passOn(made: string[]): PassOn {
    return async (items, route, asking) => {
      const { deadlineAt } = asking
      const isEvm = route.endpoint.family === 'evm'
      const others = items.filter((item) => !isEvm || !isSubscribing(item))
      if (others.length === items.length) return await forward(items, route, asking)
      const ask = (item: Item) =>
        item.method === 'eth_subscribe'
          ? this.#subscriptions.subscribe(item, route, deadlineAt, made)
          : this.#subscriptions.unsubscribe(item, deadlineAt)
      const failures = await Promise.all([
        ...items.filter((item) => isSubscribing(item)).map(ask),
        forward(others, route, asking),
      ])
      return failures.find((failure) => failure !== null) ?? null
    }
  }

  /** A key that was changed meanwhile is used as it is now. Fault: `unavailable`. */
  async #isAllowed(): Promise<boolean> {
    const { value, caller } = this.#opening
    const asking = this.#world.keys.authorize(value, this.endpoint, caller)
    const verdict = asking instanceof Promise ? await asking : asking
    if (verdict.kind !== 'allowed') {
      this.#close(closeCodes.policy, closeReasons[verdict.kind])
      return false
    }
    this.key = verdict.key
    return this.#socket !== null
  }

  /** Subscriptions must not stay with a node that is known to be bad, or that is no upstream any more. */
  #recheckUpstream(): void {
    const endpoint = this.#world.endpoints.find(this.endpoint)
    if (endpoint === undefined) return this.#close(closeCodes.policy, closeReasons.endpointGone)
    if (this.#subscriptions.areMisplaced(endpoint.upstreams, this.#world.decisionOf))
      this.#close(closeCodes.restart, closeReasons.upstreamLost)
  }

  #close(code: CloseCode, reason: string): void {
    this.#subscriptions.close()
    this.#socket?.close(code, reason)
    this.#socket = null
  }
}

const isSubscribing = ({ method }: Item): boolean =>
  method === 'eth_subscribe' || method === 'eth_unsubscribe'
