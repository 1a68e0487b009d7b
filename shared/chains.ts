import * as z from 'zod/mini'

import { matching, nameText, text, webAddress } from './text.ts'

/** Probe families. `http` and `mcp` services have no chain; every other family reads the head of one. */
export const families = [
  'evm',
  'solana',
  'bitcoin',
  'filecoin',
  'cosmos',
  'cosmos-rest',
  'near',
  'starknet',
  'substrate',
  'beacon',
  'aptos',
  'sui',
  'tron',
  'ton',
  'xrpl',
  'stellar',
  'algorand',
  'tezos',
  'cardano',
  'subgraph',
  'http',
  'mcp',
] as const

export const Family = z.enum(families)
export type Family = z.infer<typeof Family>

/** Families whose nodes take JSON-RPC at the address by which they are probed; the others are called by paths. */
const jsonRpcFamilies = [
  'evm',
  'solana',
  'bitcoin',
  'filecoin',
  'cosmos',
  'near',
  'starknet',
  'substrate',
  'sui',
  'stellar',
] as const satisfies readonly Family[]

export type JsonRpcFamily = (typeof jsonRpcFamilies)[number]

export const takesJsonRpc = (family: Family): family is JsonRpcFamily =>
  jsonRpcFamilies.some((one) => one === family)

export const isChainless = (family: Family): boolean => family === 'http' || family === 'mcp'

/** Families that read the heights of a chain whose own family is another: nodes have a second API. */
export const secondApis: Readonly<Partial<Record<Family, Family>>> = { 'cosmos-rest': 'cosmos', tron: 'evm' }

/** Whether services of a family can be of a chain. A subgraph indexes a chain of any family. */
export const suitsChain = (family: Family, chainFamily: Family): boolean =>
  family === chainFamily || family === 'subgraph' || secondApis[family] === chainFamily

/** Canonical lowercase chain key, for instance `ethereum` or `bitcoin-cash`. */
export const chainKeyPattern = /^[a-z0-9][a-z0-9-]{0,63}$/
export const ChainKey = matching(chainKeyPattern, 'a lowercase chain key such as ethereum')

/**
 * How much the age of the newest block says: `slot` regular blocks, `pow` exponential gaps, `idle` a sequencer that pauses
 * for minutes without transactions, `none` blocks on demand.
 */
export const HeadAge = z.enum(['slot', 'pow', 'idle', 'none'])

/** A reference node of a chain: probed in every round to make the round comparable, never published. */
export const Anchor = z.strictObject({
  provider: nameText(100),
  endpoint: webAddress(/^https?$/, 'an http or https address'),
})

/**
 * A chain as data. `chainId` is the family's identity: an EVM chain id, Cosmos' `network`, NEAR's `chain_id`,
 * Starknet's felt, Substrate's `system_chain`, Bitcoin's `chain`, Stellar's passphrase, TON's global id, Cardano's magic
 * number. `blockMs` is the mean time between heights.
 */
export const Chain = z.strictObject({
  key: ChainKey,
  name: nameText(100),
  family: Family,
  chainId: z.nullable(z.union([z.int().check(z.minimum(0)), text({ max: 200 })])),
  genesisHash: z.nullable(text({ min: 8, max: 200 })),
  blockMs: z.int().check(z.minimum(10), z.maximum(86_400_000)),
  futureTolSec: z.int().check(z.minimum(0), z.maximum(86_400)),
  headAge: HeadAge,
  finalityDepth: z.int().check(z.minimum(0), z.maximum(1_000_000)),
  anchors: z._default(z.array(Anchor), []),
})
export type Chain = z.infer<typeof Chain>

/** What the file may say about one chain: any field of it, and its anchors. */
export const ChainEntry = z.extend(z.partial(z.omit(Chain, { key: true, anchors: true })), {
  anchors: z.optional(z.array(Anchor)),
})
export type ChainEntry = z.infer<typeof ChainEntry>

/** A chain that operators add: what the file says of one that is not built in. What is left out is as usual for its family. */
export const CustomChain = z.extend(ChainEntry, { key: ChainKey, name: nameText(100), family: Family })
export type CustomChain = z.infer<typeof CustomChain>

export const ChainByKey = z.strictObject({ key: ChainKey })

export const mostCustomChains = 200

/** A chain that this installation knows, with what uses it. */
export interface ListedChain extends Chain {
  /** `product`: built in. The file may change one of any origin; `file` are those that are in it alone. */
  readonly managedBy: 'product' | 'file' | 'operator'
  /** What an operator said of it; null for all others. */
  readonly custom: CustomChain | null
  /** How many there are of it. */
  readonly services: number
  readonly endpoints: number
}

/** What a chain has that says nothing else. */
export type FamilyDefaults = Pick<Chain, 'blockMs' | 'futureTolSec' | 'headAge' | 'finalityDepth'>

/** What a form has to know of the chains of a family. */
export interface ChainFamily extends FamilyDefaults {
  readonly family: Family
  /** In what form nodes report it; `none` where they have none. */
  readonly chainIdForm: 'integer' | 'text' | 'none'
  /** What it looks like; null where nodes cannot report it. */
  readonly genesisHashForm: string | null
}

/** The file's `chains:` section. Whether an entry suits its family is for `server/chains/merge.ts` to say. */
export const ChainsSection = z.record(ChainKey, ChainEntry)
export type ChainsSection = z.infer<typeof ChainsSection>
