import { periodMs } from '../../../shared/periods.ts'
import { microsToMs, type Quota } from '../admit.ts'
import type { RefusedByLimit } from '../limit-decision.ts'
import { ringTake, ringUsed } from '../window/ring.ts'
import { available, type LeasedLimit, microsAt, type Portion, spend } from './lease.ts'

/** A limit of a key or of its account on this node, and the cost of the call in it. */
export interface LeasedDemand {
  readonly leased: LeasedLimit
  readonly cost: number
}

/**
 * Spends leased units of all limits, or returns null and spends none. `now` is in ms of the monotonic clock, as
 * everywhere in this room.
 */
export function spendAll(demands: readonly LeasedDemand[], now: number): Portion[][] | null {
  if (demands.some(({ leased, cost }) => available(leased, now) < cost)) return null
  return demands.map(({ leased, cost }) => spend(leased, cost, now))
}

/** Returns the refusal that the store gave a moment ago, until the wait that it named is over. */
export function cachedRefusal(
  demands: readonly LeasedDemand[],
  now: number,
): Omit<RefusedByLimit, 'kind'> | null {
  let until = now
  let refusing: LeasedLimit | null = null
  for (const { leased, cost } of demands) {
    const { refusal } = leased
    if (refusal === null || cost < refusal.need || now >= refusal.cachedUntil) continue
    if (refusal.until <= until) continue
    until = refusal.until
    refusing = leased
  }
  if (refusing === null) return null
  const { name: limit, scope } = refusing
  return { limit, scope, retryAfterMs: Math.ceil(until - now), quotas: quotasOf(demands, now) }
}

/**
 * The longest time for which a refusal is repeated; credits that another node returns are noticed within it.
 */
const askAgainAfterMs = 1_000

/** Records for each limit that the store refused how long it refuses so many units. */
export function noteRefusals(
  demands: readonly LeasedDemand[],
  refusals: readonly { waitMicros: number; remaining: number }[],
  now: number,
): void {
  demands.forEach(({ leased, cost }, index) => {
    const refused = refusals[index]
    if (refused === undefined) return
    leased.remaining = refused.remaining
    const until = now + microsToMs(refused.waitMicros)
    leased.refusal =
      refused.waitMicros === 0
        ? null
        : { need: cost, until, cachedUntil: Math.min(until, now + askAgainAfterMs) }
  })
}

/**
 * Returns the state of each limit. Only for a limit that refuses is it known when units become free, because the store
 * counts.
 */
export const quotasOf = (demands: readonly LeasedDemand[], now: number): Quota[] =>
  demands.map(({ leased }) => ({
    scope: leased.scope,
    name: leased.name,
    units: leased.limit.units,
    periodMs: periodMs[leased.limit.period],
    remaining: Math.min(leased.limit.units, (leased.remaining ?? 0) + available(leased, now)),
    resetMs: leased.refusal === null ? null : Math.max(0, Math.ceil(leased.refusal.until - now)),
  }))

/**
 * Takes from this node's share of each limit without the store; recent grants count in the share. The store learns of
 * it when it returns, because this node's counter is ahead of the store's.
 */
export function spendShare(demands: readonly LeasedDemand[], nodes: number, now: number): Quota[] | null {
  const micros = microsAt(now)
  const isBeyond = ({ leased, cost }: LeasedDemand): boolean =>
    ringUsed(leased.record, micros) + cost > shareOf(leased, nodes)
  if (demands.some(isBeyond)) return null
  for (const { leased, cost } of demands) {
    ringTake(leased.record, cost, micros)
    leased.granted += cost
  }
  return demands.map(({ leased }) => ({
    scope: leased.scope,
    name: leased.name,
    units: leased.limit.units,
    periodMs: periodMs[leased.limit.period],
    remaining: shareOf(leased, nodes) - ringUsed(leased.record, micros),
    resetMs: null,
  }))
}

const shareOf = ({ limit }: LeasedLimit, nodes: number): number => Math.floor(limit.units / nodes)
