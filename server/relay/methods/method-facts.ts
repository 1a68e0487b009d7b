import type { Family } from '../../../shared/chains.ts'
import { cacheMsOf, callSettingsOf, type MethodSettings } from '../../../shared/call-settings.ts'
import { createMethodAccess, type MethodAccess } from '../../../shared/method-access.ts'
import type { Endpoint } from '../../endpoints/endpoints.ts'
import type { RelaySettings } from '../settings.ts'
import { blockUseOf } from '../tip/block-use.ts'
import type { BlockUse } from '../tip/prepare-call.ts'
import { groupOf } from './known-methods.ts'
import type { BlockReference, CacheRule, KnownKind } from './method-table.ts'
import { type CallTerms, callTermsOf } from './call-terms.ts'
import type { StreamRole } from './stream-role.ts'
import { methodTableOf } from './methods-by-family.ts'

/** `unknown`: no table names the method. It is sent once and to one node, as a write is. */
export type MethodKind = KnownKind | 'unknown'

/** What is known of a method at an endpoint. `method-table.ts` explains `block` and `cache`. */
export interface MethodFacts {
  /** Whether callers may call it, or why not. */
  readonly access: MethodAccess
  /** The price of one call. */
  readonly credits: number
  /** The price where the result comes from the cache, if that is less; null: the same. */
  readonly cachedPrice: number | null
  /** The price of every thousand blocks begun after the first, for calls for logs; else 0. */
  readonly blocksPrice: number
  readonly kind: MethodKind
  /** Where the parameters name a block; null: nowhere. */
  readonly block: BlockReference | null
  /** How the relay uses that; null: it does not. */
  readonly blockUse: BlockUse | null
  /** Null when results may change at any time. */
  readonly cache: CacheRule | null
  /** How long a call may take, and how much it may be. Equal ones are the same object. */
  readonly terms: CallTerms
  /** For how many ms an answer to a path is kept; 0: not at all. */
  readonly keptMs: number
  /** What it has to do with streams of notifications; null: nothing. */
  readonly stream: StreamRole | null
}

/** Callers may invent names without end, so only this many are remembered. */
const maxKnownMethods = 2_000

/** Remembers the facts of each method: they are needed for every call, and change with the endpoint only. */
export function createMethodFacts(
  endpoint: Endpoint,
  settings: RelaySettings,
): (method: string) => MethodFacts {
  const known = new Map<string, MethodFacts>()
  const terms = new Map<string, CallTerms>()
  const accessTo = createMethodAccess(endpoint.methods)

  function termsOf(set: MethodSettings): CallTerms {
    const own = callTermsOf(set, settings)
    const text = JSON.stringify(own)
    const equal = terms.get(text) ?? own
    terms.set(text, equal)
    return equal
  }

  return (method) => {
    const found = known.get(method)
    if (found !== undefined) return found
    const set = callSettingsOf(endpoint.settings, method)
    const ofTables = tableFacts(endpoint.family, method)
    const blockUse = blockUseOf(endpoint.family, method, ofTables)
    const { cached: cachedPrice, logsPer1000Blocks } = endpoint.conditionalPrices
    const facts = {
      access: accessTo(method, groupOf(methodTableOf(endpoint.family).find(method))),
      credits: endpoint.priceOf(method),
      ...ofTables,
      cachedPrice,
      blocksPrice: blockUse?.kind === 'logs' ? logsPer1000Blocks : 0,
      blockUse,
      keptMs: cacheMsOf(set),
      terms: termsOf(set),
    }
    if (known.size < maxKnownMethods) known.set(method, facts)
    return facts
  }
}

/** Returns what the tables say about a method, whatever the endpoint. */
export function tableFacts(
  family: Family,
  method: string,
): Pick<MethodFacts, 'kind' | 'block' | 'cache' | 'stream'> {
  const { kind, block, cache, stream } = methodTableOf(family).find(method) ?? unknown
  return { kind, block, cache, stream }
}

const unknown = { kind: 'unknown', block: null, cache: null, stream: null } as const
