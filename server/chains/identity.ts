import type { Chain, ChainFamily, Family } from '../../shared/chains.ts'
import { assertNever } from '../platform/fault.ts'

/** A field with a value that no node of the family can report. The message says what is allowed. */
export interface IdentityProblem {
  readonly field: 'chainId' | 'genesisHash'
  readonly message: string
}

interface Shape {
  readonly pattern: RegExp
  readonly description: string
}

interface IdentityRule {
  /** Form in which the family's nodes report their chain id; `none` where they have none. */
  readonly chainId: ChainFamily['chainIdForm']
  /** Form in which the family's nodes report the hash of the first block; null where they cannot report it. */
  readonly genesisHash: Shape | null
}

const prefixedHash: Shape = { pattern: /^0x[0-9a-f]{64}$/, description: '0x and 64 lowercase hex digits' }
const bareHash: Shape = { pattern: /^[0-9a-f]{64}$/, description: '64 lowercase hex digits without 0x' }
const base58Hash: Shape = {
  pattern: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  description: '32 to 44 base58 characters',
}
const blockCid: Shape = { pattern: /^baf[a-z2-7]{50,}$/, description: 'a block CID such as bafy2bza…' }
/** A felt is written without leading zeros (Starknet JSON-RPC specification, FELT). */
const felt: Shape = {
  pattern: /^0x[1-9a-f][0-9a-f]{0,62}$/,
  description: 'a lowercase hex felt without leading zeros',
}

/** SHA-256 in Base64. */
const base64Hash: Shape = { pattern: /^[A-Za-z0-9+/]{43}=$/, description: '43 characters of Base64 and =' }

const identityRules: Readonly<Record<Family, IdentityRule>> = {
  evm: { chainId: 'integer', genesisHash: prefixedHash },
  solana: { chainId: 'none', genesisHash: base58Hash },
  bitcoin: { chainId: 'text', genesisHash: bareHash },
  filecoin: { chainId: 'text', genesisHash: blockCid },
  cosmos: { chainId: 'text', genesisHash: null },
  'cosmos-rest': { chainId: 'text', genesisHash: null },
  near: { chainId: 'text', genesisHash: base58Hash },
  starknet: { chainId: 'text', genesisHash: felt },
  substrate: { chainId: 'text', genesisHash: prefixedHash },
  beacon: { chainId: 'none', genesisHash: prefixedHash },
  aptos: { chainId: 'integer', genesisHash: null },
  sui: { chainId: 'text', genesisHash: null },
  tron: { chainId: 'none', genesisHash: prefixedHash },
  ton: { chainId: 'text', genesisHash: base64Hash },
  xrpl: { chainId: 'integer', genesisHash: null },
  stellar: { chainId: 'text', genesisHash: null },
  algorand: { chainId: 'text', genesisHash: base64Hash },
  tezos: { chainId: 'text', genesisHash: null },
  cardano: { chainId: 'integer', genesisHash: null },
  subgraph: { chainId: 'none', genesisHash: null },
  http: { chainId: 'none', genesisHash: null },
  mcp: { chainId: 'none', genesisHash: null },
}

/** Returns in what form the identity of a family's chains is written. */
export function chainIdentityForms(family: Family): Pick<ChainFamily, 'chainIdForm' | 'genesisHashForm'> {
  const { chainId, genesisHash } = identityRules[family]
  return { chainIdForm: chainId, genesisHashForm: genesisHash?.description ?? null }
}

function chainIdProblem(family: Family, chainId: Chain['chainId']): string | null {
  if (chainId === null) return null
  const kind = identityRules[family].chainId
  switch (kind) {
    case 'integer':
      return typeof chainId === 'number' ? null : `a chain id of family ${family} is a whole number`
    case 'text':
      return typeof chainId === 'string' ? null : `a chain id of family ${family} is a text`
    case 'none':
      return `family ${family} has no chain id; leave it out`
    default:
      return assertNever(kind)
  }
}

function genesisHashProblem(family: Family, genesisHash: Chain['genesisHash']): string | null {
  if (genesisHash === null) return null
  const shape = identityRules[family].genesisHash
  if (shape === null) return `family ${family} has no genesis hash; leave it out`
  return shape.pattern.test(genesisHash) ? null : `a genesis hash of family ${family} is ${shape.description}`
}

/**
 * Returns the problems of a chain's identity. A value that nodes of the family cannot report would make every honest
 * node WRONG_CHAIN or WRONG_GENESIS, so it is rejected. Null means unknown and is always accepted.
 */
export function identityProblems(
  chain: Pick<Chain, 'family' | 'chainId' | 'genesisHash'>,
): IdentityProblem[] {
  const problems: IdentityProblem[] = []
  const chainId = chainIdProblem(chain.family, chain.chainId)
  if (chainId !== null) problems.push({ field: 'chainId', message: chainId })
  const genesisHash = genesisHashProblem(chain.family, chain.genesisHash)
  if (genesisHash !== null) problems.push({ field: 'genesisHash', message: genesisHash })
  return problems
}
