import type { Log } from '../../platform/log.ts'
import {
  createStoreConnection,
  listIn,
  type Script,
  type StoreConnection,
  type StorePlace,
  tagOf,
} from '../../platform/shared-store/store-connection.ts'
import { StoreLost } from '../../platform/shared-store/store-failure.ts'

/**
 * Final results that all processes share. Nothing waits long for it, and nothing fails without it: a store that is away
 * or slow is left alone for a while.
 */
export interface SharedCache {
  find(space: string, keys: readonly string[]): Promise<SharedResults>
  keep(space: string, key: string, kept: FinalResult, forMs: number): void
  /** Forgets everything of a space. */
  forget(space: string): void
  close(): void
}

export interface SharedResults {
  /** The highest block that was final for whoever has kept something of the space; -1 where nothing is kept. */
  readonly finalHeight: number
  /** Null for those that the store does not have, and for all while it is away. */
  readonly results: readonly (string | null)[]
}

export interface FinalResult {
  readonly result: string
  /** The highest block that is final at present. */
  readonly finalHeight: number
}

/** A call waits so long (ms) for the store, which answers within one. */
const deadlineMs = 50
/** The store is left alone for so long (ms) after it was lost. */
const pauseMs = 5_000
/** Further results are not kept while so many are on their way. */
const mostWrites = 256
/** What a server without `maxmemory` is taken to have (bytes). */
const assumedMemoryBytes = 512 * 1_048_576

/** The era of a space is a part of its keys, so that all of them are forgotten at once. */
const findScript: Script = {
  name: 'find-results',
  text: `
local era = redis.call('GET', KEYS[1] .. ':era') or '0'
local found = {redis.call('GET', KEYS[1] .. ':final') or '-1'}
for index, key in ipairs(ARGV) do
  found[index + 1] = redis.call('GET', KEYS[1] .. ':' .. era .. ':' .. key) or ''
end
return found
`,
}
/**
 * Limits are counted in the same server, which must never be full of results: they end at the half of its memory. Room is
 * looked for once a second and used up meanwhile, because INFO takes longer than all the rest.
 */
const keepScript: Script = {
  name: 'keep-result',
  text: `
local size = #ARGV[2] + 256
local room = tonumber(redis.call('GET', KEYS[2]) or '')
if not room then
  local info = redis.call('INFO', 'memory')
  local most = tonumber(string.match(info, 'maxmemory:(%d+)'))
  if most == 0 then most = ${assumedMemoryBytes} end
  room = math.floor(most / 2) - tonumber(string.match(info, 'used_memory:(%d+)'))
  redis.call('SET', KEYS[2], room, 'PX', 1000)
end
if room < size then return end
redis.call('DECRBY', KEYS[2], size)
local era = redis.call('GET', KEYS[1] .. ':era') or '0'
redis.call('SET', KEYS[1] .. ':' .. era .. ':' .. ARGV[1], ARGV[2], 'PX', ARGV[3])
local final = math.max(tonumber(redis.call('GET', KEYS[1] .. ':final') or '-1'), tonumber(ARGV[4]))
redis.call('SET', KEYS[1] .. ':final', final, 'PX', ARGV[3])
`,
}
const forgetScript: Script = {
  name: 'forget-results',
  text: `
redis.call('INCR', KEYS[1] .. ':era')
redis.call('DEL', KEYS[1] .. ':final')
`,
}

interface SharedCacheOptions {
  readonly store: StorePlace
  readonly now: () => number
  readonly log: Log
}

export function createSharedCache({ store, now, log }: SharedCacheOptions): SharedCache {
  const tag = tagOf(store, 'results')
  let awayUntil = 0
  let writes = 0
  let isLost = false
  /** Made when it is used for the first time: most installations with a store keep their results in memory. */
  let connection: StoreConnection | null = null

  const connect = (): StoreConnection =>
    createStoreConnection({
      url: store.url,
      key: tag,
      deadlineMs,
      onConnected() {
        isLost = false
      },
      onLost({ message: reason }) {
        awayUntil = now() + pauseMs
        if (!isLost) log.warn('each process has only its own cache: the store is away', { reason })
        isLost = true
      },
    })

  async function run(script: Script, space: string, values: readonly (string | number)[]): Promise<unknown> {
    if (now() < awayUntil) return null
    try {
      connection ??= connect()
      return await connection.run(script, [`${tag}:${space}`, `${tag}:room`], values)
    } catch (error) {
      if (error instanceof StoreLost) return null
      throw error
    }
  }

  return {
    async find(space, keys) {
      const found = await run(findScript, space, keys.map(hashOf))
      const [finalHeight = -1, ...results] = found === null ? [] : listIn(found)
      return {
        finalHeight: Number(finalHeight),
        results: keys.map((_, index) => resultIn(results[index])),
      }
    },
    keep(space, key, { result, finalHeight }, forMs) {
      if (writes >= mostWrites) return
      writes++
      void run(keepScript, space, [hashOf(key), result, forMs, finalHeight]).finally(() => writes--)
    },
    forget: (space) => void run(forgetScript, space, []),
    close: () => connection?.close(),
  }
}

const resultIn = (answer: unknown): string | null =>
  typeof answer === 'string' && answer !== '' ? answer : null

/** Parameters may be long. Nobody can find others with the same hash, whose result would be taken for theirs. */
const hashOf = (key: string): string => new Bun.CryptoHasher('sha256').update(key).digest('base64url')
