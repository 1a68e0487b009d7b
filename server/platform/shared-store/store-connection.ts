/**
 * The store that several processes share (Redis or Valkey): one server, a primary behind sentinels, or a cluster. Domains run
 * scripts in it, and do without it while it is away.
 *
 * 1. `store-address.ts` reads `REDIS_URL`.
 * 2. `find-server.ts` asks sentinels for the primary, or a cluster for the node that has our keys. All keys of one purpose
 *    stand in one slot of a cluster, by a tag in braces (`store-keys.ts`), so that one connection serves them and a script
 *    may use several.
 * 3. `store-client.ts` opens that connection (`ioredis`, without its queues and reconnection), and `server-state.ts` reads
 *    whether the server can be counted in: a replica, or a node of a cluster behind an address of one server, cannot.
 * 4. `store-link.ts` makes the connection anew, from step 2 on, whenever it is lost: after a failover it leads to the new
 *    primary. A command never waits for a connection, and is never sent twice.
 *
 * Failure: `StoreLost`, at the latest at the deadline. `StoreRefused` when the server says that it does not do this, and
 * would say so again. `store-failure.ts` has a sentence for each that operators understand, without address or password.
 *
 * Known limitation: one purpose uses one node of a cluster, however many there are. A cluster is for availability here.
 */
import { listIn } from './find-server.ts'
import type { StoreClient } from './store-client.ts'
import { StoreLost, isAnswer, isMisplaced, storeFailureOf, within } from './store-failure.ts'
import { createStoreLink } from './store-link.ts'

export { listIn }

/** A script that runs inside the store. */
export interface Script {
  readonly name: string
  readonly text: string
}

/** Where the shared store is, and which part of it is ours. */
export interface StorePlace {
  readonly url: string
  /** The beginning of all keys of this installation. */
  readonly prefix: string
}

/** Returns the beginning of the keys of one purpose, which are all in one slot of a cluster. */
export const tagOf = ({ prefix }: Pick<StorePlace, 'prefix'>, purpose: string): string =>
  `{${prefix}:${purpose}}`

export interface StoreConnection {
  /** Rejects with StoreLost, at the latest at the deadline. At once while there is no connection. */
  run(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>
  close(): void
}

interface StoreConnectionOptions {
  readonly url: string
  /** One of the keys: all of them must be in one slot. */
  readonly key: string
  readonly deadlineMs: number
  /** Called with the id of the process that is connected to, after every connection. */
  onConnected(runId: string): void
  onLost(failure: StoreLost): void
  /** Called with what should be set otherwise in the server, or null, after every connection and now and then. */
  onWarning?(warning: string | null): void
}

/** Asks the store. A command that misses the deadline closes the connection, which rejects all that is under way. */
export function createStoreConnection(options: StoreConnectionOptions): StoreConnection {
  const { url, key, deadlineMs, onConnected, onLost, onWarning } = options
  const link = createStoreLink({
    url,
    key,
    onState({ runId, warning }, isNew) {
      onWarning?.(warning)
      if (isNew) onConnected(runId)
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
        const failure = storeFailureOf(error)
        // Other errors that the store itself answers leave the connection as it was.
        if (!isAnswer(error) || isMisplaced(error)) link.lose(client, failure)
        throw failure
      }
    },
    close: link.close,
  }
}

/** Runs a script by its hash; the text is sent only when the store does not know it, as after a restart. */
async function runOn(client: StoreClient, script: Script, parameters: readonly string[]): Promise<unknown> {
  try {
    return await client.call('EVALSHA', hashOfScript(script), ...parameters)
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return client.call('EVAL', script.text, ...parameters)
  }
}

const hashes = new WeakMap<Script, string>()

export function hashOfScript(script: Script): string {
  const known = hashes.get(script)
  if (known !== undefined) return known
  const hash = new Bun.CryptoHasher('sha1').update(script.text).digest('hex')
  hashes.set(script, hash)
  return hash
}
