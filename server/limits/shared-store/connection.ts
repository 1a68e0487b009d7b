import { RedisClient } from 'bun'

import type { Script } from './scripts.ts'

/** The store did not answer in time, refused, or is not connected. What was asked may still have been done. */
export class StoreLost extends Error {}

/** For what may as well not happen. Throws any other error. */
export function ignoreLoss(error: unknown): void {
  if (!(error instanceof StoreLost)) throw error
}

export interface StoreConnection {
  /** Rejects with StoreLost, at the latest at the deadline. At once while there is no connection. */
  run(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>
  close(): void
}

interface StoreConnectionOptions {
  readonly url: string
  readonly deadlineMs: number
  /** With the id of the process that is connected to. It may be called again and again. */
  onConnected(runId: string): void
  onLost(reason: string): void
}

const firstPauseMs = 50
const longestPauseMs = 500

/**
 * One connection that is made anew whenever it is lost. Bun's client has no deadline for a command and none of its
 * reconnection is used: a command that waits in a queue would be run later, when its caller has long been answered.
 * So each connection is a client of its own, and a command that misses the deadline closes it, which rejects all that
 * is under way.
 */
export function createStoreConnection(options: StoreConnectionOptions): StoreConnection {
  const { url, deadlineMs } = options
  let client: RedisClient | null = null
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
      const runId = runIdIn(await within(deadlineMs, next.send('INFO', ['server'])))
      if (isClosed || !next.connected) throw new StoreLost('closed')
      client = next
      pauseMs = firstPauseMs
      options.onConnected(runId)
    } catch (error) {
      next.close()
      retryAfter(error)
    }
  }

  function retryAfter(error: unknown): void {
    if (isClosed) return
    options.onLost(reasonOf(error))
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), pauseMs)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }

  /** A client that never became the current one is dealt with where it is connected. */
  function lose(lost: RedisClient, reason: string): void {
    if (client !== lost) return
    client = null
    lost.close()
    retryAfter(reason)
  }

  async function run(
    script: Script,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> {
    const current = client
    if (current === null) throw new StoreLost('not connected')
    const parameters = [String(keys.length), ...keys, ...values.map(String)]
    try {
      return await within(deadlineMs, runOn(current, script, parameters))
    } catch (error) {
      // An error that the store itself answers leaves the connection as it was.
      if (!isAnswer(error)) lose(current, reasonOf(error))
      throw new StoreLost(reasonOf(error), { cause: error })
    }
  }

  void connect()

  return {
    run,
    close() {
      isClosed = true
      clearTimeout(timer)
      client?.close()
      client = null
    },
  }
}

/** By its hash; the text goes along only when the store does not know it, as after a restart. */
async function runOn(client: RedisClient, script: Script, parameters: readonly string[]): Promise<unknown> {
  try {
    return await client.send('EVALSHA', [hashOf(script), ...parameters])
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return client.send('EVAL', [script.text, ...parameters])
  }
}

const hashes = new WeakMap<Script, string>()

function hashOf(script: Script): string {
  const known = hashes.get(script)
  if (known !== undefined) return known
  const hash = new Bun.CryptoHasher('sha1').update(script.text).digest('hex')
  hashes.set(script, hash)
  return hash
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StoreLost(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}

const isAnswer = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_REDIS_SERVER_ERROR'

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function runIdIn(info: unknown): string {
  const runId = typeof info === 'string' ? /^run_id:(\w+)/m.exec(info)?.[1] : undefined
  if (runId === undefined) throw new StoreLost('the store does not tell its run id')
  return runId
}
