import * as z from 'zod/mini'

export const cacheBounds = { memoryMb: 65_536, storeHours: 720 } as const

const wholeFrom = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most))

/** Where the relay keeps results that answer later calls. */
export const CacheSection = z.strictObject({
  memoryMb: z._default(wholeFrom(0, cacheBounds.memoryMb), 32), // MiB of each process; 0 keeps nothing
  store: z._default(z.enum(['none', 'redis']), 'none'), // `redis`: final results are kept for all processes, too
  storeHours: z._default(wholeFrom(1, cacheBounds.storeHours), 24), // how long it keeps them
})
export type CacheSettings = z.infer<typeof CacheSection>

export const defaultCache: CacheSettings = { memoryMb: 32, store: 'none', storeHours: 24 }
