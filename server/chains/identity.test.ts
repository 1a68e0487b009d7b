import { describe, expect, test } from 'bun:test'

import { type Chain, type Family, families } from '../../shared/chains.ts'
import { identityProblems } from './identity.ts'

const hash = 'ab'.repeat(32)

interface Example {
  chainId: Chain['chainId']
  wrongChainId: Chain['chainId']
  genesisHash: string | null
  wrongGenesisHashes: readonly string[]
}

const chainlessExample: Example = {
  chainId: null,
  wrongChainId: 1,
  genesisHash: null,
  wrongGenesisHashes: [hash],
}
const base58 = 'EPnLgE7iEq9s7yTkos96M3cWymH5avBAPm3qx3NXqR8H'
const wrongBase58 = [`0x${hash}`, base58.replace('E', '0'), base58.slice(0, 20)]
const wrongPrefixed = [hash, `0x${hash.toUpperCase()}`, `0x${hash}00`, '0x00']

const base64 = 'wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8='
const wrongBase64 = [base64.slice(1), `0x${hash}`, `${base64}=`]
const textOnly = (chainId: string): Example => ({
  chainId,
  wrongChainId: 1,
  genesisHash: null,
  wrongGenesisHashes: [hash],
})
const numberOnly = (chainId: number): Example => ({
  chainId,
  wrongChainId: String(chainId),
  genesisHash: null,
  wrongGenesisHashes: [hash],
})
const genesisOnly: Example = {
  chainId: null,
  wrongChainId: 1,
  genesisHash: `0x${hash}`,
  wrongGenesisHashes: wrongPrefixed,
}

const examples: Record<Family, Example> = {
  evm: { chainId: 1, wrongChainId: '0x1', genesisHash: `0x${hash}`, wrongGenesisHashes: wrongPrefixed },
  solana: {
    chainId: null,
    wrongChainId: 'mainnet-beta',
    genesisHash: base58,
    wrongGenesisHashes: wrongBase58,
  },
  bitcoin: {
    chainId: 'main',
    wrongChainId: 0,
    genesisHash: hash,
    wrongGenesisHashes: [`0x${hash}`, hash.toUpperCase(), hash.slice(2), `${hash}00`],
  },
  filecoin: {
    chainId: 'mainnet',
    wrongChainId: 314,
    genesisHash: 'bafy2bzacecnamqgqmifpluoeldx7zzglxcljo6oja4vrmtj7432rphldpdmm2',
    wrongGenesisHashes: ['bafy', `0x${hash}`],
  },
  cosmos: { chainId: 'cosmoshub-4', wrongChainId: 4, genesisHash: null, wrongGenesisHashes: [hash] },
  near: { chainId: 'mainnet', wrongChainId: 1, genesisHash: base58, wrongGenesisHashes: wrongBase58 },
  starknet: {
    chainId: '0x534e5f4d41494e',
    wrongChainId: 1,
    genesisHash: '0x47c3637b57c2b079b93c61539950c17e868a28f46cdef28f88521067f21e943',
    wrongGenesisHashes: [
      '0x047c3637b57c2b079b93c61539950c17e868a28f46cdef28f88521067f21e943',
      '47c3637b',
      '0xABC12345',
    ],
  },
  substrate: {
    chainId: 'Polkadot',
    wrongChainId: 0,
    genesisHash: `0x${hash}`,
    wrongGenesisHashes: wrongPrefixed,
  },
  'cosmos-rest': textOnly('cosmoshub-4'),
  beacon: genesisOnly,
  aptos: numberOnly(1),
  sui: textOnly('35834a8a'),
  tron: genesisOnly,
  ton: { ...textOnly('-239'), genesisHash: base64, wrongGenesisHashes: wrongBase64 },
  xrpl: numberOnly(0),
  stellar: textOnly('Test SDF Network ; September 2015'),
  algorand: { ...textOnly('mainnet-v1.0'), genesisHash: base64, wrongGenesisHashes: wrongBase64 },
  tezos: textOnly('NetXdQprcVkpaWU'),
  cardano: numberOnly(764_824_073),
  subgraph: chainlessExample,
  http: chainlessExample,
  mcp: chainlessExample,
}

describe.each([...families])('identity of family %s', (family) => {
  const { chainId, wrongChainId, genesisHash, wrongGenesisHashes } = examples[family]
  const fieldsOf = (identity: Pick<Chain, 'chainId' | 'genesisHash'>) =>
    identityProblems({ family, ...identity }).map((problem) => problem.field)

  test('takes what its nodes report, and what is unknown', () => {
    expect(fieldsOf({ chainId, genesisHash })).toEqual([])
    expect(fieldsOf({ chainId: null, genesisHash: null })).toEqual([])
  })

  test('refuses a chain id that no node of it can report', () => {
    expect(fieldsOf({ chainId: wrongChainId, genesisHash })).toEqual(['chainId'])
  })

  test('refuses a genesis hash that no node of it can report', () => {
    for (const wrong of wrongGenesisHashes)
      expect(fieldsOf({ chainId, genesisHash: wrong })).toEqual(['genesisHash'])
  })

  test('says what is allowed', () => {
    const [wrong] = wrongGenesisHashes
    const problems = identityProblems({ family, chainId: wrongChainId, genesisHash: wrong ?? null })
    expect(problems.map((problem) => problem.field)).toEqual(['chainId', 'genesisHash'])
    for (const { message } of problems) expect(message).toContain(`family ${family}`)
  })
})
