import type { MethodFacts } from '../methods/method-facts.ts'
import type { JudgedCall } from './attempt-class.ts'
import type { UpstreamRequest } from './upstream-request.ts'

/** Results that answer several calls: those that are kept, and those that equal reads in flight wait for together. */

/** Results that do not change, in bounded memory: the least recently used ones are evicted first. */
export interface ResultCache {
  get(cacheKey: string, now: number): string | null
  put(cacheKey: string, result: string, now: number, forMs: number): void
}

interface CacheEntry {
  readonly result: string
  readonly staleAt: number
}

/** Larger results would evict many small ones, which are read more often. */
const maxEntryChars = 262_144
/** The memory that an entry takes besides its texts. */
const entryChars = 200

export function createResultCache(maxChars: number): ResultCache {
  const entries = new Map<string, CacheEntry>()
  let chars = 0

  function drop(cacheKey: string): void {
    const entry = entries.get(cacheKey)
    if (entry === undefined) return
    entries.delete(cacheKey)
    chars -= charsOf(cacheKey, entry.result)
  }

  return {
    get(cacheKey, now) {
      const entry = entries.get(cacheKey)
      if (entry === undefined) return null
      if (now >= entry.staleAt) {
        drop(cacheKey)
        return null
      }
      entries.delete(cacheKey)
      entries.set(cacheKey, entry)
      return entry.result
    },
    put(cacheKey, result, now, forMs) {
      const size = charsOf(cacheKey, result)
      if (size > Math.min(maxEntryChars, maxChars)) return
      drop(cacheKey)
      entries.set(cacheKey, { result, staleAt: now + forMs })
      chars += size
      for (const oldest of entries.keys()) {
        if (chars <= maxChars) break
        drop(oldest)
      }
    },
  }
}

const charsOf = (cacheKey: string, result: string): number => cacheKey.length + result.length + entryChars

interface CacheableCall {
  readonly method: string
  /** Two calls with the same one have the same result. */
  readonly cacheKey: string
  readonly facts: Pick<MethodFacts, 'cache'>
}

/** A constant is read again after this time, so that a node on a wrong chain is not believed for longer. */
const constantForMs = 60_000
const finalForMs = 600_000

interface CacheableOptions {
  readonly cache: ResultCache
  /** No other endpoint, and no earlier version of this one, has the same prefix. */
  readonly prefix: string
  /** Null when it is not known when a block of this chain is final. */
  readonly finalityDepth: number | null
  readonly now: () => number
}

/** The results of one endpoint that its upstreams would answer again unchanged. */
export interface CacheableResults {
  /** Returns the JSON text of the result; null when an upstream has to be called. */
  find(call: CacheableCall): string | null
  /** Stores `result`, the JSON text that the upstream of this index answered, if it cannot change any more. */
  store(call: CacheableCall, result: string, upstream: number): void
}

export function createCacheableResults({
  cache,
  prefix,
  finalityDepth,
  now,
}: CacheableOptions): CacheableResults {
  const heads = new Map<number, number>()

  /** The lowest head that an upstream claims decides, so that one that claims too high a head changes nothing. */
  function finalHeight(): number {
    return finalityDepth === null || heads.size === 0 ? -1 : Math.min(...heads.values()) - finalityDepth
  }

  function isFinal(result: string): boolean {
    const height = heightOf(result)
    return height !== null && height <= finalHeight()
  }

  return {
    find(call) {
      return isStored(call.facts) ? cache.get(prefix + call.cacheKey, now()) : null
    },
    store(call, result, upstream) {
      if (call.method === 'eth_blockNumber') {
        const head = quantityOf(result)
        if (head !== null) heads.set(upstream, head)
      }
      if (!isStored(call.facts) || result === 'null') return
      if (call.facts.cache === 'constant') cache.put(prefix + call.cacheKey, result, now(), constantForMs)
      else if (isFinal(result)) cache.put(prefix + call.cacheKey, result, now(), finalForMs)
    },
  }
}

/** Results by block are not stored: a tag in the parameters would have to be replaced by what it stands for. */
const isStored = ({ cache }: Pick<MethodFacts, 'cache'>): boolean =>
  cache === 'constant' || cache === 'by-hash'

const heights = /"(?:blockNumber|number)"\s*:\s*"0x([0-9a-f]{1,13})"/gi

/** Returns the height of the block that a result is about; null where the result names none, or several. */
export function heightOf(result: string): number | null {
  let height: number | null = null
  for (const [, digits = ''] of result.matchAll(heights)) {
    const next = Number.parseInt(digits, 16)
    if (height !== null && next !== height) return null
    height = next
  }
  return height
}

/** Returns the number in a JSON text such as `"0x1b4"`; null for anything else. */
export function quantityOf(json: string): number | null {
  const digits = /^"0x([0-9a-f]{1,13})"$/i.exec(json)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 16)
}

const buckets = 1_024
/** At most this many characters of a call's parameters decide about its bucket. */
const hashedChars = 64

/**
 * The upstream requests in flight, by coalescing key. Every call is added and removed here: a `Map` would build one text
 * of method and parameters for each and hash all of it, which takes three times as long as the rest of a request.
 */
export class InFlightRequests {
  /** The first request of each bucket, which links to the others. */
  readonly #first: (UpstreamRequest | null)[] = Array.from({ length: buckets }, () => null)

  find(key: JudgedCall): UpstreamRequest | null {
    let request = this.#first[bucketOf(key)] ?? null
    while (request !== null && !hasKey(request, key)) request = request.nextInFlight
    return request
  }

  add(request: UpstreamRequest, key: JudgedCall): void {
    const bucket = bucketOf(key)
    request.nextInFlight = this.#first[bucket] ?? null
    this.#first[bucket] = request
  }

  remove(request: UpstreamRequest, key: JudgedCall): void {
    const bucket = bucketOf(key)
    let before: UpstreamRequest | null = null
    let found = this.#first[bucket] ?? null
    while (found !== null && found !== request) {
      before = found
      found = found.nextInFlight
    }
    if (found === null) return
    if (before === null) this.#first[bucket] = request.nextInFlight
    else before.nextInFlight = request.nextInFlight
    request.nextInFlight = null
  }
}

const hasKey = ({ plan }: UpstreamRequest, { method, params }: JudgedCall): boolean =>
  plan.coalescingKey !== null && plan.coalescingKey.params === params && plan.coalescingKey.method === method

/** FNV-1a over characters from all along the parameters. */
function bucketOf({ method, params }: JudgedCall): number {
  const step = 1 + Math.floor(params.length / hashedChars)
  let hash = 0x811c9dc5 ^ method.length
  for (let index = params.length - 1; index >= 0; index -= step) {
    hash = Math.imul(hash ^ params.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 16) & (buckets - 1)
}
