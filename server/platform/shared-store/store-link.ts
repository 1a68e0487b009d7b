import { RedisClient } from 'bun'

import { withinDeadline } from '../deadline.ts'

/** The store did not answer in time, refused, or is not connected. What was asked may still have been done. */
export class StoreLost extends Error {}

/** The store answered that it does not do this (it is read-only, a cluster, full, …), and would say so again. */
export class StoreRefused extends StoreLost {}

/** For what may as well not happen. Throws any other error. */
export function ignoreLoss(error: unknown): void {
  if (!(error instanceof StoreLost)) throw error
}

/** One connection that is made anew whenever it is lost. */
export interface StoreLink {
  /** Null: not connected now. */
  client(): RedisClient | null
  /** Gives up the client, if it is still the one in use, and makes another. */
  lose(client: RedisClient, reason: string): void
  close(): void
}

interface StoreLinkOptions {
  readonly url: string
  /** The limit for connecting and for `open`, in ms. */
  readonly deadlineMs: number
  /** What a new connection does before it is in use; what it gives is called as soon as it is. */
  open(client: RedisClient): Promise<() => void>
  onLost(reason: string): void
}

const firstPauseMs = 50
const longestPauseMs = 500

/**
 * Bun's client has no deadline for a command and none of its reconnection is used: a command that waits in a queue would
 * be run later, when its caller has long been answered. So each connection is a client of its own.
 */
export function createStoreLink({ url, deadlineMs, open, onLost }: StoreLinkOptions): StoreLink {
  let current: RedisClient | null = null
  let pauseMs = firstPauseMs
  let isClosed = false
  let timer: ReturnType<typeof setTimeout> | undefined

  async function connect(): Promise<void> {
    const next = new RedisClient(url, {
      autoReconnect: false,
      enableOfflineQueue: false,
      connectionTimeout: deadlineMs,
    })
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client has no other way
    next.onclose = (error) => lose(next, error.message)
    try {
      await within(deadlineMs, next.connect())
      const onOpen = await within(deadlineMs, open(next))
      if (isClosed || !next.connected) throw new StoreLost('closed')
      current = next
      pauseMs = firstPauseMs
      onOpen()
    } catch (error) {
      next.close()
      retryAfter(connectionFailureReason(error))
    }
  }

  function retryAfter(reason: string): void {
    if (isClosed) return
    onLost(reason)
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), pauseMs)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }

  /** A client that never became the current one is dealt with where it is connected. */
  function lose(lost: RedisClient, reason: string): void {
    if (current !== lost) return
    current = null
    lost.close()
    retryAfter(reason)
  }

  void connect()

  return {
    client: () => current,
    lose,
    close() {
      isClosed = true
      clearTimeout(timer)
      current?.close()
      current = null
    },
  }
}

/** Settles as `work` does, or rejects with StoreLost after `ms`. */
export const within = <Value>(ms: number, work: Promise<Value>): Promise<Value> =>
  withinDeadline(work, ms, () => new StoreLost(`no answer within ${ms} ms`))

export const connectionFailureReason = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
