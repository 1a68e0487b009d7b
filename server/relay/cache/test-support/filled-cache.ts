import { heapStats } from 'bun:jsc'

import { always, createResultCache } from '../result-cache.ts'

/** Fills a cache with results of so many bytes, the argument, and prints what that took as JSON. */

export interface FilledCache {
  /** All in bytes: what the cache may take, what it says that it takes, and what it takes. */
  readonly most: number
  readonly said: number
  readonly taken: number
}

function settledHeap(): number {
  for (let time = 0; time < 3; time++) Bun.gc(true)
  return heapStats().heapSize
}

const size = Number(process.argv[2])
const most = 12 * 1_048_576
const cache = createResultCache(() => most)
const before = settledHeap()
for (let n = 0; n * size < 2 * most; n++) {
  const key = `1 0 eth_getTransactionReceipt\n["0x${n.toString(16).padStart(64, '0')}"]`
  cache.put(key, JSON.stringify({ n, data: 'y'.repeat(size - 20) }), always)
}
const filled: FilledCache = { most, said: cache.bytes, taken: settledHeap() - before }
process.stdout.write(JSON.stringify(filled))
