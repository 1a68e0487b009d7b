import type { Family } from '../../../shared/chains.ts'
import type { Endpoint } from '../../endpoints/endpoints.ts'
import { methodsByFamily } from './methods-by-family.ts'

/**
 * - `read`: repeating it changes nothing, and every node can answer it.
 * - `stateful`: only the node knows of it that was called before, such as a filter.
 * - `write`: anything else. A method that is not listed is taken for one.
 */
export type MethodKind = 'read' | 'stateful' | 'write'

/**
 * Which results do not change: `constant` ones stay for the chain's whole life; `by-hash` ones, which a hash names, once
 * the block they are in is final.
 */
export type Cacheability = 'constant' | 'by-hash'

/** What is known of a method at an endpoint. */
export interface MethodFacts {
  readonly isAllowed: boolean
  /** The price of one call. */
  readonly credits: number
  readonly kind: MethodKind
  /** Null when results may change. */
  readonly cacheability: Cacheability | null
}

/** Callers may invent names without end, so only this many are remembered. */
const maxKnownMethods = 2_000

/** Remembers the facts of each method: they are needed for every call, and change with the endpoint only. */
export function createMethodFacts(endpoint: Endpoint): (method: string) => MethodFacts {
  const known = new Map<string, MethodFacts>()

  return (method) => {
    const found = known.get(method)
    if (found !== undefined) return found
    const facts = {
      isAllowed: endpoint.allows(method),
      credits: endpoint.priceOf(method),
      kind: methodKind(endpoint.family, method),
      cacheability: cacheabilityOf(endpoint.family, method),
    }
    if (known.size < maxKnownMethods) known.set(method, facts)
    return facts
  }
}

export function methodKind(family: Family, method: string): MethodKind {
  const { reads, writes, stateful } = methodsByFamily[family]
  if (isListed(stateful, method)) return 'stateful'
  return isListed(reads, method) && !isListed(writes, method) ? 'read' : 'write'
}

const isListed = (patterns: readonly string[], method: string): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? method.startsWith(pattern.slice(0, -1)) : method === pattern,
  )

const cacheableEvmMethods: ReadonlyMap<string, Cacheability> = new Map([
  ['eth_chainId', 'constant'],
  ['net_version', 'constant'],
  ['eth_getBlockByHash', 'by-hash'],
  ['eth_getTransactionByHash', 'by-hash'],
  ['eth_getTransactionReceipt', 'by-hash'],
])

export const cacheabilityOf = (family: Family, method: string): Cacheability | null =>
  family === 'evm' ? (cacheableEvmMethods.get(method) ?? null) : null
