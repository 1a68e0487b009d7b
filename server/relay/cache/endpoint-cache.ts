import { heightOf, quantityOf } from '../forward/shared-results.ts'
import type { PreparedCall } from '../tip/prepare-call.ts'
import { type ResultAnchor, type AnchoredCall, anchorOf } from './anchor.ts'
import { always, maxResultBytes, type ResultCache, type Validity } from './result-cache.ts'
import type { FinalResult, SharedResults } from './shared-cache.ts'

/**
 * The results of one endpoint that answer later calls. What stays is decided by what the parameters name, and not by the
 * method alone:
 * - A *final* result is kept for as long as there is room: it is about blocks that are so far below the head of every
 *   node in use that the chain does not change them any more, and it shows that it is about them.
 * - Any other result about a block with a number or a hash is kept until the newest block moves, is replaced by another
 *   one, or the next one is due. For this the endpoint must know its newest block, which takes several nodes.
 * - Nothing is kept of `null`, of errors, of calls with a tag that nothing stands for, and of `[]` where it would be final.
 */

/** A call whose result may be kept. */
export interface CachedCall extends AnchoredCall {
  /** `view`: what the chain looked like when it was sent. */
  readonly served: { readonly view: number | null; readonly prepared: Pick<PreparedCall, 'isSticky'> } | null
}

/** What an endpoint knows of its chain. */
export interface CachedChain {
  /** Returns the lowest newest block of the nodes in use; null while nothing is known of them. */
  lowestHead(): number | null
  /** Returns a number that changes with the newest block; null while the next one is due, or none is known. */
  view(): number | null
  /** A node has told its newest block. Only a chain without a tip learns from it. */
  told(height: number): void
}

export interface EndpointCacheOptions {
  readonly cache: ResultCache
  /** No other endpoint, and no earlier version of this one, has the same prefix. */
  readonly prefix: string
  /** Null when it is not known when a block of this chain is final. */
  readonly finalityDepth: number | null
  /** Which results are kept: `final` only those that stay. */
  readonly kept: 'all' | 'final' | 'off'
  readonly chain: CachedChain
  readonly now: () => number
  readonly shared: SharedSpace | null
}

/** What other processes keep of the same endpoint. */
export interface SharedSpace {
  /** Whether there is a store at present. */
  isOpen(): boolean
  find(keys: readonly string[]): Promise<SharedResults>
  keep(key: string, kept: FinalResult): void
  forget(): void
}

/** A constant is read again after this time (ms), so that a node on a wrong chain is not believed for longer. */
const constantForMs = 60_000

export class EndpointCache {
  readonly #options: EndpointCacheOptions
  /** The highest block that was final when something was kept. */
  #highestFinal = -1
  /** Grows when the chain turns out to be another one. */
  #era = 0

  constructor(options: EndpointCacheOptions) {
    this.#options = options
  }

  /** Returns the JSON text of the result; null when an upstream has to be called. */
  find(call: CachedCall): string | null {
    const { cache, chain, now, kept } = this.#options
    if (kept === 'off' || anchorOf(call) === null) return null
    return cache.get(this.#keyOf(call), now(), chain.view())
  }

  /** Returns the lowest newest block of the nodes in use; null while nothing is known of them. */
  lowestHead = (): number | null => this.#options.chain.lowestHead()

  /** Whether other processes may have kept the result of a call. */
  mayBeShared(call: CachedCall): boolean {
    const { shared, kept } = this.#options
    if (kept === 'off' || shared === null || !shared.isOpen()) return false
    const anchor = anchorOf(call)
    if (anchor === null || anchor.kind === 'constant') return false
    return anchor.kind === 'hash' || anchor.range.to <= this.#finalHeight()
  }

  /** Returns the JSON text of each result that other processes have kept, null for the others. */
  async findShared(calls: readonly CachedCall[]): Promise<readonly (string | null)[]> {
    const { shared, chain } = this.#options
    if (shared === null) return calls.map(() => null)
    const { finalHeight, results } = await shared.find(calls.map(keyOf))
    if ((chain.lowestHead() ?? -1) < finalHeight) {
      // The chain may have begun anew while no process ran, or little is known of it here: the next head will tell.
      this.#highestFinal = Math.max(this.#highestFinal, finalHeight)
      return calls.map(() => null)
    }
    return calls.map((call, index) => {
      const result = results[index] ?? null
      if (result !== null) this.#keep(call, result)
      return result
    })
  }

  /** Keeps `result`, the JSON text that an upstream has answered, for as long as it holds. */
  store(call: CachedCall, result: string): void {
    this.#learn(call, result)
    if (result === 'null' || this.#options.kept === 'off') return
    const { shared } = this.#options
    const isFinal = this.#keep(call, result) === always
    if (isFinal && shared?.isOpen() === true && result.length <= maxResultBytes) {
      shared.keep(keyOf(call), { result, finalHeight: this.#finalHeight() })
    }
  }

  /** Returns for how long it is kept; null: not at all. */
  #keep(call: CachedCall, result: string): Validity | null {
    const anchor = anchorOf(call)
    const validity = anchor === null ? null : this.#validityOf(anchor, call, result)
    if (validity !== null) this.#options.cache.put(this.#keyOf(call), result, validity)
    return validity
  }

  #keyOf(call: CachedCall): string {
    return `${this.#options.prefix}${this.#era} ${keyOf(call)}`
  }

  #learn({ method, sentParams }: CachedCall, result: string): void {
    const { chain } = this.#options
    const isHead = method === 'eth_blockNumber'
    const isNewest = method === 'eth_getBlockByNumber' && sentParams.startsWith('["latest"')
    const height = isHead ? quantityOf(result) : isNewest ? heightOf(result) : null
    if (height === null) return
    chain.told(height)
    const lowest = chain.lowestHead()
    if (lowest === null || lowest >= this.#highestFinal) return
    // The nodes do not have blocks that were final: this is another chain, or one that went back further than it may.
    this.#era++
    this.#options.shared?.forget()
    this.#highestFinal = -1
  }

  #validityOf(anchor: ResultAnchor, call: CachedCall, result: string): Validity | null {
    const { chain, now, kept } = this.#options
    if (anchor.kind === 'constant') return { staleAt: now() + constantForMs, view: null }
    const height = heightShown(anchor, call, result)
    const finalHeight = this.#finalHeight()
    if (height !== null && height <= finalHeight) {
      this.#highestFinal = Math.max(this.#highestFinal, finalHeight)
      return always
    }
    const view = kept === 'all' ? chain.view() : null
    // It may have been read before the newest block changed. What a key's own node says is not for other keys.
    if (view === null || call.served?.view !== view || call.served.prepared.isSticky) return null
    return { ...always, view }
  }

  #finalHeight(): number {
    const { finalityDepth, chain } = this.#options
    const lowest = finalityDepth === null ? null : chain.lowestHead()
    return finalityDepth === null || lowest === null ? -1 : lowest - finalityDepth
  }
}

const keyOf = ({ method, sentParams }: CachedCall): string => `${method}\n${sentParams}`

/** The methods whose result tells the number of the block that was asked for. */
const tellNumber = new Set(['eth_getBlockByNumber', 'eth_getHeaderByNumber'])

/** Returns the height of the last block that a result is about; null where the result does not bear it out. */
function heightShown(
  anchor: Exclude<ResultAnchor, { kind: 'constant' }>,
  call: CachedCall,
  result: string,
): number | null {
  if (anchor.kind === 'hash') return result.toLowerCase().includes(anchor.hash) ? heightOf(result) : null
  const { to } = anchor.range
  // A node that does not have the logs of old blocks may answer as if there were none.
  if (/^\[\s*\]$/.test(result)) return null
  return tellNumber.has(call.method) && heightOf(result) !== to ? null : to
}
