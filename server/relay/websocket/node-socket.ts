import type { Upstream } from '../../endpoints/endpoints.ts'
import type { CheckedTarget } from '../../platform/egress.ts'
import { dialWebSocket, type DialledSocket } from '../../platform/http-client/web-socket-client.ts'
import type { EndpointRoute } from '../forward/endpoint-route.ts'
import type { DecisionOf } from '../ports.ts'
import type { RelaySettings } from '../settings.ts'
import { chooseUpstream } from '../upstreams/choose.ts'
import { secretsOf, withoutSecrets } from '../upstreams/secrets.ts'
import type { UpstreamAnswer } from '../upstreams/upstream-response.ts'
import { type OnAnswer, PendingCalls } from './pending-calls.ts'
import { type Notification, readMessage } from './read-message.ts'

export interface NodeSocketServices {
  readonly resolve: (url: string) => Promise<CheckedTarget>
  readonly now: () => number
  readonly random: () => number
  readonly settings: RelaySettings
  readonly decisionOf: DecisionOf
}

/** Receives what a node sends of its own accord. */
export interface NodeListener {
  notified(stream: string, notification: Notification, node: NodeSocket): void
  /** A further answer to a call that was answered before. */
  answeredAgain(id: string, answer: UpstreamAnswer, node: NodeSocket): void
  /** Is called once, and last. */
  ended(node: NodeSocket): void
}

/** The parameters of a call, or what makes the whole call, a JSON text, of its id. */
export type CallBody = string | ((id: string) => string)

/** A WebSocket to one node. */
export class NodeSocket {
  readonly upstream: Upstream
  /** The index of the upstream in its endpoint. */
  readonly index: number
  readonly #listener: NodeListener
  readonly #secrets: readonly string[]
  readonly #pending = new PendingCalls(() => this.close())
  /** Whether the upstream was not DOWN at some time since. */
  #wasUp = false
  #socket: DialledSocket | null = null
  #isClosed = false

  private constructor(upstream: Upstream, index: number, listener: NodeListener) {
    const { url, webSocketUrl, headers } = upstream
    this.upstream = upstream
    this.index = index
    this.#listener = listener
    this.#secrets = [...secretsOf({ url, headers }), ...secretsOf({ url: webSocketUrl ?? url, headers })]
  }

  /** Resolves to null when the node cannot be reached. */
  static async open(
    upstream: Upstream,
    index: number,
    { resolve, settings, decisionOf }: NodeSocketServices,
    listener: NodeListener,
  ): Promise<NodeSocket | null> {
    if (upstream.webSocketUrl === null) return null
    const { connectMs, heartbeatMs, notificationChars: maxChars } = settings
    const { webSocketUrl: url, headers } = upstream
    const node = new NodeSocket(upstream, index, listener)
    node.#wasUp = upstream.serviceId === null || decisionOf(upstream.serviceId) !== 'DOWN'
    node.#socket = await dialWebSocket(
      { url, headers, resolve, connectMs, heartbeatMs, maxChars },
      { received: (text) => node.#received(text), ended: () => node.#ended() },
    )
    return node.#socket === null || node.#isClosed ? null : node
  }

  /**
   * Returns whether the upstream is none of `upstreams` any more, or went DOWN while another one is not. One that was DOWN
   * from the start, when nothing better could be reached, is kept.
   */
  isMisplaced(upstreams: readonly Upstream[], decisionOf: DecisionOf): boolean {
    const isDown = ({ serviceId }: Upstream) => serviceId !== null && decisionOf(serviceId) === 'DOWN'
    if (!upstreams.some((one) => isSame(one, this.upstream))) return true
    if (!isDown(this.upstream)) this.#wasUp = true
    const isBetter = (one: Upstream) => one.webSocketUrl !== null && !isDown(one)
    return this.#wasUp && isDown(this.upstream) && upstreams.some(isBetter)
  }

  get isOpen(): boolean {
    return !this.#isClosed
  }

  /** Resolves to the answer, whose error tells no secrets of the operator; to null without one in time. */
  async call(
    method: string,
    body: CallBody,
    waitMs: number,
    onAnswer: OnAnswer = () => undefined,
  ): Promise<UpstreamAnswer | null> {
    if (this.#isClosed) return null
    const { id, answered } = this.#pending.open(Math.max(1, waitMs), onAnswer)
    this.#socket?.send(
      typeof body === 'string'
        ? `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${body}}`
        : body(id),
    )
    const answer = await answered
    return answer !== null && answer.isError ? this.withoutSecrets(answer) : answer
  }

  withoutSecrets = (answer: UpstreamAnswer): UpstreamAnswer => ({
    isError: answer.isError,
    text: withoutSecrets(answer.text, this.#secrets),
  })

  close(): void {
    this.#socket?.close()
  }

  #received(text: string): void {
    const message = readMessage(text)
    if (message === null || this.#isClosed) return
    if (message.kind === 'notification') this.#listener.notified(message.stream, message.notification, this)
    else if (!this.#pending.answer(message.id, message.answer))
      this.#listener.answeredAgain(message.id, message.answer, this)
  }

  #ended(): void {
    this.#isClosed = true
    this.#pending.failAll()
    this.#listener.ended(this)
  }
}

/** Chooses a node as calls do, health first, and skips those that cannot be reached. `tried`: nodes to leave out, as bits. */
export async function openAnyNode(
  { clients, endpoint }: EndpointRoute,
  { tried: left, deadlineAt }: { readonly tried: number; readonly deadlineAt: number },
  services: NodeSocketServices,
  listener: NodeListener,
): Promise<NodeSocket | null> {
  let tried = left
  while (services.now() < deadlineAt) {
    const index = chooseUpstream(clients, tried, true, services.random())
    const upstream = endpoint.upstreams[index]
    if (upstream === undefined) return null
    tried |= 1 << index
    const node = await NodeSocket.open(upstream, index, services, listener)
    if (node !== null) return node
  }
  return null
}

const isSame = (one: Upstream, other: Upstream): boolean =>
  one.webSocketUrl === other.webSocketUrl && Bun.deepEquals(one.headers, other.headers)
