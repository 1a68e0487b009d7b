import { type RttHistogram, createRttHistogram } from './rtt-histogram.ts'

/** An addition to one row of the finest rollup. */
export interface RollupAddition {
  serviceId: string
  bucketAt: number
  upMs: number
  latencyMs: number
  downMs: number
  probes: number
  failures: number
  lagBlocksSum: number
  lagBlocksMax: number
  lagSecSum: number
  lagSecMax: number
  /** Percentiles are computed where rows are written, a few at a time: those of all services at once take 20 ms. */
  readonly rtt: RttHistogram
  /** The fewest live verifiers; null where the service was not evaluated. */
  liveMin: number | null
}

export const emptyAddition = (serviceId: string, bucketAt: number): RollupAddition => ({
  serviceId,
  bucketAt,
  upMs: 0,
  latencyMs: 0,
  downMs: 0,
  probes: 0,
  failures: 0,
  lagBlocksSum: 0,
  lagBlocksMax: 0,
  lagSecSum: 0,
  lagSecMax: 0,
  rtt: createRttHistogram(),
  liveMin: null,
})
