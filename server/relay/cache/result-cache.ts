/** Results in bounded memory: the least recently used ones are dropped first. */
export interface ResultCache {
  /** Returns null when there is none, or it holds for another `view`. */
  get(cacheKey: string, now: number, view: number | null): string | null
  put(cacheKey: string, result: string, validity: Validity): void
  /** How many bytes of memory the entries take. */
  readonly bytes: number
  readonly entries: number
}

/** How long a result holds. */
export interface Validity {
  /** In ms of the monotonic clock. */
  readonly staleAt: number
  /** What the chain looks like while the result holds, a number that its endpoint gives it; null: however it looks. */
  readonly view: number | null
}

export const always: Validity = { staleAt: Number.POSITIVE_INFINITY, view: null }

/** Entries are linked in the order of their last use: a `Map` in that order would be searched from its beginning. */
interface CacheEntry {
  readonly cacheKey: string
  readonly result: string
  readonly validity: Validity
  readonly bytes: number
  older: CacheEntry | null
  newer: CacheEntry | null
}

/** Larger results would drop many small ones, which are read more often. */
export const maxResultBytes = 262_144
/** What an entry takes beside its texts, as measured: its place in the map, the entry itself, and two heads of texts. */
const entryBytes = 208

/** `maxBytes` may change at any time. */
export function createResultCache(maxBytes: () => number): ResultCache {
  const entries = new Map<string, CacheEntry>()
  let oldest: CacheEntry | null = null
  let newest: CacheEntry | null = null
  let bytes = 0

  function link(entry: CacheEntry): void {
    entry.older = newest
    entry.newer = null
    if (newest === null) oldest = entry
    else newest.newer = entry
    newest = entry
  }

  function unlink({ older, newer }: CacheEntry): void {
    if (older === null) oldest = newer
    else older.newer = newer
    if (newer === null) newest = older
    else newer.older = older
  }

  function drop(entry: CacheEntry): void {
    entries.delete(entry.cacheKey)
    unlink(entry)
    bytes -= entry.bytes
  }

  return {
    get(cacheKey, now, view) {
      const entry = entries.get(cacheKey)
      if (entry === undefined) return null
      const { validity } = entry
      if (now >= validity.staleAt || (validity.view !== null && validity.view !== view)) {
        drop(entry)
        return null
      }
      if (entry !== newest) {
        unlink(entry)
        link(entry)
      }
      return entry.result
    },
    put(cacheKey, result, validity) {
      const most = maxBytes()
      const before = entries.get(cacheKey)
      if (before !== undefined) drop(before)
      const [key, copy] = [compactText(cacheKey), compactText(result)]
      const size = bytesOf(key) + bytesOf(copy) + entryBytes
      if (size <= Math.min(maxResultBytes, most)) {
        const entry = { cacheKey: key, result: copy, validity, bytes: size, older: null, newer: null }
        entries.set(key, entry)
        link(entry)
        bytes += size
      }
      for (let last = oldest; last !== null && bytes > most; last = oldest) drop(last)
    },
    get bytes() {
      return bytes
    },
    get entries() {
      return entries.size
    },
  }
}

/** A part of a text keeps all of it in memory, so that a short answer would keep the whole batch that it came in. */
const compactText = (text: string): string => Buffer.from(text).toString()

/** The runtime takes one byte for a character of ASCII, which JSON of nodes nearly always is, and else two for each. */
const bytesOf = (text: string): number =>
  Buffer.byteLength(text) === text.length ? text.length : text.length * 2
