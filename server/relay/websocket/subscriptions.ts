import type { CheckedTarget } from '../../platform/egress.ts'
import { dialWebSocket, type DialledSocket } from '../../platform/http-client/web-socket-client.ts'
import type { Upstream } from '../../endpoints/endpoints.ts'
import { rpcErrorText } from '../errors.ts'
import type { EndpointRoute } from '../forward/endpoint-route.ts'
import type { UpstreamFailure } from '../forward/attempt-class.ts'
import type { DecisionOf } from '../ports.ts'
import type { RpcCall } from '../rpc-call.ts'
import type { RelaySettings } from '../settings.ts'
import { observeNotification } from '../tip/observe-answer.ts'
import { chooseUpstream } from '../upstreams/choose.ts'
import { secretsOf, withoutSecrets } from '../upstreams/secrets.ts'
import type { UpstreamAnswer } from '../upstreams/upstream-response.ts'
import { PendingCalls } from './pending-calls.ts'
import { readMessage, stringValueOf } from './read-message.ts'
import { noSubscription, tooManySubscriptions, unansweredBySocket } from './socket-errors.ts'

export interface SubscriptionServices {
  readonly resolve: (url: string) => Promise<CheckedTarget>
  readonly now: () => number
  readonly random: () => number
  readonly settings: RelaySettings
}

/** The caller's side of subscriptions. */
export interface Subscriber {
  /** Receives notifications in the order in which the upstream sent them. `params` is a JSON text. */
  notify(params: string): void
  /** Is called when the upstream is gone, and notifications were or may have been lost. */
  upstreamLost(): void
}

/** A subscription. Its notifications wait in `early` until the subscriber knows its id; then it is null. */
interface Subscription {
  early: string[] | null
}

const maxEarly = 1_000

/**
 * The subscriptions of one WebSocket of a caller. They have a WebSocket of their own to an upstream, so that their ids
 * cannot collide with those of other callers. It is opened for the first subscription.
 */
export class Subscriptions {
  readonly #subscriber: Subscriber
  readonly #services: SubscriptionServices
  readonly #active = new Map<string, Subscription>()
  readonly #pending = new PendingCalls()
  /** Notifications by subscription id that came before the answer to their `eth_subscribe`. */
  readonly #unclaimed = new Map<string, string[]>()
  /** How many `eth_subscribe` calls are in flight. */
  #creating = 0
  /** How many notifications had to wait since the last time that no subscription was being created. */
  #earlyCount = 0
  #upstream: Upstream | null = null
  /** Is told of each notification. */
  #observe: (params: string) => void = () => undefined
  /** Whether the upstream was not DOWN at some time since its WebSocket was opened. */
  #wasUp = false
  #socket: DialledSocket | null = null
  #opening: Promise<DialledSocket | null> | null = null
  #isClosed = false

  constructor(subscriber: Subscriber, services: SubscriptionServices) {
    this.#subscriber = subscriber
    this.#services = services
  }

  get size(): number {
    return this.#active.size
  }

  /**
   * Returns whether the upstream is none of `upstreams` any more, or went DOWN while another one is not. An upstream that
   * was DOWN from the start, when nothing better could be reached, is kept.
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
   * Gets an `eth_subscribe` answered; resolves to why it was not, null when it was. The id of the new subscription is
   * added to `created`, and its notifications wait until `announce`.
   */
  async subscribe(
    call: RpcCall,
    route: EndpointRoute,
    deadlineAt: number,
    created: string[],
  ): Promise<UpstreamFailure | null> {
    const { subscriptions: most } = this.#services.settings
    if (this.#active.size + this.#creating >= most) {
      call.reject(rpcErrorText(tooManySubscriptions(most)))
      return null
    }
    this.#creating++
    try {
      const socket = await this.#connected(route, deadlineAt)
      if (socket === null) {
        call.reject(rpcErrorText(unansweredBySocket))
        return 'connect'
      }
      return await this.#call(call, socket, deadlineAt, (answer) => {
        const id = answer.isError ? null : stringValueOf(answer.text)
        if (id === null) return
        this.#active.set(id, { early: this.#unclaimed.get(id) ?? [] })
        created.push(id)
      })
    } finally {
      this.#creating--
      if (this.#creating === 0) this.#dropUnclaimed()
    }
  }

  #dropUnclaimed(): void {
    this.#unclaimed.clear()
    this.#earlyCount = 0
  }

  /** Gets an `eth_unsubscribe` answered; resolves to why it was not, null when it was. */
  async unsubscribe(call: RpcCall, deadlineAt: number): Promise<UpstreamFailure | null> {
    const id = firstString(call.params)
    if (this.#socket === null || id === null || !this.#active.has(id)) {
      call.reject(rpcErrorText(noSubscription))
      return null
    }
    return await this.#call(call, this.#socket, deadlineAt, (answer) => {
      if (!answer.isError) this.#active.delete(id)
    })
  }

  /** Sends the notifications of a subscription from now on, because the caller has received its id. */
  announce(id: string): void {
    const subscription = this.#active.get(id)
    if (subscription === undefined) return
    const early = subscription.early ?? []
    subscription.early = null
    for (const params of early) this.#subscriber.notify(params)
  }

  close(): void {
    this.#isClosed = true
    this.#active.clear()
    this.#socket?.close()
  }

  async #call(
    call: RpcCall,
    socket: DialledSocket,
    deadlineAt: number,
    onAnswer: (answer: UpstreamAnswer) => void,
  ): Promise<UpstreamFailure | null> {
    const waitMs = Math.max(1, Math.min(call.facts.terms.firstByteMs, deadlineAt - this.#services.now()))
    // An answer after the timeout would create a subscription that the caller does not know, so the socket is closed.
    const { id, answered } = this.#pending.open(waitMs, onAnswer, () => socket.close())
    socket.send(call.requestAs(id))
    const answer = await answered
    if (answer === null) {
      call.reject(rpcErrorText(unansweredBySocket))
      return 'closed'
    }
    if (answer.isError) call.setError(withoutSecrets(answer.text, this.#secrets()))
    else call.setResult(answer.text)
    return null
  }

  #secrets(): readonly string[] {
    if (this.#upstream === null) return []
    const { url, webSocketUrl, headers } = this.#upstream
    return [...secretsOf({ url, headers }), ...secretsOf({ url: webSocketUrl ?? url, headers })]
  }

  async #connected(route: EndpointRoute, deadlineAt: number): Promise<DialledSocket | null> {
    if (this.#socket !== null) return this.#socket
    this.#opening ??= this.#open(route, deadlineAt).finally(() => {
      this.#opening = null
    })
    return await this.#opening
  }

  /** Chooses upstreams as calls do, health first, and skips those that cannot be reached. */
  async #open(route: EndpointRoute, deadlineAt: number): Promise<DialledSocket | null> {
    const { resolve, now, random, settings } = this.#services
    const { clients, endpoint } = route
    let tried = 0
    while (now() < deadlineAt) {
      const index = chooseUpstream(clients, tried, true, random())
      const upstream = endpoint.upstreams[index]
      if (upstream === undefined) return null
      tried |= 1 << index
      if (upstream.webSocketUrl === null) continue
      const { connectMs, heartbeatMs, notificationChars: maxChars } = settings
      const socket = await dialWebSocket(
        { url: upstream.webSocketUrl, headers: upstream.headers, resolve, connectMs, heartbeatMs, maxChars },
        { received: (text) => this.#received(text), ended: () => this.#ended() },
      )
      if (this.#isClosed) socket?.close()
      else if (socket !== null) {
        this.#upstream = upstream
        this.#observe = (params) => route.tip && observeNotification(route.tip, params, index)
        this.#wasUp = clients[index]?.decision !== 'DOWN'
        this.#socket = socket
        return socket
      }
    }
    return null
  }

  #received(text: string): void {
    const message = readMessage(text)
    if (message === null) return
    if (message.kind === 'answer') return this.#pending.answer(message.id, message.answer)
    const { subscription: id, params } = message
    this.#observe(params)
    const subscription = this.#active.get(id)
    if (subscription?.early === null) return this.#subscriber.notify(params)
    if (subscription !== undefined) subscription.early.push(params)
    else if (this.#creating > 0) this.#unclaimed.set(id, [...(this.#unclaimed.get(id) ?? []), params])
    else return // It belongs to a subscription that has just ended.
    if (++this.#earlyCount > maxEarly) this.#socket?.close()
  }

  #ended(): void {
    const hadAny = this.#active.size > 0
    this.#socket = null
    this.#upstream = null
    this.#active.clear()
    this.#pending.failAll()
    if (hadAny && !this.#isClosed) this.#subscriber.upstreamLost()
  }
}

const isSame = (one: Upstream, other: Upstream): boolean =>
  one.webSocketUrl === other.webSocketUrl && Bun.deepEquals(one.headers, other.headers)

/** Returns the first parameter if it is a string, else null. */
function firstString(params: string): string | null {
  const values: unknown = params === '' ? null : JSON.parse(params)
  const [first] = Array.isArray(values) ? (values as unknown[]) : []
  return typeof first === 'string' ? first : null
}
