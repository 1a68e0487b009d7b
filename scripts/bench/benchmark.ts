import { spreadOf } from './statistics.ts'
import type { Spread } from './statistics.ts'

export interface BenchmarkOptions {
  /** How often every arm is measured; arms take turns, so that a busy machine is busy for all of them. */
  readonly rounds: number
  /** How long something is watched that must not happen. */
  readonly minutes: number
}

/** Something that is measured. It shows numbers and never judges the run: nothing fails because of a number. */
export interface Benchmark {
  readonly name: string
  /** One line for `--help`. */
  readonly about: string
  run(options: BenchmarkOptions): Promise<Result>
}

export interface Result {
  readonly title: string
  readonly rows: readonly Row[]
  /** How it was measured, and what a number does not say. */
  readonly notes: readonly string[]
}

export interface Row {
  readonly measure: string
  readonly unit: string
  readonly value: Spread
  /** Null: shown for comparison only. */
  readonly bar: Bar | null
}

/** A row out of what was measured in each round. Throws RangeError when nothing was. */
export const benchmarkRowOf = (
  measure: string,
  unit: string,
  values: readonly number[],
  bar: Bar | null = null,
): Row => ({ measure, unit, value: spreadOf(values), bar })

export interface Bar {
  readonly kind: 'at least' | 'at most'
  readonly limit: number
}

export const atLeast = (limit: number): Bar => ({ kind: 'at least', limit })
export const atMost = (limit: number): Bar => ({ kind: 'at most', limit })

/** Judged by the median: single rounds suffer from whatever else the machine does. */
export function meets({ kind, limit }: Bar, { median }: Spread): boolean {
  switch (kind) {
    case 'at least':
      return median >= limit
    case 'at most':
      return median <= limit
  }
}
