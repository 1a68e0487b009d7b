import type { CheckedTarget } from '../../platform/egress.ts'
import type { EndpointRoute } from '../forward/endpoint-route.ts'
import type { UpstreamFailure } from '../forward/upstream-request.ts'
import { errorText } from '../errors.ts'
import type { Item } from '../item.ts'
import type { RelaySettings } from '../settings.ts'
import { choose } from '../upstreams/choose.ts'
import { secretsOf, withoutSecrets } from '../upstreams/secrets.ts'
import type { Upstream } from '../../endpoints/endpoints.ts'
import type { DecisionOf } from '../parties.ts'
import type { CallAnswer } from '../answers/answer-reader.ts'
import { PendingAsks } from './pending-asks.ts'
import { readMessage, textOf } from './read-message.ts'
import { noSubscription, tooManySubscriptions, unanswered } from './socket-errors.ts'
import { dialUpstream, type UpstreamSocket } from './upstream-socket.ts'

export interface SubscriptionsWorld {
  readonly resolve: (url: string) => Promise<CheckedTarget>
  readonly now: () => number
  readonly random: () => number
  readonly settings: RelaySettings
}

/** Who has subscribed. */
export interface Subscriber {
  /** `params`: JSON text. In the order in which the upstream sent them. */
  notified(params: string): void
  /** Notifications were or may have been lost: the upstream is gone. */
  lost(): void
}

/** A subscription whose id its subscriber may not know yet; what arrives until then waits. */
interface Subscription {
  early: string[] | null
}

const maxEarly = 1_000

/**
 * The subscriptions of one WebSocket of a caller, over a WebSocket of its own to an upstream: so their ids cannot meet
 * those of others. It is opened when it is needed first.
 */
export class Subscriptions {
  readonly #subscriber: Subscriber
  readonly #world: SubscriptionsWorld
  readonly #active = new Map<string, Subscription>()
  readonly #asks = new PendingAsks()
  /** What came, by subscription, before the node said that it has such a one. */
  readonly #strays = new Map<string, string[]>()
  #beingMade = 0
  /** How many had to wait since the last time that none was being made. */
  #earlyCount = 0
  #upstream: Upstream | null = null
  /** At some time since its WebSocket was opened. */
  #wasUp = false
  #socket: UpstreamSocket | null = null
  #opening: Promise<UpstreamSocket | null> | null = null
  #isClosed = false

  constructor(subscriber: Subscriber, world: SubscriptionsWorld) {
    this.#subscriber = subscriber
    this.#world = world
  }

  get size(): number {
    return this.#active.size
  }

  /**
   * Whether they are with a node that is none of these any more, or that went down since and there is another one. One
   * that was down when nothing better could be reached is kept.
   */
  areMisplaced(upstreams: readonly Upstream[], decisionOf: DecisionOf): boolean {
    const mine = this.#upstream
    if (mine === null || this.size === 0) return false
    const isDown = ({ serviceId }: Upstream) => serviceId !== null && decisionOf(serviceId) === 'DOWN'
    if (!upstreams.some((one) => isSame(one, mine))) return true
    if (!isDown(mine)) this.#wasUp = true
    return this.#wasUp && isDown(mine) && upstreams.some((one) => one.webSocketUrl !== null && !isDown(one))
  }

  /**
   * Gets an `eth_subscribe` answered. Resolves to why it was not. The id of the new subscription is added to `made`: its
   * notifications wait until `announce`.
   */
  async subscribe(
    item: Item,
    route: EndpointRoute,
    deadlineAt: number,
    made: string[],
  ): Promise<UpstreamFailure | null> {
    const { subscriptions: most } = this.#world.settings
    if (this.#active.size + this.#beingMade >= most) {
      item.refuse(errorText(tooManySubscriptions(most)))
      return null
    }
    this.#beingMade++
    try {
      const socket = await this.#connected(route, deadlineAt)
      if (socket === null) {
        item.refuse(errorText(unanswered))
        return 'connect'
      }
      return await this.#ask(item, socket, deadlineAt, (answer) => {
        const id = answer.isError ? null : textOf(answer.text)
        if (id === null) return
        this.#active.set(id, { early: this.#strays.get(id) ?? [] })
        made.push(id)
      })
    } finally {
      this.#beingMade--
      if (this.#beingMade === 0) this.#forgetStrays()
    }
  }

  #forgetStrays(): void {
    this.#strays.clear()
    this.#earlyCount = 0
  }

  /** Gets an `eth_unsubscribe` answered. */
  async unsubscribe(item: Item, deadlineAt: number): Promise<UpstreamFailure | null> {
    const id = firstText(item.params)
    if (this.#socket === null || id === null || !this.#active.has(id)) {
      item.refuse(errorText(noSubscription))
      return null
    }
    return await this.#ask(item, this.#socket, deadlineAt, (answer) => {
      if (!answer.isError) this.#active.delete(id)
    })
  }

  /** The caller knows of the subscription now: its notifications may follow. */
  announce(id: string): void {
    const subscription = this.#active.get(id)
    if (subscription === undefined) return
    const early = subscription.early ?? []
    subscription.early = null
    for (const params of early) this.#subscriber.notified(params)
  }

  close(): void {
    this.#isClosed = true
    this.#active.clear()
    this.#socket?.close()
  }

  async #ask(
    item: Item,
    socket: UpstreamSocket,
    deadlineAt: number,
    onAnswer: (answer: CallAnswer) => void,
  ): Promise<UpstreamFailure | null> {
    const { firstByteMs } = this.#world.settings
    const waitMs = Math.max(1, Math.min(firstByteMs, deadlineAt - this.#world.now()))
    // Late, an answer would open a subscription that nobody knows of: that upstream is given up.
    const { id, answered } = this.#asks.open(waitMs, onAnswer, () => socket.close())
    socket.send(item.requestAs(id))
    const answer = await answered
    if (answer === null) {
      item.refuse(errorText(unanswered))
      return 'closed'
    }
    if (answer.isError) item.takeError(withoutSecrets(answer.text, this.#secrets()))
    else item.takeResult(answer.text)
    return null
  }

  #secrets(): readonly string[] {
    if (this.#upstream === null) return []
    const { url, webSocketUrl, headers } = this.#upstream
    return [...secretsOf({ url, headers }), ...secretsOf({ url: webSocketUrl ?? url, headers })]
  }

  async #connected(route: EndpointRoute, deadlineAt: number): Promise<UpstreamSocket | null> {
    if (this.#socket !== null) return this.#socket
    this.#opening ??= this.#open(route, deadlineAt).finally(() => {
      this.#opening = null
    })
    return await this.#opening
  }

  /** As calls are: health first. Those that cannot be reached are passed over. */
  async #open(route: EndpointRoute, deadlineAt: number): Promise<UpstreamSocket | null> {
    const { resolve, now, random, settings } = this.#world
    const { lines, endpoint } = route
    let tried = 0
    while (now() < deadlineAt) {
      const place = choose(lines, tried, true, random())
      const upstream = endpoint.upstreams[place]
      if (upstream === undefined) return null
      tried |= 1 << place
      if (upstream.webSocketUrl === null) continue
      const { connectMs, heartbeatMs, notificationChars: maxChars } = settings
      const socket = await dialUpstream(
        { url: upstream.webSocketUrl, headers: upstream.headers, resolve, connectMs, heartbeatMs, maxChars },
        { received: (text) => this.#received(text), ended: () => this.#ended() },
      )
      if (this.#isClosed) socket?.close()
      else if (socket !== null) {
        this.#upstream = upstream
        this.#wasUp = lines[place]?.decision !== 'DOWN'
        this.#socket = socket
        return socket
      }
    }
    return null
  }

  #received(text: string): void {
    const message = readMessage(text)
    if (message === null) return
    if (message.kind === 'answer') return this.#asks.answer(message.id, message.answer)
    const { subscription: id, params } = message
    const subscription = this.#active.get(id)
    if (subscription?.early === null) return this.#subscriber.notified(params)
    if (subscription !== undefined) subscription.early.push(params)
    else if (this.#beingMade > 0) this.#strays.set(id, [...(this.#strays.get(id) ?? []), params])
    else return // of one that has just been ended
    if (++this.#earlyCount > maxEarly) this.#socket?.close()
  }

  #ended(): void {
    const hadAny = this.#active.size > 0
    this.#socket = null
    this.#upstream = null
    this.#active.clear()
    this.#asks.failAll()
    if (hadAny && !this.#isClosed) this.#subscriber.lost()
  }
}

const isSame = (one: Upstream, other: Upstream): boolean =>
  one.webSocketUrl === other.webSocketUrl && Bun.deepEquals(one.headers, other.headers)

/** The first parameter, where it is a text. */
function firstText(params: string): string | null {
  const values: unknown = params === '' ? null : JSON.parse(params)
  const [first] = Array.isArray(values) ? (values as unknown[]) : []
  return typeof first === 'string' ? first : null
}
