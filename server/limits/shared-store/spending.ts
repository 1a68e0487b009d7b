import type { LimitName } from '../../../shared/limits.ts'
import { periodMs } from '../../../shared/periods.ts'
import { microsToMs, type Quota } from '../admit.ts'
import { ringTake, ringUsed } from '../window/ring.ts'
import { available, type LeasedLimit, microsAt, type Portion, spend } from './lease.ts'

/** A limit of a key on this node, and what a call costs in it. */
export interface LeasedDemand {
  readonly leased: LeasedLimit
  readonly cost: number
}

/** Spends leased units of all limits, or of none: null. `now` in ms of the monotonic clock, as everywhere here. */
export function spendAll(demands: readonly LeasedDemand[], now: number): Portion[][] | null {
  if (demands.some(({ leased, cost }) => available(leased, now) < cost)) return null
  return demands.map(({ leased, cost }) => spend(leased, cost, now))
}

/** What the store refused a moment ago is refused again without asking it, until the wait it named is over. */
export function cachedRefusal(
  demands: readonly LeasedDemand[],
  now: number,
): { limit: LimitName; retryAfterMs: number; quotas: Quota[] } | null {
  let until = now
  let limit: LimitName | null = null
  for (const { leased, cost } of demands) {
    const { refusal } = leased
    if (refusal === null || cost < refusal.need || now >= refusal.cachedUntil) continue
    if (refusal.until <= until) continue
    until = refusal.until
    limit = leased.name
  }
  if (limit === null) return null
  return { limit, retryAfterMs: Math.ceil(until - now), quotas: quotasOf(demands, now) }
}

/** So long at most a node goes by a refusal: credits that another node gives back are seen no later. */
const askAgainAfterMs = 1_000

/** A limit for which the store told a wait refuses so many units for so long. */
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

/** When more units come free is known only of a limit that refuses: it is the store that counts. */
export const quotasOf = (demands: readonly LeasedDemand[], now: number): Quota[] =>
  demands.map(({ leased }) => ({
    name: leased.name,
    units: leased.limit.units,
    periodMs: periodMs[leased.limit.period],
    remaining: Math.min(leased.limit.units, (leased.remaining ?? 0) + available(leased, now)),
    resetMs: leased.refusal === null ? null : Math.max(0, Math.ceil(leased.refusal.until - now)),
  }))

/**
 * Takes from this node's share of each limit, without the store: what the store granted it lately counts in the share.
 * The store gets to know when it is back, because this node's counter will be ahead of the store's.
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
    name: leased.name,
    units: leased.limit.units,
    periodMs: periodMs[leased.limit.period],
    remaining: shareOf(leased, nodes) - ringUsed(leased.record, micros),
    resetMs: null,
  }))
}

const shareOf = ({ limit }: LeasedLimit, nodes: number): number => Math.floor(limit.units / nodes)
