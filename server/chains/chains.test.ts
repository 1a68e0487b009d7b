import { describe, expect, test } from 'bun:test'
import * as z from 'zod/mini'

import { Chain, type ChainsSection, type Family, chainKeyPattern, isChainless } from '../../shared/chains.ts'
import { type Chains, createChains } from './chains.ts'
import { familyDefaults } from './family-defaults.ts'
import { identityProblems } from './identity.ts'

/** Chain keys of the registry snapshot (specification, "Chain keys and categories": 55 supported chains). */
const registryKeys = `
  algorand aptos arbitrum astar avalanche base berachain bitcoin bitcoin-cash blast bsc cardano celo cronos dash
  dogecoin ethereum ethereum-classic fantom filecoin flare flow gnosis ink iotex kaspa kava lens linea litecoin mantle
  metis mode monad moonbeam opbnb optimism polygon scroll sei solana somnia soneium sonic stacks stellar sui taiko tezos
  ton tron unichain xrpl zcash zksync
`
  .trim()
  .split(/\s+/)

const knownGenesis: Record<string, string> = {
  bitcoin: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  ethereum: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  'ethereum-classic': '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  polkadot: '0x91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3',
  solana: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
}

const knownEvmChainIds: Record<string, number> = {
  ethereum: 1,
  optimism: 10,
  bsc: 56,
  gnosis: 100,
  polygon: 137,
  base: 8453,
  arbitrum: 42161,
  avalanche: 43114,
}

const knownTestnets: Record<string, number | string | null> = {
  sepolia: 11_155_111,
  hoodi: 560_048,
  'base-sepolia': 84_532,
  'arbitrum-sepolia': 421_614,
  'optimism-sepolia': 11_155_420,
  'polygon-amoy': 80_002,
  'bsc-testnet': 97,
  'avalanche-fuji': 43_113,
  'cronos-testnet': 338,
  'sonic-testnet': 14_601,
  'gnosis-chiado': 10_200,
  'linea-sepolia': 59_141,
  'scroll-sepolia': 534_351,
  'zksync-sepolia': 300,
  'solana-devnet': null,
  'bitcoin-testnet4': 'testnet4',
  'dogecoin-testnet': 'test',
  'near-testnet': 'testnet',
  'starknet-sepolia': `0x${Buffer.from('SN_SEPOLIA').toString('hex')}`,
  'filecoin-calibration': 'calibrationnet',
  'cosmoshub-testnet': 'provider',
}

function created(section?: ChainsSection): Chains {
  const result = createChains(section)
  if (!result.ok) throw new Error(JSON.stringify(result.issues))
  return result.chains
}

const file = await Bun.file(new URL('chains.json', import.meta.url)).text()
const rows = z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(file))
const chains = created().all()
const ofFamily = (family: Family) => chains.filter((chain) => chain.family === family)
const depthMs = (chain: Chain) => chain.finalityDepth * chain.blockMs
const keysWhere = (isWrong: (chain: Chain) => boolean) => chains.filter(isWrong).map((chain) => chain.key)

describe('the file', () => {
  test('holds chains by the shared schema, every field written out', () => {
    const fields = Object.keys(Chain.shape).filter((field) => field !== 'anchors')
    for (const row of rows) {
      expect(Chain.safeParse(row).error?.issues ?? []).toEqual([])
      expect(Object.keys(row).toSorted()).toEqual(fields.toSorted())
    }
  })

  test('has one chain a line, sorted by key, so that it reads and diffs well', () => {
    const lines = file.trimEnd().split('\n').slice(1, -1)
    expect(lines.map((line) => /"key": "([^"]+)"/.exec(line)?.[1])).toEqual(
      rows.map((row) => String(row['key'])),
    )
    const keys = chains.map((chain) => chain.key)
    expect(keys).toEqual(keys.toSorted())
  })
})

describe('keys and names', () => {
  test('keys are canonical and unique, names are unique', () => {
    expect(keysWhere((chain) => !chainKeyPattern.test(chain.key))).toEqual([])
    expect(new Set(chains.map((chain) => chain.key)).size).toBe(chains.length)
    expect(new Set(chains.map((chain) => chain.name)).size).toBe(chains.length)
  })

  test('every chain of the registry snapshot is there', () => {
    expect(registryKeys).toHaveLength(55)
    const chainsByKey = created()
    expect(registryKeys.filter((key) => chainsByKey.get(key) === undefined)).toEqual([])
  })
})

describe('identity', () => {
  test('suits the family', () => {
    expect(chains.flatMap((chain) => identityProblems(chain).map((problem) => [chain.key, problem]))).toEqual(
      [],
    )
  })

  test('EVM chains have different whole numbers, the well-known ones theirs', () => {
    const chainIds = ofFamily('evm').map((chain) => chain.chainId)
    expect(chainIds.filter((chainId) => typeof chainId !== 'number' || chainId < 1)).toEqual([])
    expect(new Set(chainIds).size).toBe(chainIds.length)
    for (const [key, chainId] of Object.entries(knownEvmChainIds))
      expect(created().get(key)?.chainId).toBe(chainId)
  })

  test('Bitcoin and its descendants call their main network "main"', () => {
    const namedMain = ofFamily('bitcoin').filter((chain) => chain.chainId === 'main')
    const others = ofFamily('bitcoin').filter((chain) => chain.chainId !== 'main')
    expect(namedMain.map((chain) => chain.key)).toContain('bitcoin')
    expect(others.map((chain) => [chain.key, chain.chainId])).toEqual([
      ['bitcoin-signet', 'signet'],
      ['bitcoin-testnet', 'test'],
      ['bitcoin-testnet4', 'testnet4'],
      ['dogecoin-testnet', 'test'],
      ['litecoin-testnet', 'test'],
    ])
  })

  test('TRON block hashes end in the chain id that they are told apart by', () => {
    for (const key of ['tron', 'tron-nile', 'tron-shasta']) {
      const { chainId, genesisHash } = created().get(key) ?? {}
      expect(parseInt(genesisHash?.slice(-8) ?? '', 16)).toBe(Number(chainId))
    }
  })

  test('the largest chains have their test networks, by the ids that everybody knows', () => {
    for (const [key, chainId] of Object.entries(knownTestnets))
      expect([key, created().get(key)?.chainId]).toEqual([key, chainId])
  })

  test('Starknet names itself by the felt of SN_MAIN', () => {
    const felt = `0x${Buffer.from('SN_MAIN').toString('hex')}`
    expect(created().get('starknet')?.chainId).toBe(felt)
  })

  test('genesis hashes are those that everybody knows', () => {
    for (const [key, hash] of Object.entries(knownGenesis)) expect(created().get(key)?.genesisHash).toBe(hash)
  })

  test('only forks and chains of one kit share a genesis hash', () => {
    const keysByHash = Map.groupBy(
      chains.filter((chain) => chain.genesisHash !== null),
      (chain) => chain.genesisHash,
    )
    const shared = [...keysByHash.values()].filter((group) => group.length > 1)
    expect(shared.map((group) => group.map((chain) => chain.key))).toEqual([
      ['abstract', 'lens', 'zksync'],
      ['avalanche', 'avalanche-fuji'],
      ['bitcoin', 'bitcoin-cash'],
      ['ethereum', 'ethereum-classic'],
    ])
  })

  test('chains whose nodes serve no stable first block have no genesis hash', () => {
    for (const key of ['cronos', 'kava', 'sei', 'fantom', 'metis'])
      expect(created().get(key)?.genesisHash).toBeNull()
  })
})

describe('time', () => {
  test('block times lie between the fastest and the slowest chain there is', () => {
    expect(keysWhere((chain) => chain.blockMs < 100 || chain.blockMs > 600_000)).toEqual([])
    expect(created().get('ethereum')?.blockMs).toBe(12_000)
    expect(created().get('bitcoin')?.blockMs).toBe(600_000)
    expect(created().get('solana')?.blockMs).toBe(400)
    expect(created().get('bsc')?.blockMs).toBe(750)
    expect(created().get('filecoin')?.blockMs).toBe(30_000)
  })

  test('the tolerance for future timestamps is that of the family: 15 s EVM, 2 h Bitcoin', () => {
    expect(keysWhere((chain) => chain.futureTolSec !== familyDefaults[chain.family].futureTolSec)).toEqual([])
    expect(familyDefaults.evm.futureTolSec).toBe(15)
    expect(familyDefaults.bitcoin.futureTolSec).toBe(7_200)
  })

  test('head age: exponential gaps where blocks are mined or won by lot, pauses of sequencers, none where blocks are not read', () => {
    const exponential = [...ofFamily('bitcoin'), ...ofFamily('cardano')].map((chain) => chain.key)
    expect(keysWhere((chain) => chain.headAge === 'pow').toSorted()).toEqual(
      [...exponential, 'ethereum-classic'].toSorted(),
    )
    expect(keysWhere((chain) => isChainless(chain.family) && chain.headAge !== 'none')).toEqual([])
    expect(created().get('arbitrum')?.headAge).toBe('idle')
    expect(keysWhere((chain) => chain.headAge === 'none' && !isChainless(chain.family))).toEqual([])
    expect(created().get('ethereum')?.headAge).toBe('slot')
  })
})

describe('finality', () => {
  test('the depth is one minute to two days of blocks, and at least 100 of them', () => {
    const readChains = chains.filter((chain) => !isChainless(chain.family))
    const wrong = readChains.filter(
      (chain) => chain.finalityDepth < 100 || depthMs(chain) < 60_000 || depthMs(chain) > 172_800_000,
    )
    expect(wrong.map((chain) => chain.key)).toEqual([])
  })

  test('chains that are not read have none', () => {
    expect(keysWhere((chain) => isChainless(chain.family) && chain.finalityDepth !== 0)).toEqual([])
  })
})

describe('createChains', () => {
  test('gives the built-in chains by key and no others', () => {
    expect(created().get('base')?.name).toBe('Base')
    expect(created().get('BASE')).toBeUndefined()
    expect(created().get('constructor')).toBeUndefined()
  })

  test('no built-in chain has anchors: nothing is probed that nobody asked for', () => {
    expect(keysWhere((chain) => chain.anchors.length > 0)).toEqual([])
  })

  test('adds the chains of the file, in `get` and in `all`', () => {
    const withTestnet = created({ testnet: { family: 'evm', chainId: 31_337, blockMs: 1_000 } })
    const testnet = withTestnet.get('testnet')
    expect(testnet).toMatchObject({ key: 'testnet', chainId: 31_337, blockMs: 1_000 })
    expect(withTestnet.all()).toHaveLength(chains.length + 1)
    expect(withTestnet.all().at(-1)).toBe(testnet)
  })

  test('leaves later calls alone', () => {
    created({ base: { name: 'Changed' } })
    expect(created().get('base')?.name).toBe('Base')
  })

  test('reports what cannot be merged, and merges nothing', () => {
    expect(createChains({ base: { chainId: '8453' } })).toEqual({
      ok: false,
      issues: [{ path: 'chains.base.chainId', message: 'a chain id of family evm is a whole number' }],
    })
  })
})
