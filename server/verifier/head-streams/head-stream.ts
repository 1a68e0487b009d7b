import { untilAborted } from '../../platform/deadline.ts'
import type { DialledSocket, SocketListener } from '../../platform/http-client/web-socket-client.ts'
import { backOffMs } from '../delivery/back-off.ts'
import { pause } from '../wake-up.ts'
import type { HeadSubscription } from './subscription.ts'

/** Opens a WebSocket through the guarded egress. Resolves to null where there is none. */
export type DialSocket = (listener: SocketListener) => Promise<DialledSocket | null>

export interface HeadStreamOptions {
  readonly dial: DialSocket
  readonly subscription: HeadSubscription
  /** In ms of a monotonic clock. */
  readonly monotonic: () => number
  /** Returns a number in [0, 1). */
  readonly random: () => number
  readonly onHead: (height: number) => void
  /** The connection was lost, or given up: the newest head is not known any more. */
  readonly onLost: () => void
  /** A connection that had worked was lost and could not be opened again. */
  readonly onUnreachable: () => void
}

/** How one connection ended. */
type ConnectionEnd = 'unreachable' | 'refused' | 'lost'

/** A connection that lasts so long (ms) was a good one: after its loss, the next is opened soon. */
const goodMs = 60_000
/** A node that has no such subscription is asked again after this time (ms). */
const refusedPauseMs = 600_000
/** How long (ms) a node may take to answer the subscription. */
const answerMs = 10_000
/** A node that sends more is not listened to: the quickest chains make four blocks a second. */
const most = { messages: 1_000, perMs: 10_000 }

/** Keeps one subscription to the heads of a node, until the signal aborts. Never rejects. */
export async function followHeads(options: HeadStreamOptions, signal: AbortSignal): Promise<void> {
  const { monotonic, random } = options
  let failures = 0
  let wasOpen = false
  while (!signal.aborted) {
    const openedAt = monotonic()
    const end = await connectOnce(options, signal)
    if (signal.aborted) return
    if (end === 'lost') options.onLost()
    if (end === 'unreachable' && wasOpen) options.onUnreachable()
    wasOpen = end === 'lost'
    if (wasOpen && monotonic() - openedAt >= goodMs) failures = 0
    await pause(end === 'refused' ? refusedPauseMs : backOffMs(failures++, random), signal)
  }
}

/** Opens a connection, subscribes, and resolves when it has ended. */
async function connectOnce(options: HeadStreamOptions, signal: AbortSignal): Promise<ConnectionEnd> {
  const { subscription, monotonic, onHead } = options
  const { promise: ended, resolve: end } = Promise.withResolvers<ConnectionEnd>()
  const received = countWithin(most, monotonic)
  let isSubscribed = false
  const dialling = options.dial({
    received(text) {
      if (!received()) return end('refused')
      const message = subscription.read(text)
      if (message.kind === 'refused' && !isSubscribed) end('refused')
      if (message.kind === 'subscribed' || message.kind === 'head') isSubscribed = true
      if (message.kind === 'head') onHead(message.height)
    },
    ended: () => end(isSubscribed ? 'lost' : 'unreachable'),
  })
  const close = (): void => void dialling.then((socket) => socket?.close())
  signal.addEventListener('abort', close)
  const timer = setTimeout(() => {
    if (!isSubscribed) end('refused')
  }, answerMs)
  try {
    const socket = await untilAborted(dialling, signal)
    if (socket === null) return 'unreachable'
    socket.send(subscription.request)
    return await untilAborted(ended, signal)
  } catch (error) {
    if (signal.aborted) return 'lost'
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', close)
    close()
  }
}

/** Returns a function that counts, and says whether there were not too many of late. */
function countWithin({ messages, perMs }: typeof most, monotonic: () => number): () => boolean {
  let count = 0
  let from = monotonic()
  return () => {
    const now = monotonic()
    if (now - from >= perMs) [count, from] = [0, now]
    count += 1
    return count <= messages
  }
}
