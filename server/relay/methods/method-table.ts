/**
 * What is known of the methods of a family of nodes, as data: `families/` has a table for each family, and
 * `methods-by-family.ts` finds them. A table is read once for each method of an endpoint (`method-facts.ts` remembers the
 * result), so it may be convenient rather than fast.
 *
 * How to read a row:
 * - `kind` says what a call does, and with it whether it may be repeated, where it has to go, and who may call it.
 *   Methods of the kinds in `restrictedKinds` are refused unless an operator allows them by their exact names.
 * - `block` says where the parameters name a block. For `{ kind: 'block', at: { position: 1, name: null, member: null } }`
 *   it is the second parameter itself, `params[1]`. With `member: 'commitment'` it is that member of the object
 *   `params[1]`. Where a family takes parameters by name, `name` is the parameter's: with `params: { height: "5" }` it is
 *   `params.height`, and `position` counts where they are given as a list. `forms` lists how the block may be named
 *   there, and `absent` is the block that nodes take when the parameter is left out. A `range` names two blocks, and with
 *   `hash` the place where one block may be named instead of them.
 * - `cache` is the rule by which a result may be kept.
 * - `credits` is the price of a call where neither the endpoint nor the installation sets one.
 * - `stream` says what it has to do with a stream of notifications over a WebSocket (`stream-role.ts`).
 *
 * A method that no row names may still begin like one that is restricted (`admin_`): then it has the kind of
 * that prefix. Any other method is unknown, and `find` returns null.
 */

import { closesStream, opensStream, type OpensStream, type StreamRole, usesStream } from './stream-role.ts'

/**
 * - `read`: repeating it changes nothing, and every node can answer it.
 * - `write`: submits what the caller has signed; it is not repeated unless no node can have seen it.
 * - `subscribe`: opens, uses or closes a stream, which needs a WebSocket.
 * - `filter`: only the node that made the filter knows of it.
 * - `node-control`: changes, stops or burdens the node, or tells what concerns only those who run it.
 * - `key-use`: signs with keys that the node holds, tells about them, or takes a private key as a parameter.
 */
export type KnownKind = 'read' | 'write' | 'subscribe' | 'filter' | 'node-control' | 'key-use'

export type RestrictedKind = Extract<KnownKind, 'node-control' | 'key-use'>

export const isRestricted = (kind: string): kind is RestrictedKind =>
  kind === 'node-control' || kind === 'key-use'

/** A place in the parameters of a call. */
export interface ParameterPlace {
  /** The index in a list of parameters. */
  readonly position: number
  /** The name where parameters are given by name; null: the parameters are always a list. */
  readonly name: string | null
  /** The member of the parameter, an object, that is meant; null: the parameter itself. */
  readonly member: string | null
}

/**
 * How a block is named: by its number (or slot, height, tipset key of Filecoin: `hash`), by a tag such as `latest` or
 * `finalized` (the commitment of Solana), by its hash, or by an object that holds one of them, such as
 * `{ blockHash }` or `{ blockNumber }` of EIP-1898 and `{ block_hash }` or `{ block_number }` of Starknet.
 */
export type BlockForm = 'number' | 'tag' | 'hash' | 'object'

export type BlockReference =
  | {
      readonly kind: 'block'
      readonly at: ParameterPlace
      readonly forms: readonly BlockForm[]
      /** The block that is meant when the parameter is left out; null: it is required. */
      readonly absent: 'latest' | null
    }
  | {
      readonly kind: 'range'
      readonly from: ParameterPlace
      readonly to: ParameterPlace
      /** Where a single block may be named by its hash instead. */
      readonly hash: ParameterPlace | null
      readonly forms: readonly BlockForm[]
      readonly absent: 'latest' | null
    }

/**
 * - `constant`: the result is the same for the chain's whole life.
 * - `by-hash`: a hash names what is asked for, and the result tells the height of its block; it stays once that is final.
 * - `by-block`: the result stays once the block that `block` finds in the parameters is final. A tag moves, so that the
 *   rule applies to the number or hash that it stands for.
 */
export type CacheRule = 'constant' | 'by-hash' | 'by-block'

/** What is known of a method wherever it is called. */
export interface KnownMethod {
  readonly kind: KnownKind
  readonly block: BlockReference | null
  /** Null: the result may change at any time. */
  readonly cache: CacheRule | null
  readonly credits: number
  /** Null: nothing. */
  readonly stream: StreamRole | null
}

/** The methods of a family of nodes. */
export interface MethodTable {
  /** The methods that have a row. */
  readonly methods: ReadonlyMap<string, KnownMethod>
  /** The beginnings of names that are restricted whatever follows, unless a row says otherwise. */
  readonly prefixes: ReadonlyMap<string, KnownMethod>
  /** Returns null for an unknown method. */
  find(method: string): KnownMethod | null
}

/** The price of an ordinary call, of one that searches many blocks or accounts, and of one that runs transactions again. */
export const prices = { ordinary: 20, search: 60, replay: 100 } as const

export const placeAt = (
  position: number,
  {
    name = null,
    member = null,
  }:
    | { readonly name?: string; readonly member?: string }
    | { readonly name?: null; readonly member?: null } = {},
): ParameterPlace => ({ position, name, member })

/** `absent`: the block that is meant when the parameter is left out; null: it is required. */
export const blockAt = (
  at: number | ParameterPlace,
  forms: readonly BlockForm[],
  absent: 'latest' | null = null,
): BlockReference => ({ kind: 'block', at: typeof at === 'number' ? placeAt(at) : at, forms, absent })

/** Facts and the names that they are true of, separated by white space. A name that ends in `*` is a prefix. */
export type MethodRow = readonly [KnownMethod, string]

/** Creates a table. Throws for a method with two rows, and for a prefix that is not restricted. */
export function createMethodTable(rows: readonly MethodRow[]): MethodTable {
  const methods = new Map<string, KnownMethod>()
  const prefixes = new Map<string, KnownMethod>()
  for (const [facts, names] of rows) {
    for (const name of names.trim().split(/\s+/)) {
      if (methods.has(name) || prefixes.has(name)) throw new Error(`${name} has two rows`)
      if (!name.endsWith('*')) methods.set(name, facts)
      else if (isRestricted(facts.kind)) prefixes.set(name, facts)
      else throw new Error(`the prefix ${name} would open methods that nobody has looked at`)
    }
  }
  return tableOf(methods, prefixes)
}

/** Adds the methods of `others` to those of a table, whose own facts take precedence. */
export const extendMethodTable = (own: MethodTable, others: MethodTable): MethodTable =>
  tableOf(merged(own.methods, others.methods), merged(own.prefixes, others.prefixes))

type Rows = ReadonlyMap<string, KnownMethod>

const merged = (own: Rows, others: Rows): Rows =>
  new Map([...own, ...[...others].filter(([name]) => !own.has(name))])

function tableOf(methods: Rows, prefixes: Rows): MethodTable {
  return {
    methods,
    prefixes,
    find(method) {
      const known = methods.get(method)
      if (known !== undefined) return known
      for (const [prefix, facts] of prefixes) if (method.startsWith(prefix.slice(0, -1))) return facts
      return null
    },
  }
}

type Facts = Partial<Omit<KnownMethod, 'kind'>>

const facts =
  (kind: KnownKind) =>
  ({
    block = null,
    cache = block === null ? null : 'by-block',
    credits = prices.ordinary,
    stream = null,
  }: Facts = {}): KnownMethod => ({
    kind,
    block,
    cache,
    credits,
    stream,
  })

/** What the rows of all tables are made of. */
export const read = facts('read')
export const write: KnownMethod = facts('write')()
/** A stream that is not relayed: its messages have a shape of their own. */
export const subscribe: KnownMethod = facts('subscribe')()
export const opens = (stream: Omit<OpensStream, 'kind'>): KnownMethod =>
  facts('subscribe')({ stream: opensStream(stream) })
export const closes = (result = 'true'): KnownMethod => facts('subscribe')({ stream: closesStream(result) })
export const uses = (place: 'stream' | 'connection'): KnownMethod =>
  facts('subscribe')({ stream: usesStream(place) })
export const filter = facts('filter')
export const nodeControl: KnownMethod = facts('node-control')()
export const keyUse: KnownMethod = facts('key-use')()
