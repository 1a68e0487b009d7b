import type { Limit, LimitName, LimitScope } from '../../../shared/limits.ts'
import type { LimitedCost } from '../limit-decision.ts'
import { periodMs } from '../../../shared/periods.ts'
import { bucketMicrosOf, bucketsOfPeriod, type Ring, ringCells, ringTake } from '../window/ring.ts'

/**
 * Units that the store granted to this node, to be spent within the length of one sub-bucket. The store counts them
 * one sub-bucket longer than a window of one process would, so spending them late within that time breaks no limit.
 */
export interface Lease {
  left: number
  /** The end in ms of the monotonic clock, counted from the request: the grant is never older than that. */
  readonly endsAt: number
  /** The sub-bucket of the store in which the lease is counted. */
  readonly bucket: number
  /** The instant under which this node's own record counts it. */
  readonly recordedAt: number
}

/** A refusal by the store of this many units. It holds until `until`, unless other nodes return some. */
export interface StoreRefusal {
  readonly need: number
  readonly until: number
  /** The instant up to which the refusal is repeated without asking the store. */
  readonly cachedUntil: number
}

/** The state of one limit of a key or of an account on this node. All keys of an account spend the same leases of it. */
export interface LeasedLimit {
  /** The id of the key or of the account, under which the store counts. */
  readonly ownerId: string
  readonly scope: LimitScope
  readonly name: LimitName
  readonly limit: Limit
  leases: Lease[]
  /** The latest grants by this node's clock, which are posted when the store loses its data. */
  readonly record: Ring
  /** The number of units ever granted, as the store has counted them. */
  granted: number
  /** The recent demand of callers in units per ms. */
  demandPerMs: number
  demandAt: number
  /** Requests to the store that are under way. */
  requests: number
  /** The units that the store had left in its last answer; null before the first. */
  remaining: number | null
  refusal: StoreRefusal | null
}

/**
 * The sub-buckets that the store counts: those of the period, and one for the time in which a lease is spent.
 */
export const storeSlots = bucketsOfPeriod + 1

export const bucketMicros = ({ period }: Limit): number => bucketMicrosOf(periodMs[period] * 1_000)

export const leaseMs = ({ period }: Limit): number => periodMs[period] / 60

export function newLeasedLimit(
  { ownerId, scope, name, limit }: Omit<LimitedCost, 'cost'>,
  now: number,
): LeasedLimit {
  return {
    ownerId,
    scope,
    name,
    limit,
    requests: 0,
    leases: [],
    record: { bucketMicros: bucketMicros(limit), cells: new Float64Array(ringCells(storeSlots)) },
    granted: 0,
    demandPerMs: 0,
    demandAt: now,
    remaining: null,
    refusal: null,
  }
}

/**
 * Returns the state after a change of units. The period is the same, so the store goes on counting and the record of
 * grants stays.
 */
export const withUnits = (leased: LeasedLimit, limit: Limit, now: number): LeasedLimit => ({
  ...newLeasedLimit({ ...leased, limit }, now),
  record: leased.record,
  granted: leased.granted,
})

export const microsAt = (ms: number): number => Math.floor(ms * 1_000)

/** Returns the units that may be spent now. */
export function available(leased: LeasedLimit, now: number): number {
  let units = 0
  for (const lease of leased.leases) if (now < lease.endsAt) units += lease.left
  return units
}

/** The units spent from one lease. */
export interface Portion {
  readonly lease: Lease
  units: number
}

/** Spends units that are available, from the oldest leases first. */
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

/** Records a grant. `askedAt` and `now` are in ms of the monotonic clock. */
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

/** The time over which demand is averaged. */
const demandMs = 1_000

export function noteDemand(leased: LeasedLimit, cost: number, now: number): void {
  const faded = Math.exp(-Math.max(0, now - leased.demandAt) / demandMs)
  leased.demandPerMs = leased.demandPerMs * faded + cost / demandMs
  leased.demandAt = now
}

/** The longest lead of a lease; a longer one would only lock up more units when a node dies. */
const longestLeaseMs = 2_000

/** Of limits that are smaller, nothing is requested ahead: one unit that lies unused at one node is missed at another. */
const neverAheadUnits = 64

/**
 * Returns how many units to request: what queued calls need, and beyond it half a lease's time of demand, but at most
 * a quarter of this node's share. Near the limit nothing beyond, because other nodes may need it; nor while another key of
 * the account has asked, or each of them would ask for the demand of all.
 */
export function leaseSize(leased: LeasedLimit, waiting: number, nodes: number): number {
  const ms = Math.min(leaseMs(leased.limit), longestLeaseMs)
  const ahead = Math.min(
    Math.ceil((leased.demandPerMs * ms) / 2),
    Math.floor(leased.limit.units / (4 * nodes)),
  )
  if (leased.limit.units < neverAheadUnits || leased.requests > 0) return waiting
  const isNearLimit = leased.remaining === null || leased.remaining < 2 * nodes * ahead
  return isNearLimit ? waiting : Math.max(waiting, ahead)
}
