import { observeNotification } from '../tip/observe-answer.ts'
import type { UpstreamAnswer } from '../upstreams/upstream-response.ts'
import { type NodeListener, type NodeSocket, openAnyNode } from './node-socket.ts'
import { type Notification, notificationOf, streamNameOf } from './read-message.ts'
import { Silence } from './silence.ts'
import {
  areGivenUp,
  type NodeStreamsServices,
  type OpenedStream,
  pauseMsAfter,
  type Recover,
  Stream,
  type StreamListener,
  type StreamRequest,
} from './stream.ts'

/** How many notifications may wait, for the answer that names their stream or for those before them. */
const maxWaiting = 1_000
/** A WebSocket that lasted so long was a good one. */
const goodMs = 10_000

/**
 * Streams from one node at a time, over a WebSocket that is open while there are any. When the node goes away, falls silent
 * or is DOWN, they go on from another one.
 */
export class NodeStreams implements NodeListener {
  readonly #endpoint: string
  readonly #services: NodeStreamsServices
  readonly #recover: Recover | null
  readonly #streams = new Set<Stream>()
  readonly #byName = new Map<string, Stream>()
  readonly #silence: Silence
  /** Notifications by the name of a stream whose opening is not answered yet. */
  readonly #unclaimed = new Map<string, Notification[]>()
  /** Notifications of a new node that wait until what came before them was told; null when none has to. */
  #held: (readonly [Stream, Notification])[] | null = null
  #waiting = 0
  /** How many streams are being opened. */
  #opening = 0
  #node: NodeSocket | null = null
  #connecting: Promise<NodeSocket | null> | null = null
  #recovering: Promise<void> | null = null
  /** Since when no WebSocket has been a good one; null: the last one was. */
  #troubleSince: number | null = null
  #openedAt = 0
  #isClosed = false

  constructor(endpoint: string, services: NodeStreamsServices, recover: Recover | null = null) {
    this.#endpoint = endpoint
    this.#services = services
    this.#recover = recover
    this.#silence = new Silence(services.now)
  }

  /** Opens a stream. The listener may be told of it before the promise resolves. */
  async open(request: StreamRequest, listener: StreamListener, deadlineAt: number): Promise<OpenedStream> {
    this.#opening++
    try {
      const node = await this.#connected(deadlineAt)
      if (node === null) return { kind: 'unanswered', failure: 'connect' }
      const stream = new Stream(request, listener)
      const answer = await this.#subscribe(stream, node, deadlineAt)
      if (answer === null) return { kind: 'unanswered', failure: 'closed' }
      if (answer.isError) return { kind: 'error', text: answer.text }
      const isOpen = stream.name !== null || stream.isEnded
      return isOpen ? { kind: 'opened', stream } : { kind: 'unanswered', failure: 'closed' }
    } finally {
      this.#opening--
      if (this.#opening === 0) this.#unclaimed.clear()
      if (this.#opening === 0 && this.#held === null) this.#waiting = 0
      this.#closeWithoutStreams()
    }
  }

  /** Closes a stream: its listener is told nothing any more. */
  close(stream: Stream): void {
    if (!this.#streams.has(stream)) return
    stream.isEnded = true
    if (this.#node !== null) stream.closeAt(this.#node, this.#services.settings.firstByteMs)
    this.#remove(stream)
    this.#closeWithoutStreams()
  }

  /** Calls a method at the node of the streams; null without an answer. */
  async call(
    method: string,
    paramsAt: () => string | null,
    deadlineAt: number,
  ): Promise<UpstreamAnswer | null> {
    this.#opening++
    try {
      const node = await this.#connected(deadlineAt)
      const params = paramsAt()
      return node === null || params === null
        ? null
        : await node.call(method, params, this.#waitMs(deadlineAt))
    } finally {
      this.#opening--
    }
  }

  /** Leaves a node that has fallen silent, went DOWN while another one is not, or is none of the endpoint's any more. */
  recheck(): void {
    const node = this.#node
    const route = this.#services.routeOf(this.#endpoint)
    if (node === null || route === null || this.#streams.size === 0 || this.#recovering !== null) return
    if (this.#silence.isBroken(route)) {
      this.#silence.leftNode()
      this.#suspect(node)
    } else if (!node.isMisplaced(route.endpoint.upstreams, this.#services.decisionOf)) return
    node.close()
  }

  closeAll(): void {
    this.#isClosed = true
    for (const stream of this.#streams) this.#remove(stream)
    this.#node?.close()
  }

  notified(name: string, notification: Notification, node: NodeSocket): void {
    if (node !== this.#node) return
    const stream = this.#byName.get(name)
    if (stream !== undefined) return this.#take(stream, notification)
    if (this.#opening === 0 && this.#held === null) return // It belongs to a stream that was just closed.
    this.#unclaimed.set(name, [...(this.#unclaimed.get(name) ?? []), notification])
    this.#countWaiting(node)
  }

  answeredAgain(id: string, answer: UpstreamAnswer, node: NodeSocket): void {
    const stream = node === this.#node ? this.#byName.get(id) : undefined
    const [method] = stream?.tells ?? []
    if (stream?.request.role.names !== 'request' || method === undefined) return
    const { isError, text } = answer.isError ? node.withoutSecrets(answer) : answer
    const after = `,"${isError ? 'error' : 'result'}":${text}}`
    this.#take(stream, notificationOf(method, '{"jsonrpc":"2.0","id":', after))
    if (isError) this.#finish(stream) // The node has given it up.
  }

  ended(node: NodeSocket): void {
    if (node !== this.#node) return
    this.#node = null
    this.#byName.clear()
    this.#unclaimed.clear()
    for (const stream of this.#streams) this.#leftBehind(stream)
    if (this.#recovering !== null || this.#streams.size === 0 || this.#isClosed) return
    this.#suspect(node)
    this.#recovering = this.#goOn(node).finally(() => {
      this.#recovering = null
      this.#closeWithoutStreams() // The last listener may have left meanwhile.
    })
  }

  #leftBehind(stream: Stream): void {
    stream.name = null
    if (stream.request.role.whenNodeIsGone === 'reopened') return
    this.#remove(stream)
    stream.endWithNode()
  }

  #suspect({ upstream: { serviceId } }: NodeSocket): void {
    if (serviceId !== null) this.#services.suspect(serviceId)
  }

  /** Opens all streams at another node, or the same one if no other takes them. Never rejects. */
  async #goOn(lostNode: NodeSocket): Promise<void> {
    const { now, settings } = this.#services
    const from = now()
    if (from - this.#openedAt >= goodMs) this.#troubleSince = null
    const until = (this.#troubleSince ??= from) + settings.resubscribeMs
    let left = 1 << lostNode.index
    for (const stream of this.#streams) stream.refusals = 0
    for (let failures = 0; this.#streams.size > 0 && !this.#isClosed; failures++) {
      const pauseMs = pauseMsAfter(failures)
      if (now() + pauseMs >= until) break
      if (pauseMs > 0) await Bun.sleep(pauseMs)
      const node = await this.#connect(until, left)
      if (node !== null && (await this.#reopenAll(node, until))) return
      node?.close()
      left = node === null ? 0 : left | (1 << node.index)
    }
    this.#held = null
    for (const stream of this.#streams) this.#lose(stream)
  }

  #lose(stream: Stream): void {
    this.#remove(stream)
    stream.listener.lost()
  }

  async #reopenAll(node: NodeSocket, deadlineAt: number): Promise<boolean> {
    this.#held = []
    this.#waiting = 0
    const streams = [...this.#streams]
    const answers = await Promise.all(streams.map((stream) => this.#subscribe(stream, node, deadlineAt)))
    if (answers.includes(null)) return false
    const refused = streams.filter((stream, place) => answers[place]?.isError && this.#streams.has(stream))
    for (const stream of refused) stream.refusals++
    if (refused.length > 0 && !areGivenUp(refused, streams)) return false
    for (const stream of refused) this.#lose(stream)
    if (this.#recover !== null && !(await this.#recover(node))) return false
    if (!node.isOpen) return false
    const held = this.#held
    this.#held = null
    if (this.#opening === 0) this.#unclaimed.clear()
    for (const [stream, notification] of held) {
      if (this.#streams.has(stream)) this.#deliver(stream, notification)
    }
    return true
  }

  async #subscribe(stream: Stream, node: NodeSocket, deadlineAt: number): Promise<UpstreamAnswer | null> {
    const { method, params, role } = stream.request
    return await node.call(method, params, this.#waitMs(deadlineAt), (answer, id, isLate) => {
      if (answer.isError || node !== this.#node) return
      const name = role.names === 'request' ? id : streamNameOf(answer.text)
      if (name === null) return
      stream.name = name
      if (isLate || stream.isEnded || this.#isClosed) {
        return stream.closeAt(node, this.#services.settings.firstByteMs)
      }
      this.#streams.add(stream)
      this.#byName.set(name, stream)
      if (role.isEveryBlock) this.#silence.expectBlocks()
      for (const notification of this.#unclaimed.get(name) ?? []) this.#take(stream, notification)
      this.#unclaimed.delete(name)
    })
  }

  #waitMs(deadlineAt: number): number {
    const { now, settings } = this.#services
    return Math.min(settings.firstByteMs, deadlineAt - now())
  }

  #take(stream: Stream, notification: Notification): void {
    if (!stream.tells.includes(notification.method)) return
    if (this.#held === null) return this.#deliver(stream, notification)
    this.#held.push([stream, notification])
    if (this.#node !== null) this.#countWaiting(this.#node)
  }

  /** A flood ends the WebSocket. */
  #countWaiting(node: NodeSocket): void {
    if (++this.#waiting > maxWaiting) node.close()
  }

  #deliver(stream: Stream, notification: Notification): void {
    const { isEveryBlock, ending } = stream.request.role
    const { before, after } = notification
    const tip = this.#services.routeOf(this.#endpoint)?.tip ?? null
    if (tip !== null && this.#node !== null) {
      // The id may come before what is told or after it.
      observeNotification(tip, before, this.#node.index)
      observeNotification(tip, after, this.#node.index)
    }
    if (isEveryBlock) this.#silence.heard(tip)
    stream.listener.told(notification)
    if (ending !== null && (ending.test(before) || ending.test(after))) this.#finish(stream)
  }

  #finish(stream: Stream): void {
    stream.isEnded = true
    this.#remove(stream)
    stream.listener.ended()
    this.#closeWithoutStreams()
  }

  #remove(stream: Stream): void {
    this.#streams.delete(stream)
    if (!this.#streams.values().some(({ request: { role } }) => role.isEveryBlock)) this.#silence.begin()
    if (stream.name !== null) this.#byName.delete(stream.name)
    stream.name = null
  }

  #closeWithoutStreams(): void {
    if (this.#streams.size > 0 || this.#opening > 0 || this.#recovering !== null) return
    this.#node?.close()
  }

  async #connected(deadlineAt: number): Promise<NodeSocket | null> {
    if (this.#recovering !== null) await this.#recovering
    if (this.#node !== null) return this.#node
    this.#connecting ??= this.#connect(deadlineAt, 0).finally(() => {
      this.#connecting = null
    })
    return await this.#connecting
  }

  async #connect(deadlineAt: number, tried: number): Promise<NodeSocket | null> {
    const route = this.#services.routeOf(this.#endpoint)
    if (route === null) return null
    const node = await openAnyNode(route, { tried, deadlineAt }, this.#services, this)
    if (this.#isClosed) node?.close()
    if (node === null || !node.isOpen) return null
    this.#node = node
    this.#waiting = 0
    this.#openedAt = this.#services.now()
    this.#silence.begin()
    return node
  }
}
