import { endpointBounds } from '../../../shared/endpoints.ts'
import type { Decision } from '../../../shared/health.ts'

/** The state of an upstream, as far as the choice depends on it. */
export interface UpstreamState {
  /** The health decision; null when the upstream is not monitored. */
  readonly decision: Decision | null
  /** `half-open` when it failed a while ago, and one call may try whether it works again. */
  readonly breaker: 'closed' | 'half-open' | 'open'
  readonly isFull: boolean
  /** Nobody of a higher one is asked while somebody of a lower one can be. */
  readonly tier: number
  readonly weight: number
  /** The recent mean latency; null before the first call. */
  readonly latencyMs: number | null
}

/** Ranks below this one can be asked. */
const lastResort = 3
const tiers = endpointBounds.tier + 1

/**
 * Returns the order in which upstreams are chosen, the lowest first: by tier and then by rank, and after all that can be
 * asked, the last resorts of all tiers by rank.
 */
export function orderOf(state: UpstreamState, isRead: boolean): number {
  const rank = rankOf(state, isRead)
  return rank < lastResort ? state.tier * lastResort + rank : rank * lastResort * tiers + state.tier
}

/**
 * Returns the rank of an upstream: 0 is chosen before 1, and so on. No upstream is ever excluded: where all are bad, the
 * least bad is called rather than none. UNKNOWN is neutral, because it does not say that anything is wrong.
 */
export function rankOf({ decision, breaker, isFull }: UpstreamState, isRead: boolean): number {
  if (decision === 'DOWN') return 5
  if (breaker === 'open') return 4
  if (isFull) return 3
  // A call that cannot be repeated elsewhere must not be the one that tries whether an upstream works again.
  if (breaker === 'half-open' && !isRead) return 2
  return decision === 'LATENCY' ? 1 : 0
}

/** Differences between latencies below this are noise. */
const leastLatencyMs = 0.5

/**
 * Returns the index of one of the first upstreams in that order, with a probability by weight and recent latency; -1 when
 * all were tried. Bit n of `tried` excludes upstream n. `roll` is a random number from 0 to 1, 1 excluded.
 */
export function chooseUpstream(
  states: readonly UpstreamState[],
  tried: number,
  isRead: boolean,
  roll: number,
): number {
  let bestOrder = Number.POSITIVE_INFINITY
  let best = 0
  for (let index = 0; index < states.length; index++) {
    const state = states[index]
    if (state === undefined || isIn(tried, index)) continue
    const order = orderOf(state, isRead)
    if (order > bestOrder) continue
    best = order === bestOrder ? best | (1 << index) : 1 << index
    bestOrder = order
  }
  return chooseAmong(states, best, roll)
}

/** Returns the indexes of all upstreams in the order in which they would be chosen, one after the other, for a write. */
export function chooseInOrder(states: readonly UpstreamState[], random: () => number): number[] {
  const order: number[] = []
  let taken = 0
  while (order.length < states.length) {
    const index = chooseUpstream(states, taken, false, random())
    taken |= 1 << index
    order.push(index)
  }
  return order
}

/** Chooses from a set of indexes, in which bit n stands for upstream n; returns -1 for the empty set. */
function chooseAmong(states: readonly UpstreamState[], set: number, roll: number): number {
  // A single one needs no weighing. Numbers with one bit have no bit in common with the number before.
  if ((set & (set - 1)) === 0) return set === 0 ? -1 : 31 - Math.clz32(set)
  const fastestMs = fastestOf(states, set)
  let shares = 0
  for (let index = 0; index < states.length; index++) shares += shareIn(states, set, index, fastestMs)
  let left = roll * shares
  let chosen = -1
  for (let index = 0; index < states.length && left >= 0; index++) {
    const share = shareIn(states, set, index, fastestMs)
    if (share === 0) continue
    chosen = index
    left -= share
  }
  return chosen
}

function fastestOf(states: readonly UpstreamState[], set: number): number {
  let fastestMs = Number.POSITIVE_INFINITY
  for (let index = 0; index < states.length; index++) {
    const latencyMs = states[index]?.latencyMs ?? null
    if (latencyMs !== null && isIn(set, index)) fastestMs = Math.min(fastestMs, latencyMs)
  }
  return fastestMs === Number.POSITIVE_INFINITY ? leastLatencyMs : fastestMs
}

/** Returns 0 for indexes outside the set. An upstream without a latency counts as the fastest, so that it is tried. */
function shareIn(states: readonly UpstreamState[], set: number, index: number, fastestMs: number): number {
  const state = states[index]
  if (state === undefined || !isIn(set, index)) return 0
  return state.weight / Math.max(leastLatencyMs, state.latencyMs ?? fastestMs)
}

const isIn = (set: number, index: number): boolean => ((set >> index) & 1) === 1

/**
 * Returns the index of the same upstream for a key as long as it is reachable, because filters live in the node that
 * made them: rendezvous hashing over the upstreams of the lowest tier that are neither DOWN nor behind an open circuit
 * breaker, else over all. Bit n of `excluded` excludes upstream n; returns -1 when all are.
 */
export function chooseSticky(
  keyId: string,
  ids: readonly string[],
  states: readonly UpstreamState[],
  excluded = 0,
): number {
  let chosen = -1
  let best = -1
  let bestTier = Number.POSITIVE_INFINITY
  for (let index = 0; index < ids.length; index++) {
    if (isIn(excluded, index)) continue
    const state = states[index]
    const isReachable = state?.decision !== 'DOWN' && state?.breaker !== 'open'
    const tier = isReachable ? (state?.tier ?? 0) : tiers
    const score = hashOf(keyId, ids[index] ?? '')
    if (tier > bestTier || (tier === bestTier && score <= best)) continue
    chosen = index
    best = score
    bestTier = tier
  }
  return chosen
}

/** FNV-1a with a final mix, 32 bits: it only has to spread keys. */
function hashOf(one: string, other: string): number {
  let hash = 0x811c9dc5
  const text = `${one}\n${other}`
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
