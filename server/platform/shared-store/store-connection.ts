import type { RedisClient } from 'bun'

import { StoreLost, StoreRefused, createStoreLink, connectionFailureReason, within } from './store-link.ts'

/** A script that runs inside the store. */
export interface Script {
  readonly name: string
  readonly text: string
}

export interface StoreConnection {
  /** Rejects with StoreLost, at the latest at the deadline. At once while there is no connection. */
  run(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>
  close(): void
}

/** Returns the answer of a script when it is a list. Throws StoreLost on anything else. */
export function listIn(answer: unknown): unknown[] {
  if (!Array.isArray(answer)) throw new StoreLost('an unexpected answer')
  return answer
}

interface StoreConnectionOptions {
  readonly url: string
  readonly deadlineMs: number
  /** Called with the id of the process that is connected to, after every connection. */
  onConnected(runId: string): void
  onLost(reason: string): void
}

/** Asks the store. A command that misses the deadline closes the connection, which rejects all that is under way. */
export function createStoreConnection(options: StoreConnectionOptions): StoreConnection {
  const { url, deadlineMs, onConnected, onLost } = options
  const link = createStoreLink({
    url,
    deadlineMs,
    async open(client) {
      const runId = runIdIn(await client.send('INFO', ['server']))
      return () => onConnected(runId)
    },
    onLost,
  })
  return {
    async run(script, keys, values) {
      const client = link.client()
      if (client === null) throw new StoreLost('not connected')
      const parameters = [String(keys.length), ...keys, ...values.map(String)]
      try {
        return await within(deadlineMs, runOn(client, script, parameters))
      } catch (error) {
        const reason = connectionFailureReason(error)
        // An error that the store itself answers leaves the connection as it was.
        if (isRefusal(error)) throw new StoreRefused(reason, { cause: error })
        if (!isAnswer(error)) link.lose(client, reason)
        throw new StoreLost(reason, { cause: error })
      }
    },
    close: link.close,
  }
}

/** Runs a script by its hash; the text is sent only when the store does not know it, as after a restart. */
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

const isAnswer = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_REDIS_SERVER_ERROR'

/** What a store says only for a while: that it reads its data, runs another script, or moves keys between its nodes. */
const passingAnswers = /^(?:LOADING|BUSY|TRYAGAIN)\b/

const isRefusal = (error: unknown): boolean =>
  isAnswer(error) && error instanceof Error && !passingAnswers.test(error.message)

function runIdIn(info: unknown): string {
  const runId = typeof info === 'string' ? /^run_id:(\w+)/m.exec(info)?.[1] : undefined
  if (runId === undefined) throw new StoreLost('the store does not tell its run id')
  return runId
}
