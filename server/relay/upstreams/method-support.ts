import type { EntryClasses } from '../forward/attempt-class.ts'
import { CircuitBreaker } from '../../platform/circuit-breaker.ts'

/** How long it is remembered that a node does not offer a method. */
const unsupportedForMs = 3_600_000
const uselessSettings = {
  failuresToOpen: 3,
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
  trialMs: 1_000,
} as const
const maxMethods = 500

interface CalledMethod {
  readonly method: string
}

interface NodeMethod {
  unsupportedUntil: number
  /** Opens when the node had no answer of its own several times in a row, because it lacks data or has narrow bounds. */
  readonly uselessness: CircuitBreaker
}

/**
 * What the upstreams of an endpoint cannot do, by method, as they have shown it. Sets of upstreams are numbers in which
 * bit n stands for upstream n. It is empty as long as all upstreams answer.
 */
export class MethodSupport {
  readonly #byMethod = new Map<string, Map<number, NodeMethod>>()

  get isEmpty(): boolean {
    return this.#byMethod.size === 0
  }

  /** Returns the upstreams that do not offer one of the methods. */
  unsupported(calls: readonly CalledMethod[], now: number): number {
    return this.#setOf(calls, ({ unsupportedUntil }) => now < unsupportedUntil)
  }

  /** Returns the upstreams that lately had no answer to calls of one of the methods. */
  useless(calls: readonly CalledMethod[], now: number): number {
    return this.#setOf(calls, ({ uselessness }) => uselessness.state(now) === 'open')
  }

  recordUnsupported(method: string, upstream: number, now: number): void {
    this.#entry(method, upstream).unsupportedUntil = now + unsupportedForMs
  }

  /** Calls in flight at the same time lengthen a pause once. */
  recordUseless(method: string, upstream: number, now: number): void {
    const { uselessness } = this.#entry(method, upstream)
    if (uselessness.state(now) !== 'open') uselessness.fail(now)
  }

  recordAnswer(method: string, upstream: number): void {
    const byUpstream = this.#byMethod.get(method)
    if (byUpstream?.delete(upstream) === true && byUpstream.size === 0) this.#byMethod.delete(method)
  }

  /** Records what the entries of a response amount to; null: all are answers. Returns whether one was refused for a limit. */
  recordEntries(
    upstream: number,
    classes: EntryClasses | null,
    calls: readonly CalledMethod[],
    now: number,
  ): boolean {
    let isLimited = false
    for (const [index, { method }] of calls.entries()) {
      const entryClass = classes === null ? 'answer' : classes[index]
      if (entryClass === 'answer') this.recordAnswer(method, upstream)
      else if (entryClass === 'unsupported') this.recordUnsupported(method, upstream, now)
      else if (entryClass === 'missing-data' || entryClass === 'call-failure')
        this.recordUseless(method, upstream, now)
      else if (entryClass === 'limit') isLimited = true
    }
    return isLimited
  }

  #setOf(calls: readonly CalledMethod[], isIn: (entry: NodeMethod) => boolean): number {
    let set = 0
    for (const { method } of calls) {
      for (const [upstream, entry] of this.#byMethod.get(method) ?? []) if (isIn(entry)) set |= 1 << upstream
    }
    return set
  }

  #entry(method: string, upstream: number): NodeMethod {
    const byUpstream = this.#byMethod.get(method) ?? new Map<number, NodeMethod>()
    if (byUpstream.size === 0) this.#add(method, byUpstream)
    const known = byUpstream.get(upstream)
    if (known !== undefined) return known
    const entry = { unsupportedUntil: 0, uselessness: new CircuitBreaker(uselessSettings) }
    byUpstream.set(upstream, entry)
    return entry
  }

  /** Callers may invent methods without end where unknown ones are allowed. */
  #add(method: string, byUpstream: Map<number, NodeMethod>): void {
    for (const oldest of this.#byMethod.keys()) {
      if (this.#byMethod.size < maxMethods) break
      this.#byMethod.delete(oldest)
    }
    this.#byMethod.set(method, byUpstream)
  }
}
