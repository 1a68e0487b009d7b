import type { Limit, LimitName } from '../../../shared/limits.ts'
import { periodMs } from '../../../shared/periods.ts'
import { bucketMicrosOf, bucketsOfPeriod, type Ring, ringCells, ringTake } from '../window/ring.ts'

/**
 * Units that the store has granted to this node, to be spent within one sub-bucket's time. The store counts them one
 * sub-bucket longer than a window of one process would, so spending them late within that time breaks no limit.
 */
export interface Lease {
  left: number
  /** ms of the monotonic clock, counted from when it was asked for: the grant is never older than that. */
  readonly endsAt: number
  /** The sub-bucket of the store that it is counted in. */
  readonly bucket: number
  /** Under which instant the node's own record has it. */
  readonly recordedAt: number
}

/** The store refused so many units, and will until then, unless other nodes give some back. */
export interface StoreRefusal {
  readonly need: number
  readonly until: number
  /** Up to here it is repeated without asking the store. */
  readonly cachedUntil: number
}

/** What this node knows about one limit of a key. */
export interface LeasedLimit {
  readonly name: LimitName
  readonly limit: Limit
  leases: Lease[]
  /** What this node was granted lately, by its own clock: posted when the store loses its data. */
  readonly record: Ring
  /** All it was ever granted, as the store has counted it. */
  granted: number
  /** Asked for by callers: units per ms, lately. */
  demandPerMs: number
  demandAt: number
  /** What the store had left when it last answered; null: it has not. */
  remaining: number | null
  refusal: StoreRefusal | null
}

/** Sub-buckets that the store counts: those of the period, and one for the time in which a lease is spent. */
export const storeSlots = bucketsOfPeriod + 1

export const bucketMicros = ({ period }: Limit): number => bucketMicrosOf(periodMs[period] * 1_000)

export const leaseMs = ({ period }: Limit): number => periodMs[period] / 60

export function newLeasedLimit(name: LimitName, limit: Limit, now: number): LeasedLimit {
  return {
    name,
    limit,
    leases: [],
    record: { bucketMicros: bucketMicros(limit), cells: new Float64Array(ringCells(storeSlots)) },
    granted: 0,
    demandPerMs: 0,
    demandAt: now,
    remaining: null,
    refusal: null,
  }
}

/** Of the same period, for which the store goes on counting: so does this node's record of what it was granted. */
export const withUnits = (leased: LeasedLimit, limit: Limit, now: number): LeasedLimit => ({
  ...newLeasedLimit(leased.name, limit, now),
  record: leased.record,
  granted: leased.granted,
})

export const microsAt = (ms: number): number => Math.floor(ms * 1_000)

/** Units that may be spent now. */
export function available(leased: LeasedLimit, now: number): number {
  let units = 0
  for (const lease of leased.leases) if (now < lease.endsAt) units += lease.left
  return units
}

/** From which lease units were spent. */
export interface Portion {
  readonly lease: Lease
  units: number
}

/** Spends units that are available, the oldest leases first. */
export function spend(leased: LeasedLimit, cost: number, now: number): Portion[] {
  const portions: Portion[] = []
  let missing = cost
  for (const lease of leased.leases) {
    if (now >= lease.endsAt || missing === 0) continue
    const units = Math.min(missing, lease.left)
    lease.left -= units
    missing -= units
    if (units > 0) portions.push({ lease, units })
  }
  leased.leases = leased.leases.filter(({ left, endsAt }) => left > 0 && now < endsAt)
  return portions
}

/** Notes a grant. `askedAt` and `now` in ms of the monotonic clock. */
export function addGrant(
  leased: LeasedLimit,
  grant: { units: number; remaining: number; bucket: number; granted: number },
  askedAt: number,
  now: number,
): void {
  leased.remaining = grant.remaining
  leased.refusal = null
  // The store may count grants whose answer never came: then its counter is ahead, and right.
  leased.granted = Math.max(leased.granted, grant.granted)
  if (grant.units === 0) return
  const recordedAt = ringTake(leased.record, grant.units, microsAt(now))
  leased.leases.push({
    left: grant.units,
    endsAt: askedAt + leaseMs(leased.limit),
    bucket: grant.bucket,
    recordedAt,
  })
}

/** For how far back demand is averaged. */
const demandMs = 1_000

export function noteDemand(leased: LeasedLimit, cost: number, now: number): void {
  const faded = Math.exp(-Math.max(0, now - leased.demandAt) / demandMs)
  leased.demandPerMs = leased.demandPerMs * faded + cost / demandMs
  leased.demandAt = now
}

/** Longer leases than for this long would only tie up more units when a node dies. */
const longestLeaseMs = 2_000

/**
 * How many units to ask for: what callers wait for, and besides it half a lease's time of demand, at most a quarter of
 * this node's share. Near the limit nothing besides: others may need it.
 */
export function leaseSize(leased: LeasedLimit, waiting: number, nodes: number): number {
  const ms = Math.min(leaseMs(leased.limit), longestLeaseMs)
  const ahead = Math.min(
    Math.ceil((leased.demandPerMs * ms) / 2),
    Math.floor(leased.limit.units / (4 * nodes)),
  )
  const isNearLimit = leased.remaining === null || leased.remaining < 2 * nodes * ahead
  return isNearLimit ? waiting : Math.max(waiting, ahead)
}
