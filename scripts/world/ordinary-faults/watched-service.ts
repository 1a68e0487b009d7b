import type { Family } from '../../../shared/chains.ts'
import type { ChainNode } from '../anvil-chain.ts'
import type { FaultMode } from '../fault-mode.ts'
import type { FaultProxy } from '../fault-proxy.ts'
import type { Litecoin } from '../litecoin.ts'
import type { RoundRobin } from '../round-robin.ts'
import type { RecordedNode } from './recorded-node.ts'
import type { SecureEndpoint } from './secure-endpoint.ts'

/** What stands behind a service, by which faults know what they can do to it. */
export type Backend =
  | { readonly kind: 'recorded'; readonly node: RecordedNode }
  /** An answer that never changes. */
  | { readonly kind: 'fixed' }
  /** A node that others of the chain share: it must stay as it is. */
  | { readonly kind: 'shared' }
  /** A real node of this service alone. */
  | { readonly kind: 'own'; readonly node: ChainNode }
  | { readonly kind: 'litecoin'; readonly node: Litecoin }
  /** Two backends, of which the second is always behind. Only the first is in use. */
  | { readonly kind: 'balanced'; readonly balancer: RoundRobin }
  | { readonly kind: 'secure'; readonly endpoint: SecureEndpoint }

/** A service of the world, and what can be done to it. */
export interface WatchedService {
  readonly id: string
  readonly family: Family
  /** Null for families without one. */
  readonly chain: string | null
  readonly provider: string
  readonly endpoint: string
  readonly ca: string | null
  readonly backend: Backend
  /** What is between the verifiers and the backend. */
  readonly line: Line
  /** Nothing is ever done to it: whatever is said about it must be good. */
  readonly isBystander: boolean
}

/** The way to a backend, which may be cut whatever else is wrong with it. */
export interface Line {
  /** Does nothing where the verifiers reach the backend directly. */
  set(mode: FaultMode): void
  /** Requests so far; 0 where nobody counts them. */
  requests(): number
  cut(): unknown
  reconnect(): unknown
}

export function proxyLine(proxy: FaultProxy): Line {
  let mode: FaultMode = { mode: 'pass' }
  let isCut = false
  const apply = (): void => proxy.set(isCut ? { mode: 'reset' } : mode)
  return {
    set(next) {
      mode = next
      apply()
    },
    requests: proxy.requests,
    cut() {
      isCut = true
      apply()
    },
    reconnect() {
      isCut = false
      apply()
    },
  }
}

/** Verifiers reach the backend itself: without a network nobody is there. */
export const directLine = ({ cut, reconnect }: Pick<Line, 'cut' | 'reconnect'>): Line => ({
  set: () => {},
  requests: () => 0,
  cut,
  reconnect,
})
