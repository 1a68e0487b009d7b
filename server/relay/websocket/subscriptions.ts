import { parseJson } from '../../platform/json.ts'
import { unpredictableId } from '../../platform/json-rpc-ids.ts'
import { rpcErrorText } from '../errors.ts'
import type { EndpointRoute } from '../forward/endpoint-route.ts'
import type { UpstreamFailure } from '../forward/attempt-class.ts'
import { endOfValue, skipSpace } from '../../platform/json/value-end.ts'
import type { OpensStream, StreamNames } from '../methods/stream-role.ts'
import type { RpcCall } from '../rpc-call.ts'
import type { SharedFilter, SharedStreams } from './chain-streams.ts'
import { NodeStreams } from './node-streams.ts'
import { type Notification, streamNameOf } from './read-message.ts'
import type { NodeStreamsServices, Stream } from './stream.ts'
import {
  noSubscription,
  noWebSocket,
  streamNotRelayed,
  subscriptionWithoutId,
  tooManySubscriptions,
  unansweredBySocket,
} from './socket-errors.ts'

export interface SubscriptionServices extends NodeStreamsServices {
  readonly sharedStreams: SharedStreams
}

/** The caller's side of subscriptions. */
export interface Subscriber {
  /** `id` is the JSON text by which the caller knows the subscription. */
  notify(notification: Notification, id: string): void
  /** Is called when no node can go on, and notifications were or may have been lost. */
  upstreamLost(): void
}

/** A subscription. Its notifications wait in `early` until the subscriber knows its id; then it is null. */
interface Subscription {
  /** The JSON text. */
  readonly id: string
  early: Notification[] | null
  /** Whether the node has ended it before the subscriber knew its id. */
  isEnded: boolean
  /** What is at a node for this subscription alone; null: it is shared. */
  stream: Stream | null
  leave(): void
}

const maxEarly = 1_000

/**
 * The subscriptions of one WebSocket of a caller. Their ids are our own, so that they stay the same when another node goes on.
 * New blocks and logs of EVM chains are shared with other callers (`chain-streams.ts`), all others have a WebSocket of
 * their own to a node (`node-streams.ts`).
 */
export class Subscriptions {
  readonly #subscriber: Subscriber
  readonly #services: SubscriptionServices
  /** By what the caller closes them with. */
  readonly #active = new Map<string, Subscription>()
  /** How many are being opened. */
  #opening = 0
  #own: NodeStreams | null = null
  #isClosed = false

  constructor(subscriber: Subscriber, services: SubscriptionServices) {
    this.#subscriber = subscriber
    this.#services = services
  }

  get size(): number {
    return this.#active.size
  }

  /** Leaves nodes that are not good any more. */
  recheck(): void {
    this.#own?.recheck()
  }

  /**
   * Gets a call answered that has to do with streams; resolves to why it was not, null when it was. Whatever it opens is added to
   * `created`, and its notifications wait until `announce`.
   */
  async answer(
    call: RpcCall,
    route: EndpointRoute,
    within: number,
    created: string[],
  ): Promise<UpstreamFailure | null> {
    const { stream: role, terms } = call.facts
    const deadlineAt = Math.min(within, this.#services.now() + terms.firstByteMs)
    if (role === null) call.reject(rpcErrorText(streamNotRelayed(call.method)))
    else if (role.kind === 'closes') this.#unsubscribe(call, role.result)
    else if (role.kind === 'uses') return await this.#use(call, route, deadlineAt, role.place)
    else return await this.#subscribe(call, role, { route, deadlineAt, created })
    return null
  }

  async #subscribe(
    call: RpcCall,
    role: OpensStream,
    { route, deadlineAt, created }: { route: EndpointRoute; deadlineAt: number; created: string[] },
  ): Promise<UpstreamFailure | null> {
    const { subscriptions: most } = this.#services.settings
    if (call.id === null) return rejected(call, rpcErrorText(subscriptionWithoutId))
    if (this.#active.size + this.#opening >= most)
      return rejected(call, rpcErrorText(tooManySubscriptions(most)))
    if (route.endpoint.upstreams.every(({ webSocketUrl }) => webSocketUrl === null))
      return rejected(call, rpcErrorText(noWebSocket))
    const id = idText(role.names, call.id)
    const key = (role.names === 'request' ? queryIn(call.params) : streamNameOf(id)) ?? id
    this.#opening++
    try {
      const { subscription, ...opened } = await this.#open(call, role, { id, key, route, deadlineAt })
      if (opened.kind === 'unanswered') {
        call.reject(rpcErrorText(unansweredBySocket))
        return opened.failure
      }
      if (opened.kind === 'error') {
        call.setError(opened.text)
        return null
      }
      call.setResult(role.names === 'request' ? '{}' : id)
      if (this.#isClosed) subscription.leave()
      else this.#active.set(key, subscription)
      created.push(key)
      return null
    } finally {
      this.#opening--
    }
  }

  async #open(
    { method, params }: RpcCall,
    role: OpensStream,
    at: { id: string; key: string; route: EndpointRoute; deadlineAt: number },
  ) {
    const { id, key, route, deadlineAt } = at
    const { name: endpoint, family } = route.endpoint
    const subscription: Subscription = { id, early: [], isEnded: false, stream: null, leave: () => undefined }
    const listener = {
      told: (notification: Notification) => this.#told(subscription, notification),
      ended: () => this.#ended(key, subscription),
      lost: () => this.#subscriber.upstreamLost(),
    }
    const shared = family === 'evm' && method === 'eth_subscribe' ? sharedFilterOf(params) : undefined
    if (shared !== undefined) {
      const joined = await this.#services.sharedStreams.of(endpoint).join(shared, listener, deadlineAt)
      if (joined.kind === 'joined') subscription.leave = joined.leave
      return { ...joined, subscription }
    }
    const own = (this.#own ??= new NodeStreams(endpoint, this.#services))
    const request = { method, params: params === '' ? '[]' : params, role }
    const opened = await own.open(request, listener, deadlineAt)
    if (opened.kind === 'opened') {
      subscription.stream = opened.stream
      subscription.leave = () => own.close(opened.stream)
    }
    return { ...opened, subscription }
  }

  #told(subscription: Subscription, notification: Notification): void {
    const { early, id } = subscription
    if (early === null) return this.#subscriber.notify(notification, id)
    early.push(notification)
    if (early.length > maxEarly) this.#subscriber.upstreamLost()
  }

  #ended(key: string, subscription: Subscription): void {
    if (subscription.early !== null) subscription.isEnded = true
    else if (this.#active.get(key) === subscription) this.#active.delete(key)
  }

  #unsubscribe(call: RpcCall, result: string): void {
    if (call.method === 'unsubscribe_all') {
      for (const { leave } of this.#active.values()) leave()
      this.#active.clear()
      return call.setResult(result)
    }
    const key = queryIn(call.params) ?? firstName(call.params)
    const subscription = key === null ? undefined : this.#active.get(key)
    if (key === null || subscription === undefined) return call.reject(rpcErrorText(noSubscription))
    this.#active.delete(key)
    subscription.leave()
    call.setResult(result)
  }

  /** Calls a method that needs the node of the caller's streams. */
  async #use(
    call: RpcCall,
    route: EndpointRoute,
    deadlineAt: number,
    place: 'stream' | 'connection',
  ): Promise<UpstreamFailure | null> {
    const key = place === 'stream' ? firstName(call.params) : null
    const subscription = key === null ? undefined : this.#active.get(key)
    if (place === 'stream' && subscription === undefined) return rejected(call, rpcErrorText(noSubscription))
    const own = (this.#own ??= new NodeStreams(route.endpoint.name, this.#services))
    const params = (): string | null => {
      if (subscription === undefined) return call.params === '' ? '[]' : call.params
      const name = subscription.stream?.name ?? null
      return name === null ? null : withFirst(call.params, JSON.stringify(name))
    }
    const answer = await own.call(call.method, params, deadlineAt)
    if (answer === null) {
      call.reject(rpcErrorText(unansweredBySocket))
      return 'closed'
    }
    if (answer.isError) call.setError(answer.text)
    else call.setResult(answer.text)
    return null
  }

  /** Sends the notifications of a subscription from now on, because the caller has received its id. */
  announce(key: string): void {
    const subscription = this.#active.get(key)
    if (subscription === undefined) return
    const early = subscription.early ?? []
    subscription.early = null
    for (const notification of early) this.#subscriber.notify(notification, subscription.id)
    if (subscription.isEnded) this.#active.delete(key)
  }

  close(): void {
    this.#isClosed = true
    for (const { leave } of this.#active.values()) leave()
    this.#active.clear()
    this.#own?.closeAll()
  }
}

function rejected(call: RpcCall, error: string): null {
  call.reject(error)
  return null
}

/** Returns the JSON text of an id as nodes of the family write it. */
function idText(names: StreamNames, requestId: string): string {
  const id = unpredictableId()
  switch (names) {
    case 'hex':
      return `"0x${BigInt(id).toString(16)}"`
    case 'number':
      return id
    case 'text':
    case 'digits':
      return `"${id}"`
    case 'request':
      return requestId
  }
}

/** Returns what a subscription can share with those of others, undefined when it can share nothing. */
function sharedFilterOf(params: string): SharedFilter | undefined {
  const values: unknown = parseJson(params)
  if (!Array.isArray(values)) return undefined
  const [kind, filter = {}] = values as unknown[]
  if (kind === 'newHeads') return values.length === 1 ? null : undefined
  const isFilter = typeof filter === 'object' && filter !== null && !Array.isArray(filter)
  return kind === 'logs' && isFilter && values.length <= 2 ? (filter as SharedFilter) : undefined
}

/** Returns the query by which CometBFT's subscriptions are known; null without one. */
function queryIn(params: string): string | null {
  const value: unknown = parseJson(params)
  const query: unknown = typeof value === 'object' && value !== null && 'query' in value ? value.query : null
  return typeof query === 'string' ? query : null
}

/** Returns the first parameter, or the id that is given by name, if it can be the name of a stream, else null. */
function firstName(params: string): string | null {
  const value: unknown = parseJson(params)
  if (typeof value !== 'object' || value === null) return null
  const first: unknown = Array.isArray(value)
    ? (value as unknown[])[0]
    : 'subscription_id' in value && value.subscription_id
  return typeof first === 'string' || typeof first === 'number' ? String(first) : null
}

/** Returns a list of parameters with another first one. All are JSON texts. */
function withFirst(params: string, first: string): string {
  const from = skipSpace(params, 1)
  return `[${first}${params.slice(endOfValue(params, from, 1))}`
}
