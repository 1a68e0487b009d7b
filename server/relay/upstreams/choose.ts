import type { Decision } from '../../../shared/health.ts'

/** Where an upstream stands when one is to be chosen. */
export interface Standing {
  /** Of its health; null: it is not monitored. */
  readonly decision: Decision | null
  /** `half-open`: it failed a while ago, and one call may try whether it is well again. */
  readonly breaker: 'closed' | 'half-open' | 'open'
  readonly isFull: boolean
  readonly weight: number
  /** Lately; null: nothing is known yet. */
  readonly latencyMs: number | null
}

/**
 * Which upstreams come before which: 0 before 1, and so on. Nothing is ever left out: where all are bad, the least bad
 * is tried rather than none. UNKNOWN is neutral, as nobody claims that anything is wrong.
 */
export function rankOf({ decision, breaker, isFull }: Standing, isRead: boolean): number {
  if (decision === 'DOWN') return 5
  if (breaker === 'open') return 4
  if (isFull) return 3
  // A call that cannot be repeated elsewhere is not for trying whether an upstream is well again.
  if (breaker === 'half-open' && !isRead) return 2
  return decision === 'LATENCY' ? 1 : 0
}

/** Latencies below this are told apart by chance only. */
const leastLatencyMs = 0.5

/**
 * One of those with the best rank, with a chance by weight and by how fast it was lately. `tried`: bit n stands for
 * upstream n, which is left out. `roll`: from 0 to 1, 1 excluded. Returns -1 when all were tried.
 */
export function choose(standings: readonly Standing[], tried: number, isRead: boolean, roll: number): number {
  let bestRank = Number.POSITIVE_INFINITY
  let best = 0
  for (let place = 0; place < standings.length; place++) {
    const standing = standings[place]
    if (standing === undefined || isIn(tried, place)) continue
    const rank = rankOf(standing, isRead)
    if (rank > bestRank) continue
    best = rank === bestRank ? best | (1 << place) : 1 << place
    bestRank = rank
  }
  return chooseAmong(standings, best, roll)
}

/** One of a set of places, in which bit n stands for upstream n; -1: the set is empty. */
function chooseAmong(standings: readonly Standing[], set: number, roll: number): number {
  // Of one nothing needs to be weighed. Numbers with one bit have no bit in common with the number before.
  if ((set & (set - 1)) === 0) return set === 0 ? -1 : 31 - Math.clz32(set)
  const fastestMs = fastestOf(standings, set)
  let shares = 0
  for (let place = 0; place < standings.length; place++) shares += shareIn(standings, set, place, fastestMs)
  let left = roll * shares
  let chosen = -1
  for (let place = 0; place < standings.length && left >= 0; place++) {
    const share = shareIn(standings, set, place, fastestMs)
    if (share === 0) continue
    chosen = place
    left -= share
  }
  return chosen
}

function fastestOf(standings: readonly Standing[], set: number): number {
  let fastestMs = Number.POSITIVE_INFINITY
  for (let place = 0; place < standings.length; place++) {
    const latencyMs = standings[place]?.latencyMs ?? null
    if (latencyMs !== null && isIn(set, place)) fastestMs = Math.min(fastestMs, latencyMs)
  }
  return fastestMs === Number.POSITIVE_INFINITY ? leastLatencyMs : fastestMs
}

/** 0 for those that are not in the set. An upstream of which nothing is known counts as the fastest: it is tried. */
function shareIn(standings: readonly Standing[], set: number, place: number, fastestMs: number): number {
  const standing = standings[place]
  if (standing === undefined || !isIn(set, place)) return 0
  return standing.weight / Math.max(leastLatencyMs, standing.latencyMs ?? fastestMs)
}

const isIn = (set: number, place: number): boolean => ((set >> place) & 1) === 1

/**
 * The same one for a key as long as it is reachable, because filters live in the node that made them: of those that are
 * neither DOWN nor given up the one whose name goes best with the key's (rendezvous hashing), else of all.
 */
export function chooseFor(keyId: string, ids: readonly string[], standings: readonly Standing[]): number {
  let chosen = -1
  let best = -1
  let isBestReachable = false
  for (let place = 0; place < ids.length; place++) {
    const standing = standings[place]
    const isReachable = standing?.decision !== 'DOWN' && standing?.breaker !== 'open'
    const score = hashOf(keyId, ids[place] ?? '')
    if (isBestReachable && !isReachable) continue
    if (score <= best && isReachable === isBestReachable) continue
    chosen = place
    best = score
    isBestReachable = isReachable
  }
  return chosen
}

/** FNV-1a with a last mix, 32 bits: it only has to spread keys. */
function hashOf(one: string, other: string): number {
  let hash = 0x811c9dc5
  const text = `${one}\n${other}`
  for (let place = 0; place < text.length; place++) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
