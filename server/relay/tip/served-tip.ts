/** The newest block of one tag (`latest`, `safe` or `finalized`) that an endpoint tells its callers. */
export interface ServedTip {
  readonly height: number
  /** When a node last reported this block, or a later one; in ms of the monotonic clock. */
  readonly confirmedAt: number
  /** How often the tip was lowered: a tip of a higher epoch replaces one of a lower epoch, whatever their heights. */
  readonly epoch: number
}

/** What one node last reported of the tag. */
export interface NodeHead {
  readonly height: number
  /** The highest block that it ever reported, until the tip was lowered. */
  readonly peak: number
  readonly at: number
  /** Where it was before it reported a block that the chain cannot have come to since; undefined: it did not. */
  readonly leaptFrom?: Reported | undefined
}

/** A height, and when it was reported. */
export interface Reported {
  readonly height: number
  readonly at: number
}

/** A node, as far as the tip depends on it. `head` is null before its first report. */
export interface TipNode {
  readonly head: NodeHead | null
  /** False for a node that is known to be down or behind: it does not count while there is another. */
  readonly isInUse: boolean
}

/** A node is not contradicted by others that are so many blocks behind it, because nodes do fall behind. */
const usualLag = 64
/** A chain that catches up after a pause makes blocks so many times as fast as usual. */
const catchUpSpeed = 4
/** A tip that nobody has confirmed for so long may be lowered: this many block times, and at least so many ms. */
const graceBlocks = 3
const leastGraceMs = 2_000

/**
 * Returns the tip after a report of one of the nodes: the same object when it is unchanged.
 *
 * It is the highest block that a node in use reports, and never goes back because a node is slow, lagging or gone. A head
 * that is out of reach for the strict majority of the nodes is not believed, nor is one to which its node has leapt beyond
 * the tip, faster than the chain can have come there, unless the strict majority bears it out: so of two nodes neither can
 * make the other one look behind. (One that was never near the tip is believed: the other may have been stuck.) The tip goes back in two cases only: the
 * majority says that it cannot have been reached, or the nodes that had it have gone back themselves and the majority has
 * reported older blocks for a while, in which nobody has confirmed the tip. The second is what a re-organisation looks like that leaves the chain shorter; nodes behind a load
 * balancer go back all the time, but never for long.
 *
 * Where verifiers watch enough providers of the chain, `seen` is the block that they agree on, and nothing that is out of
 * reach from there is believed, nor kept, whoever says so.
 */
export function decideTip(
  tip: ServedTip | null,
  nodes: readonly TipNode[],
  now: number,
  blockMs: number,
  seen: Reported | null = null,
): ServedTip | null {
  const most = seen === null ? Number.POSITIVE_INFINITY : reachOf(seen, now, blockMs)
  const heads = headsInUse(nodes).filter(({ height }) => height <= most)
  const highest = highestBelieved(heads, tip, now, blockMs)
  if (highest === null) return tip
  if (tip === null) return { height: highest.height, confirmedAt: highest.at, epoch: 0 }
  if (highest.height >= tip.height) {
    if (highest.height === tip.height && highest.at <= tip.confirmedAt) return tip
    return { ...tip, height: highest.height, confirmedAt: Math.max(highest.at, tip.confirmedAt) }
  }
  const isLower =
    tip.height > most ||
    isOutOfReach(tip.height, heads, now, blockMs) ||
    hasGoneBack(tip, heads, now, blockMs)
  return isLower ? { height: highest.height, confirmedAt: highest.at, epoch: tip.epoch + 1 } : tip
}

/** Returns what the head of a node is after it has reported a height; `blockMs` is null where heights may leap. */
export function reportedHead(
  known: NodeHead | null,
  height: number,
  at: number,
  blockMs: number | null,
): NodeHead {
  const peak = Math.max(height, known?.peak ?? height)
  const before = known?.leaptFrom ?? known
  const hasLeapt = before !== null && blockMs !== null && height > reachOf(before, at, blockMs)
  return hasLeapt
    ? { height, peak, at, leaptFrom: { height: before.height, at: before.at } }
    : { height, peak, at }
}

/** Returns how far a chain can have come that had this block then. */
const reachOf = ({ height, at }: Reported, now: number, blockMs: number): number =>
  height + usualLag + (catchUpSpeed * Math.max(0, now - at)) / blockMs

/** Returns the head of a node after the tip was lowered: what it reported before does not count against it any more. */
export const afterLowering = (head: NodeHead | null): NodeHead | null =>
  head === null ? null : { ...head, peak: head.height }

function headsInUse(nodes: readonly TipNode[]): NodeHead[] {
  const all: NodeHead[] = []
  const inUse: NodeHead[] = []
  for (const { head, isInUse } of nodes) {
    if (head === null) continue
    all.push(head)
    if (isInUse) inUse.push(head)
  }
  return inUse.length > 0 ? inUse : all
}

function highestBelieved(
  heads: readonly NodeHead[],
  tip: ServedTip | null,
  now: number,
  blockMs: number,
): NodeHead | null {
  const nearTip =
    tip === null
      ? Number.POSITIVE_INFINITY
      : reachOf({ height: tip.height, at: tip.confirmedAt }, now, blockMs)
  const isLeap = ({ height, leaptFrom }: NodeHead): boolean =>
    leaptFrom !== undefined && height > nearTip && !isBorneOut(height, heads, now, blockMs)
  let highest: NodeHead | null = null
  for (const head of heads) {
    const isHigher =
      highest === null ||
      head.height > highest.height ||
      (head.height === highest.height && head.at > highest.at)
    if (isHigher && !isLeap(head) && !isOutOfReach(head.height, heads, now, blockMs)) highest = head
  }
  return highest
}

/** Returns whether the chain cannot have come from what the strict majority reports to this height since. */
function isOutOfReach(height: number, heads: readonly NodeHead[], now: number, blockMs: number): boolean {
  let against = 0
  for (const head of heads) if (height > reachOf(head, now, blockMs)) against++
  return against * 2 > heads.length
}

/** Returns whether the strict majority is near enough. */
function isBorneOut(height: number, heads: readonly NodeHead[], now: number, blockMs: number): boolean {
  let near = 0
  for (const head of heads) if (height <= reachOf(head, now, blockMs)) near++
  return near * 2 > heads.length
}

/**
 * Returns whether whoever had the tip has gone back, and the strict majority has reported older blocks since nobody has
 * confirmed it for a while.
 */
function hasGoneBack(tip: ServedTip, heads: readonly NodeHead[], now: number, blockMs: number): boolean {
  if (now - tip.confirmedAt <= Math.max(leastGraceMs, graceBlocks * blockMs)) return false
  let below = 0
  let hadIt = 0
  for (const { height, peak, at } of heads) {
    if (height < tip.height && at > tip.confirmedAt) below++
    if (peak >= tip.height) hadIt++
  }
  return hadIt > 0 && below * 2 > heads.length
}

/** Of two tips the one that counts, for processes that tell each other theirs. */
export function laterTip(own: ServedTip | null, other: ServedTip): ServedTip {
  if (own === null || other.epoch > own.epoch) return other
  if (other.epoch < own.epoch || other.height < own.height) return own
  return other.height > own.height || other.confirmedAt > own.confirmedAt ? other : own
}

const leastFreshMs = 250
const mostFreshMs = 2_000

/** Returns for how long (ms) a tip may stand for `latest` after it was confirmed: until the next block is due. */
export const freshMsOf = (blockMs: number): number =>
  Math.min(Math.max(blockMs / 2, leastFreshMs), mostFreshMs)
