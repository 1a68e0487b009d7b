import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { type StoreConnection, createStoreConnection } from '../../platform/shared-store/store-connection.ts'
import { StoreLost } from '../../platform/shared-store/store-link.ts'
import { createStoreSubscription } from '../../platform/shared-store/store-subscription.ts'
import type { Frame } from './frame.ts'
import type { FrameSeal, ReceivedFrame } from './frame-seal.ts'
import { heartbeatScript, existsScript, removePresenceScript, sendScript } from './scripts.ts'
import { channelKey, presenceKey } from './store-keys.ts'

/**
 * `sent`: the process listens and will read the message unless it ends first. `deaf`: the process was present a
 * moment ago but does not listen. `gone`: the process has ended, or was disconnected longer than its presence
 * lasts; the message was not sent.
 */
export type SendResult = 'sent' | 'deaf' | 'gone'

/** The connection to the other processes of the installation. */
export interface RemoteProcesses {
  /** Publishes a frame. Rejects with StoreLost; the frame may have been sent then. */
  send(to: string, frame: Frame, bytes?: Uint8Array): Promise<SendResult>
  /**
   * Resolves to true when the process has ended, or was disconnected for so long that it dropped its work.
   * Rejects with StoreLost.
   */
  isGone(process: string): Promise<boolean>
  /** Returns true while other processes can reach this one. */
  isReady(): boolean
  /**
   * Returns true once the store was connected for so long that a process without a presence key is certainly
   * gone.
   */
  isSettled(): boolean
  /** Returns true while no other process can have considered this one gone. */
  isPresent(): boolean
  readonly connection: StoreConnection
  /** Removes the presence key, so that other processes notice at once. */
  stop(): Promise<void>
}

interface RemoteProcessesOptions {
  readonly url: string
  readonly processId: string
  readonly seal: FrameSeal
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
  onFrame(received: ReceivedFrame): void
  /**
   * Called when the store has no presence key of this process: the process is new, or was disconnected for so
   * long that others may have considered it gone.
   */
  onAbsent(): Promise<void>
  /** Called when the connection is lost: every call between processes has ended. */
  onLost(): void
}

/** The lifetime of a presence key; a process that is silent for longer is gone. */
export const presenceMs = 3_000
const beatEveryMs = 500
/** A heartbeat that does not arrive within this time shows that the subscription is dead. */
const deafAfterMs = 2_000
const deadlineMs = 2_000
const nothing = new Uint8Array()

export function createRemoteProcesses(options: RemoteProcessesOptions): RemoteProcesses {
  const { url, processId, seal, clock, log, onFrame, onAbsent, onLost } = options
  let isConnected = false
  let isListening = false
  let isStopped = false
  let isComingBack = false
  let isLossTold = false
  /** The monotonic ms since which heartbeats arrive without a gap; null while they do not. */
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
    if (received.from !== processId) return
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
    const text = seal.seal(processId, { kind: 'beat', sentAt }, nothing)
    try {
      const keys = [presenceKey(processId), channelKey(processId)]
      const wasPresent = await connection.run(heartbeatScript, keys, [presenceMs, text])
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
    channel: channelKey(processId),
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
      const keys = [presenceKey(to), channelKey(to)]
      const heardBy = await connection.run(sendScript, keys, [seal.seal(to, frame, bytes)])
      if (heardBy === -1) return 'gone'
      return heardBy === 0 ? 'deaf' : 'sent'
    },
    isGone: async (process) => (await connection.run(existsScript, [presenceKey(process)], [])) === 0,
    isReady: () => readySince !== null,
    isSettled: () => readySince !== null && clock.monotonic() - readySince >= presenceMs,
    isPresent: () => !isComingBack && clock.monotonic() < presentUntil,
    async stop() {
      isStopped = true
      clearInterval(timer)
      try {
        await connection.run(removePresenceScript, [presenceKey(processId)], [])
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
