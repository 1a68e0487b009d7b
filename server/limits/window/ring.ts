/**
 * A ring of sub-buckets, each a part of the period long. The oldest one lies partly before the interval and still
 * counts as a whole: so never more than the limit in any interval of the period, and a refusal means that more than
 * the limit less the cost was taken within one sub-bucket more than the period. Cells: the number of the newest
 * sub-bucket · the sum of all · the units of each. All zeros are an empty ring.
 */
export interface Ring {
  readonly bucketMicros: number
  readonly cells: Float64Array
}

export const subBuckets = 60

const newestCell = 0
const sumCell = 1
const firstBucketCell = 2

/** The number of sub-buckets in an interval of the period, the partly covered one included. */
export const bucketsOfPeriod = subBuckets + 1

export const ringCells = (buckets: number): number => firstBucketCell + buckets

/**
 * Returns the length of a sub-bucket, rounded up: for a period of a second, 60 parts of 16,667 µs still cover it.
 */
export const bucketMicrosOf = (periodMicros: number): number => Math.ceil(periodMicros / subBuckets)

const bucketCount = ({ cells }: Ring): number => cells.length - firstBucketCell

/**
 * Returns the cell of a sub-bucket. It avoids `%`, which for numbers beyond 32 bits takes longer than the rest of a
 * decision.
 */
function cellOf(ring: Ring, bucket: number): number {
  const count = bucketCount(ring)
  return firstBucketCell + bucket - Math.floor(bucket / count) * count
}

const newestOf = ({ cells }: Ring): number => cells[newestCell] ?? 0

/**
 * Drops the sub-buckets that have left the interval ending now. An instant before the newest one changes nothing.
 */
function roll(ring: Ring, now: number): void {
  const { cells, bucketMicros } = ring
  const newest = newestOf(ring)
  const current = Math.floor(now / bucketMicros)
  if (current <= newest) return
  if (current - newest >= bucketCount(ring)) cells.fill(0)
  else for (let bucket = newest + 1; bucket <= current; bucket++) clear(ring, cellOf(ring, bucket))
  cells[newestCell] = current
}

function clear(ring: Ring, cell: number): void {
  const units = ring.cells[cell] ?? 0
  if (units === 0) return
  ring.cells[sumCell] = ringSum(ring) - units
  ring.cells[cell] = 0
}

const ringSum = ({ cells }: Ring): number => cells[sumCell] ?? 0

export function ringUsed(ring: Ring, now: number): number {
  roll(ring, now)
  return ringSum(ring)
}

/** Returns the µs until so many units have left; 0 when there are none to wait for. */
export function ringWaitFor(ring: Ring, leaving: number, now: number): number {
  roll(ring, now)
  if (leaving <= 0) return 0
  const { cells } = ring
  const newest = newestOf(ring)
  const oldest = Math.max(0, newest - bucketCount(ring) + 1)
  let cell = cellOf(ring, oldest)
  let left = 0
  for (let bucket = oldest; bucket <= newest; bucket++) {
    left += cells[cell] ?? 0
    if (left >= leaving) return (bucket + bucketCount(ring)) * ring.bucketMicros - now
    cell = cell + 1 < cells.length ? cell + 1 : firstBucketCell
  }
  throw new RangeError('more units are to leave than are in the window')
}

export function ringTake(ring: Ring, cost: number, now: number): number {
  roll(ring, now)
  const cell = cellOf(ring, newestOf(ring))
  ring.cells[cell] = (ring.cells[cell] ?? 0) + cost
  ring.cells[sumCell] = ringSum(ring) + cost
  return Math.max(now, newestOf(ring) * ring.bucketMicros)
}

export function ringGiveBack(ring: Ring, cost: number, takenAt: number, now: number): void {
  roll(ring, now)
  const bucket = Math.floor(takenAt / ring.bucketMicros)
  if (bucket > newestOf(ring) || bucket <= newestOf(ring) - bucketCount(ring)) return
  const cell = cellOf(ring, bucket)
  const returned = Math.min(cost, ring.cells[cell] ?? 0)
  ring.cells[cell] = (ring.cells[cell] ?? 0) - returned
  ring.cells[sumCell] = ringSum(ring) - returned
}

/** Recomputes the sum, which a process killed between two writes leaves inconsistent. */
export function ringRepair({ cells }: Ring): void {
  let sum = 0
  for (let cell = firstBucketCell; cell < cells.length; cell++) sum += cells[cell] ?? 0
  cells[sumCell] = sum
}

export const ringLatest = (ring: Ring): number => newestOf(ring) * ring.bucketMicros

/** Returns the sub-buckets that are not empty, newest first; `endsAt` is the first instant after each. */
export function ringContent(ring: Ring, now: number): { endsAt: number; units: number }[] {
  roll(ring, now)
  const newest = newestOf(ring)
  const content = []
  for (let bucket = newest; bucket >= 0 && bucket > newest - bucketCount(ring); bucket--) {
    const units = ring.cells[cellOf(ring, bucket)] ?? 0
    if (units > 0) content.push({ endsAt: (bucket + 1) * ring.bucketMicros, units })
  }
  return content
}
