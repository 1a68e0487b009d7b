import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { type StoreConnection, createStoreConnection } from '../../platform/shared-store/store-connection.ts'
import { StoreLost } from '../../platform/shared-store/store-link.ts'
import { createStoreSubscription } from '../../platform/shared-store/store-subscription.ts'
import type { Frame } from './frame.ts'
import type { FrameSeal, Received } from './frame-seal.ts'
import { beatScript, existsScript, leaveScript, sendScript } from './scripts.ts'
import { channelOf, presenceOf } from './store-keys.ts'

/**
 * `sent`: somebody listens there, and will read it unless it ends first. `deaf`: the process was there a moment ago, and
 * does not listen. `gone`: it has ended, or was cut off for longer than its presence lasts; it was not sent.
 */
export type Sent = 'sent' | 'deaf' | 'gone'

/** The other processes of the installation. */
export interface Peers {
  /** Rejects with StoreLost; then it may have been sent. */
  send(to: string, frame: Frame, bytes?: Uint8Array): Promise<Sent>
  /** It has ended, or was cut off for so long that it will not go on with what it was doing. Rejects with StoreLost. */
  isGone(process: string): Promise<boolean>
  /** The others can find this process now. */
  isReady(): boolean
  /** The store was there for long enough: whoever has no presence in it is gone. */
  isSettled(): boolean
  /** Until now nobody can have taken this process for gone. */
  isPresent(): boolean
  readonly connection: StoreConnection
  /** Tells the others at once. */
  stop(): Promise<void>
}

interface PeersOptions {
  readonly url: string
  readonly self: string
  readonly seal: FrameSeal
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
  onFrame(received: Received): void
  /** The store has no presence of this process: it is new, or was cut off for long enough to be taken for gone. */
  onAbsent(): Promise<void>
  /** Whatever was under way between processes has ended. */
  onLost(): void
}

/** A process that says nothing for so long is gone. */
export const presenceMs = 3_000
const beatEveryMs = 500
/** A beat that is not heard by then shows that nothing arrives. */
const deafAfterMs = 2_000
const deadlineMs = 2_000
const nothing = new Uint8Array()

export function createPeers(options: PeersOptions): Peers {
  const { url, self, seal, clock, log, onFrame, onAbsent, onLost } = options
  let isConnected = false
  let isListening = false
  let isStopped = false
  let isComingBack = false
  let isLossTold = false
  /** Monotonic ms. Since when beats arrive without a gap; null: they do not. */
  let readySince: number | null = null
  let heardAt = 0
  let presentUntil = 0

  function lose(reason: string): void {
    if (!isLossTold && !isStopped) log.warn('sessions are not shared: the shared store is away', { reason })
    isLossTold = true
    if (readySince === null) return
    readySince = null
    onLost()
  }

  function hear(text: string): void {
    const received = seal.open(text)
    if (received === null) {
      log.debug('a message to this process was not made by one of this installation')
      return
    }
    if (received.frame.kind !== 'beat') return onFrame(received)
    if (received.from !== self) return
    heardAt = clock.monotonic()
    presentUntil = received.frame.sentAt + presenceMs
    if (readySince === null && isConnected && isListening) {
      readySince = heardAt
      isLossTold = false
      log.info('sessions are shared with the other processes')
    }
  }

  async function beat(): Promise<void> {
    if (!isConnected || !isListening || isStopped) return
    const sentAt = clock.monotonic()
    if (readySince !== null && sentAt - heardAt > deafAfterMs) {
      subscription.renew('nothing arrives')
      return
    }
    const text = seal.seal(self, { kind: 'beat', sentAt }, nothing)
    try {
      const keys = [presenceOf(self), channelOf(self)]
      const wasPresent = await connection.run(beatScript, keys, [presenceMs, text])
      if (wasPresent === 0) await comeBack()
    } catch (error) {
      if (!(error instanceof StoreLost)) throw error
      lose(error.message)
    }
  }

  async function comeBack(): Promise<void> {
    isComingBack = true
    try {
      await onAbsent()
    } finally {
      isComingBack = false
    }
  }

  const subscription = createStoreSubscription({
    url,
    deadlineMs,
    channel: channelOf(self),
    onMessage: hear,
    onConnected() {
      isListening = true
      void beat()
    },
    onLost(reason) {
      isListening = false
      lose(reason)
    },
  })
  const connection = createStoreConnection({
    url,
    deadlineMs,
    onConnected() {
      isConnected = true
      void beat()
    },
    onLost(reason) {
      isConnected = false
      lose(reason)
    },
  })
  const timer = setInterval(() => void beat(), beatEveryMs)
  timer.unref()

  return {
    connection,
    async send(to, frame, bytes = nothing) {
      const keys = [presenceOf(to), channelOf(to)]
      const heardBy = await connection.run(sendScript, keys, [seal.seal(to, frame, bytes)])
      if (heardBy === -1) return 'gone'
      return heardBy === 0 ? 'deaf' : 'sent'
    },
    isGone: async (process) => (await connection.run(existsScript, [presenceOf(process)], [])) === 0,
    isReady: () => readySince !== null,
    isSettled: () => readySince !== null && clock.monotonic() - readySince >= presenceMs,
    isPresent: () => !isComingBack && clock.monotonic() < presentUntil,
    async stop() {
      isStopped = true
      clearInterval(timer)
      try {
        await connection.run(leaveScript, [presenceOf(self)], [])
      } catch (error) {
        // Then its presence ends by itself.
        if (!(error instanceof StoreLost)) throw error
      }
      lose('stopped')
      subscription.close()
      connection.close()
    },
  }
}
