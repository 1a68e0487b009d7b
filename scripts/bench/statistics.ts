/** Several measurements of one thing. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly count: number
}

const ascending = (one: number, other: number): number => one - other

/** Throws RangeError on an empty list. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted(ascending)
  return {
    median: percentile(sorted, 50),
    min: percentile(sorted, 0),
    max: percentile(sorted, 100),
    count: sorted.length,
  }
}

/** By linear interpolation, `percent` from 0 to 100. `sorted` ascending; throws RangeError when it is empty. */
export function percentile(sorted: readonly number[], percent: number): number {
  const place = ((sorted.length - 1) * percent) / 100
  const lower = sorted[Math.floor(place)]
  const upper = sorted[Math.ceil(place)]
  if (lower === undefined || upper === undefined) throw new RangeError('nothing was measured')
  return lower + (upper - lower) * (place - Math.floor(place))
}

/** Quotients of two arms, round by round. */
export const ratios = (numerators: readonly number[], denominators: readonly number[]): number[] =>
  numerators.map((numerator, round) => numerator / (denominators[round] ?? Number.NaN))
