import type { Decision } from '../../../shared/health.ts'
import type { NodeBoundsOf } from '../ports.ts'
import type { ServiceHead, ServiceHeads } from './service-heads.ts'
import {
  afterLowering,
  decideTip,
  freshMsOf,
  laterTip,
  type NodeHead,
  reportedHead,
  type ServedTip,
  type TipNode,
} from './served-tip.ts'
import { type SharedTips, type TipTag, tipTags, type TipView } from './shared-tips.ts'
import { type OwnTip, TipExchange } from './tip-exchange.ts'

/** An upstream, as far as the tip depends on it. */
export interface TipUpstream {
  readonly id: string
  readonly serviceId: string | null
  readonly decision: Decision | null
  readonly breaker: 'closed' | 'half-open' | 'open'
}

/** The block that a request needs its node to have. */
export interface NeededBlock {
  readonly height: number
  /** Whether the node must be known to have it: one without it answers as if there were nothing in it, as with logs. */
  readonly isStrict: boolean
  /** Whether one without it answers for an older block: then those that are known to have it are preferred. */
  readonly isSilent?: boolean
  /** The oldest block whose state is asked for; undefined where no state is, or that of new blocks only. */
  readonly stateAt?: number
}

export interface EndpointTipOptions {
  /** The name of the endpoint and of its chain, for the other processes. */
  readonly name: string
  readonly upstreams: readonly TipUpstream[]
  readonly blockMs: number
  readonly now: () => number
  readonly serviceHeads: Pick<ServiceHeads, 'of'>
  readonly chainHead: () => ServiceHead | null // as in `ServiceHeads.ofChain`
  readonly nodeBounds: NodeBoundsOf
  /** Null in an installation of one process. */
  readonly shared: SharedTips | null
  /** The tips of the same chain before the endpoint was changed. */
  readonly before: TipView['tips'] | null
}

/** A node's head is guessed from its last report for so long (ms). */
const guessedForMs = 30_000
/** A node that has told nothing for so long (ms) has gone on since, or is not asked any more. */
const oldHeadMs = 600_000

/** A block as a node has told of it. */
export interface NewBlock {
  readonly height: number
  readonly hash: string
  readonly parentHash: string
}

/** The newest blocks of an endpoint with several upstreams: what its callers were told, and which upstream has what. */
export class EndpointTip {
  readonly #options: EndpointTipOptions
  readonly #heads: Record<TipTag, (NodeHead | null)[]>
  readonly #tips: Record<TipTag, ServedTip | null>
  readonly #freshMs: number
  /** The oldest block whose state each upstream has for certain; null: not known. */
  #lowestStates: readonly (number | null)[] = []
  /** Changes with the newest block. */
  #version = 0
  #newest: NewBlock | null = null
  /** The question for the newest block that is under way at all upstreams. */
  asking: Promise<unknown> | null = null
  readonly #exchange: TipExchange | null

  constructor(options: EndpointTipOptions) {
    const none = (): null[] => options.upstreams.map(() => null)
    this.#options = options
    this.#heads = { latest: none(), safe: none(), finalized: none() }
    this.#tips = { latest: null, safe: null, finalized: null, ...options.before }
    this.#freshMs = freshMsOf(options.blockMs)
    this.#exchange = options.shared && new TipExchange(this.#ownTip(), options.shared)
  }

  #ownTip(): OwnTip {
    const { name, now, upstreams } = this.#options
    const headOf = (index: number): number => this.#heads.latest[index]?.height ?? -1
    return {
      name,
      now,
      view: () => ({
        tips: this.tips,
        heads: new Map(upstreams.map(({ id }, index) => [id, headOf(index)])),
      }),
      version: () => this.#version,
      takeOver: (view) => this.#takeOver(view),
    }
  }

  get tips(): TipView['tips'] {
    return { ...this.#tips }
  }

  /** Returns the height of the newest block that callers were told of; null before the first one. */
  height(tag: TipTag): number | null {
    return this.#tips[tag]?.height ?? null
  }

  /** Returns the height that may stand for the tag in a call; null when the next block is due, or nothing is known. */
  freshHeight(tag: TipTag): number | null {
    const tip = this.#tips[tag]
    return tip !== null && this.#options.now() - tip.confirmedAt <= this.#freshMs ? tip.height : null
  }

  /**
   * Returns a number that stays the same while the newest block does, and the chain below it; null when the next block is
   * due, or nothing is known.
   */
  view(): number | null {
    return this.freshHeight('latest') === null ? null : this.#version
  }

  /** Returns the lowest newest block of the nodes in use; null while nothing is known of them. */
  lowestHead(): number | null {
    const now = this.#options.now()
    const known = this.#nodes('latest').flatMap(({ head, isInUse }) =>
      head === null ? [] : [{ height: head.height, counts: isInUse && now - head.at < oldHeadMs }],
    )
    const counting = known.filter(({ counts }) => counts)
    const heights = (counting.length > 0 ? counting : known).map(({ height }) => height)
    return heights.length === 0 ? null : Math.min(...heights)
  }

  /** An upstream has told of a new block: one that does not follow from the one before has replaced it. */
  observeBlock(block: NewBlock): void {
    const before = this.#newest
    const isReplaced =
      before !== null &&
      (block.height === before.height
        ? block.hash !== before.hash
        : block.height === before.height + 1 && block.parentHash !== before.hash)
    if (isReplaced) this.#version++
    if (before === null || isReplaced || block.height > before.height) this.#newest = block
    else if (before.height > (this.height('latest') ?? before.height)) this.#newest = block
  }

  /** An upstream has said that this is its newest block of the tag. */
  reported(tag: TipTag, upstream: number, height: number, at = this.#options.now()): void {
    const heads = this.#heads[tag]
    const known = heads[upstream] ?? null
    if (known !== null && at < known.at) return
    // Finality may come late, and then for many blocks at once.
    heads[upstream] = reportedHead(known, height, at, tag === 'latest' ? this.#options.blockMs : null)
    this.#decide(tag)
  }

  /** An upstream has shown that it has this block, which need not be its newest one. */
  showed(upstream: number, height: number): void {
    if (!this.has(upstream, height)) this.reported('latest', upstream, height)
  }

  /** An upstream has shown that it does not have this block. */
  lacked(upstream: number, height: number): void {
    const known = this.#heads.latest[upstream] ?? null
    const at = this.#options.now()
    const most = Math.min(height - 1, known?.height ?? height)
    this.#heads.latest[upstream] = { height: most, peak: Math.max(most, known?.peak ?? most), at }
  }

  /** Takes over what verifiers have seen of the upstreams. They see a node less often than its callers do. */
  takeServiceHeads(): void {
    const { upstreams, serviceHeads, nodeBounds } = this.#options
    this.#lowestStates = upstreams.map(({ serviceId }) =>
      serviceId === null ? null : nodeBounds(serviceId).lowestState(),
    )
    for (let index = 0; index < upstreams.length; index++) {
      const serviceId = upstreams[index]?.serviceId ?? null
      const seen = serviceId === null ? null : serviceHeads.of(serviceId)
      const known = this.#heads.latest[index] ?? null
      if (seen !== null && (known === null || seen.height > known.height)) {
        this.reported('latest', index, seen.height, Math.max(seen.at, known?.at ?? seen.at))
      }
    }
  }

  /** Returns whether an upstream is known to have a block. */
  has(upstream: number, height: number): boolean {
    return (this.#heads.latest[upstream]?.height ?? -1) >= height
  }

  /** Returns whether any upstream is known to have a block, and has told of one since then. */
  isReached(height: number, since = Number.NEGATIVE_INFINITY): boolean {
    return this.#heads.latest.some((head) => head !== null && head.height >= height && head.at >= since)
  }

  /** Returns the upstreams that a request is not sent to, as a set of indexes: bit n stands for upstream n. */
  withoutBlock(needs: NeededBlock): number {
    const without = this.#withoutHead(needs)
    const pruned = needs.stateAt === undefined ? 0 : this.#withoutState(needs.stateAt)
    if (pruned === 0) return without
    const isAnyLeft = this.#options.upstreams.some(
      (_, index) => (((without | pruned) >> index) & 1) === 0 && this.#isReachable(index),
    )
    return isAnyLeft ? without | pruned : without
  }

  /** Returns the upstreams that have thrown the state of a block away, as far as is known. */
  #withoutState(height: number): number {
    let without = 0
    for (const [index, lowest] of this.#lowestStates.entries()) {
      if (lowest !== null && lowest > height) without |= 1 << index
    }
    return without
  }

  #withoutHead({ height, isStrict, isSilent }: NeededBlock): number {
    const isSure = isStrict || isSilent === true
    const { upstreams } = this.#options
    let without = 0
    let inUse = 0
    for (let index = 0; index < upstreams.length; index++) {
      if (isSure ? this.has(index, height) : this.#mayHave(index, height)) {
        if (this.#isReachable(index)) inUse++
      } else without |= 1 << index
    }
    // With nobody left who works, any answer is better than none, unless it would not be true.
    return isStrict || inUse > 0 ? without : 0
  }

  /**
   * Resolves once this process knows whatever another one had told its callers before the call. Returns null where there
   * is nothing to wait for: there is no other process (then nobody asks for `maxAgeMs`), or what was asked is not older.
   */
  exchanged(maxAgeMs: () => number): Promise<void> | null {
    return this.#exchange === null ? null : this.#exchange.exchanged(maxAgeMs())
  }

  /** Resolves once other processes can know of the newest block here; null where they can, or there are none. */
  told(): Promise<void> | null {
    return this.#exchange === null ? null : this.#exchange.told()
  }

  #takeOver({ tips, heads }: TipView): void {
    for (const tag of tipTags) {
      const other = tips[tag]
      const own = this.#tips[tag]
      if (other === null) continue
      if (tag === 'latest' && own !== null && other.epoch > own.epoch) this.#forgetPeaks(tag)
      this.#set(tag, laterTip(own, other))
    }
    const { upstreams } = this.#options
    for (let index = 0; index < upstreams.length; index++) {
      const height = heads.get(upstreams[index]?.id ?? '')
      if (height !== undefined && !this.has(index, height)) this.showed(index, height)
    }
  }

  #decide(tag: TipTag): void {
    const { blockMs, now, chainHead } = this.#options
    const before = this.#tips[tag]
    const after = decideTip(before, this.#nodes(tag), now(), blockMs, chainHead())
    this.#set(tag, after)
    if (before !== null && after !== null && after.epoch > before.epoch) this.#forgetPeaks(tag)
  }

  #set(tag: TipTag, tip: ServedTip | null): void {
    const before = this.#tips[tag]
    if (tag === 'latest' && (before?.height !== tip?.height || before?.epoch !== tip?.epoch)) this.#version++
    this.#tips[tag] = tip
  }

  #nodes(tag: TipTag): TipNode[] {
    return this.#heads[tag].map((head, index) => ({ head, isInUse: this.#isInUse(index) }))
  }

  #forgetPeaks(tag: TipTag): void {
    this.#heads[tag] = this.#heads[tag].map(afterLowering)
  }

  #isReachable(index: number): boolean {
    const upstream = this.#options.upstreams[index]
    return upstream?.decision !== 'DOWN' && upstream?.breaker !== 'open'
  }

  #isInUse(index: number): boolean {
    return this.#isReachable(index) && this.#options.upstreams[index]?.decision !== 'LATENCY'
  }

  /** Takes a node for one that follows the chain at its usual speed since it was last heard of. */
  #mayHave(index: number, height: number): boolean {
    const head = this.#heads.latest[index] ?? null
    if (head === null || head.height >= height) return true
    const { now, blockMs } = this.#options
    const elapsed = now() - head.at
    return elapsed < guessedForMs && head.height + Math.floor(elapsed / blockMs) >= height
  }
}
