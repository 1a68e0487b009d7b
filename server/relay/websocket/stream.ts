import type { EndpointRoute } from '../forward/endpoint-route.ts'
import type { OpensStream } from '../methods/stream-role.ts'
import type { SuspectService } from '../ports.ts'
import type { NodeSocket, NodeSocketServices } from './node-socket.ts'
import { type Notification, notificationOf } from './read-message.ts'

export interface NodeStreamsServices extends NodeSocketServices {
  /** Returns what is known of an endpoint at present; null when it is gone. */
  readonly routeOf: (endpoint: string) => EndpointRoute | null
  readonly suspect: SuspectService
}

/** Makes up for what was not told between two nodes; false when that is not possible with this one. */
export type Recover = (node: NodeSocket) => Promise<boolean>

/** What a stream is opened with, at whichever node. */
export interface StreamRequest {
  readonly method: string
  /** A JSON text. */
  readonly params: string
  readonly role: OpensStream
}

export interface StreamListener {
  /** Receives notifications in the order in which nodes sent them. */
  told(notification: Notification): void
  /** The node has ended the stream, as it does after the last notification. */
  ended(): void
  /** No node can go on with the stream, and notifications were or may have been lost. */
  lost(): void
}

/** A stream, wherever it comes from at present. */
export class Stream {
  readonly request: StreamRequest
  readonly listener: StreamListener
  readonly tells: readonly string[]
  /** How the present node calls it; null at none. */
  name: string | null = null
  /** Whether a node has ended it, or it was closed. */
  isEnded = false
  /** How many nodes have refused to go on with it since the last one was gone. */
  refusals = 0

  constructor(request: StreamRequest, listener: StreamListener) {
    this.request = request
    this.listener = listener
    this.tells = request.role.tells.split(' ')
  }

  /** Closes it at a node that has opened it. */
  closeAt(node: NodeSocket, waitMs: number): void {
    const { role, params } = this.request
    if (this.name !== null) void node.call(role.closedBy, closingParams(role, this.name, params), waitMs)
  }

  /** Tells that its node is gone, for a stream that cannot go on at another one. */
  endWithNode(): void {
    const { whenNodeIsGone } = this.request.role
    if (whenNodeIsGone === 'lost') return this.listener.lost()
    const [method = ''] = this.tells
    const before = `{"jsonrpc":"2.0","method":"${method}","params":{"subscription":`
    this.listener.told(notificationOf(method, before, `,"result":${whenNodeIsGone}}}`))
    this.listener.ended()
  }
}

/** What so many nodes refuse does not keep the others from going on. */
export const mostRefusals = 2

/** Whether those that a node refuses are given up, so that the others go on there. A node that refuses all is no help. */
export const areGivenUp = (refused: readonly Stream[], all: readonly Stream[]): boolean =>
  refused.length < all.length && refused.every(({ refusals }) => refusals > mostRefusals)

export type OpenedStream =
  | { readonly kind: 'opened'; readonly stream: Stream }
  /** `text` is the JSON text of the node's error. */
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'unanswered'; readonly failure: 'connect' | 'closed' }

/** Returns the parameters that close a stream, a JSON text. */
function closingParams({ names }: OpensStream, name: string, params: string): string {
  switch (names) {
    case 'request':
      return params
    case 'digits':
      return `{"subscription_id":${JSON.stringify(name)}}`
    case 'number':
      return `[${name}]`
    default:
      return `[${JSON.stringify(name)}]`
  }
}

const firstPauseMs = 250
const longestPauseMs = 4_000

/** Returns how long to wait before nodes are tried again. */
export const pauseMsAfter = (failures: number): number =>
  failures === 0 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1))
