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
  let fastestMs = Number.POSITIVE_INFINITY
  for (let place = 0; place < standings.length; place++) {
    const standing = standings[place]
    if (standing === undefined || isTried(tried, place)) continue
    bestRank = Math.min(bestRank, rankOf(standing, isRead))
    if (standing.latencyMs !== null) fastestMs = Math.min(fastestMs, standing.latencyMs)
  }
  if (fastestMs === Number.POSITIVE_INFINITY) fastestMs = leastLatencyMs

  let shares = 0
  for (let place = 0; place < standings.length; place++) {
    shares += shareIn(standings, place, tried, isRead, bestRank, fastestMs)
  }
  let left = roll * shares
  let chosen = -1
  for (let place = 0; place < standings.length && left >= 0; place++) {
    const share = shareIn(standings, place, tried, isRead, bestRank, fastestMs)
    if (share === 0) continue
    chosen = place
    left -= share
  }
  return chosen
}

/** 0 for those that are out of the question. An upstream of which nothing is known counts as the fastest: it is tried. */
function shareIn(
  standings: readonly Standing[],
  place: number,
  tried: number,
  isRead: boolean,
  rank: number,
  fastestMs: number,
): number {
  const standing = standings[place]
  if (standing === undefined || isTried(tried, place) || rankOf(standing, isRead) !== rank) return 0
  return standing.weight / Math.max(leastLatencyMs, standing.latencyMs ?? fastestMs)
}

const isTried = (tried: number, place: number): boolean => ((tried >> place) & 1) === 1

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
