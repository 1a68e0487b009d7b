/**
 * A ring of sub-buckets, each a part of the period long. The oldest of them lies partly before the interval and still
 * counts as a whole: so never more than the limit in any interval of the period, and a refusal means that more than
 * the limit less the cost was taken within one sub-bucket more than the period.
 * Lanes: number of the newest sub-bucket · sum of all · units of each. All zero is an empty ring.
 */
export interface Ring {
  readonly bucketMicros: number
  readonly lanes: Float64Array
}

export const subBuckets = 60

const newestLane = 0
const sumLane = 1
const firstBucketLane = 2

/** Sub-buckets that lie in an interval of the period, the partly covered one included. */
export const bucketsOfPeriod = subBuckets + 1

export const ringLanes = (buckets: number): number => firstBucketLane + buckets

/** Rounded up for a period of a second: 60 parts of 16,667 µs still cover it. */
export const bucketMicrosOf = (periodMicros: number): number => Math.ceil(periodMicros / subBuckets)

const bucketCount = ({ lanes }: Ring): number => lanes.length - firstBucketLane

/** Without `%`, which of numbers that are no 32-bit integers takes longer than all the rest of a decision. */
function laneOf(ring: Ring, bucket: number): number {
  const count = bucketCount(ring)
  return firstBucketLane + bucket - Math.floor(bucket / count) * count
}

const newestOf = ({ lanes }: Ring): number => lanes[newestLane] ?? 0

/** Drops the sub-buckets that have left the interval which ends now. An instant before the newest one changes nothing. */
function roll(ring: Ring, now: number): void {
  const { lanes, bucketMicros } = ring
  const newest = newestOf(ring)
  const current = Math.floor(now / bucketMicros)
  if (current <= newest) return
  if (current - newest >= bucketCount(ring)) lanes.fill(0)
  else for (let bucket = newest + 1; bucket <= current; bucket++) clear(ring, laneOf(ring, bucket))
  lanes[newestLane] = current
}

function clear(ring: Ring, lane: number): void {
  const units = ring.lanes[lane] ?? 0
  if (units === 0) return
  ring.lanes[sumLane] = ringSum(ring) - units
  ring.lanes[lane] = 0
}

const ringSum = ({ lanes }: Ring): number => lanes[sumLane] ?? 0

export function ringUsed(ring: Ring, now: number): number {
  roll(ring, now)
  return ringSum(ring)
}

/** Microseconds until so many units have left; 0 when there are none to wait for. */
export function ringWaitFor(ring: Ring, leaving: number, now: number): number {
  roll(ring, now)
  if (leaving <= 0) return 0
  const { lanes } = ring
  const newest = newestOf(ring)
  const oldest = Math.max(0, newest - bucketCount(ring) + 1)
  let lane = laneOf(ring, oldest)
  let left = 0
  for (let bucket = oldest; bucket <= newest; bucket++) {
    left += lanes[lane] ?? 0
    if (left >= leaving) return (bucket + bucketCount(ring)) * ring.bucketMicros - now
    lane = lane + 1 < lanes.length ? lane + 1 : firstBucketLane
  }
  throw new RangeError('more units are to leave than are in the window')
}

export function ringTake(ring: Ring, cost: number, now: number): number {
  roll(ring, now)
  const lane = laneOf(ring, newestOf(ring))
  ring.lanes[lane] = (ring.lanes[lane] ?? 0) + cost
  ring.lanes[sumLane] = ringSum(ring) + cost
  return Math.max(now, newestOf(ring) * ring.bucketMicros)
}

export function ringGiveBack(ring: Ring, cost: number, takenAt: number, now: number): void {
  roll(ring, now)
  const bucket = Math.floor(takenAt / ring.bucketMicros)
  if (bucket > newestOf(ring) || bucket <= newestOf(ring) - bucketCount(ring)) return
  const lane = laneOf(ring, bucket)
  const returned = Math.min(cost, ring.lanes[lane] ?? 0)
  ring.lanes[lane] = (ring.lanes[lane] ?? 0) - returned
  ring.lanes[sumLane] = ringSum(ring) - returned
}

/** A process that was killed between two writes leaves a sum that its sub-buckets do not make. */
export function ringRepair({ lanes }: Ring): void {
  let sum = 0
  for (let lane = firstBucketLane; lane < lanes.length; lane++) sum += lanes[lane] ?? 0
  lanes[sumLane] = sum
}

export const ringLatest = (ring: Ring): number => newestOf(ring) * ring.bucketMicros

/** What is in each sub-bucket that is not empty, newest first; `endsAt` is the first instant after it. */
export function ringContent(ring: Ring, now: number): { endsAt: number; units: number }[] {
  roll(ring, now)
  const newest = newestOf(ring)
  const content = []
  for (let bucket = newest; bucket >= 0 && bucket > newest - bucketCount(ring); bucket--) {
    const units = ring.lanes[laneOf(ring, bucket)] ?? 0
    if (units > 0) content.push({ endsAt: (bucket + 1) * ring.bucketMicros, units })
  }
  return content
}
