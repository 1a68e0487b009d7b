import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { Chain, type ChainsSection, families } from '../../shared/chains.ts'
import { familyDefaults } from './family-defaults.ts'
import { mergeChains } from './merge.ts'

const anchor = { provider: 'acme', endpoint: 'https://rpc.example' }

const ethereum: Chain = {
  key: 'ethereum',
  name: 'Ethereum',
  family: 'evm',
  chainId: 1,
  genesisHash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  blockMs: 12_000,
  futureTolSec: 15,
  headAge: 'slot',
  finalityDepth: 200,
  anchors: [],
}
const tezos: Chain = {
  key: 'tezos',
  name: 'Tezos',
  family: 'http',
  chainId: null,
  genesisHash: null,
  blockMs: 6_000,
  futureTolSec: 15,
  headAge: 'none',
  finalityDepth: 0,
  anchors: [],
}
const builtIns = [ethereum, tezos]

function merged(section: ChainsSection): readonly Chain[] {
  const result = mergeChains(builtIns, section)
  if (!result.ok) throw new Error(JSON.stringify(result.issues))
  return result.chains
}

function issuesOf(section: ChainsSection) {
  const result = mergeChains(builtIns, section)
  return result.ok ? [] : result.issues
}

const mergedOne = (key: string, section: ChainsSection) => merged(section).find((chain) => chain.key === key)

describe('a built-in chain', () => {
  test('stays as it is when nothing is said about it', () => {
    expect(merged({})).toEqual(builtIns)
    expect(merged({ ethereum: {} })).toEqual(builtIns)
  })

  test('has what the file says, field by field, and keeps the rest', () => {
    const changes = [
      { name: 'Mine' },
      { blockMs: 1_000 },
      { futureTolSec: 0 },
      { headAge: 'none' as const },
      { finalityDepth: 0 },
      { anchors: [anchor] },
    ]
    for (const change of changes) {
      expect(mergedOne('ethereum', { ethereum: change })).toEqual({ ...ethereum, ...change })
    }
  })

  test('loses its genesis hash with its chain id, because that is another chain', () => {
    expect(mergedOne('ethereum', { ethereum: { chainId: 31_337 } })).toEqual({
      ...ethereum,
      chainId: 31_337,
      genesisHash: null,
    })
  })

  test('keeps its genesis hash when the same chain id is repeated', () => {
    expect(mergedOne('ethereum', { ethereum: { chainId: 1 } })).toEqual(ethereum)
  })

  test('takes a new genesis hash, with or without a new chain id', () => {
    const genesisHash = `0x${'ab'.repeat(32)}`
    expect(mergedOne('ethereum', { ethereum: { genesisHash } })).toEqual({ ...ethereum, genesisHash })
    const both = { chainId: 5, genesisHash }
    expect(mergedOne('ethereum', { ethereum: both })).toEqual({ ...ethereum, ...both })
  })

  test('forgets what the file calls unknown', () => {
    expect(mergedOne('ethereum', { ethereum: { genesisHash: null } })).toEqual({
      ...ethereum,
      genesisHash: null,
    })
    expect(mergedOne('ethereum', { ethereum: { chainId: null } })).toEqual({ ...ethereum, chainId: null })
  })

  test('of another family keeps its name and pace, and takes the rest from that family', () => {
    expect(mergedOne('tezos', { tezos: { family: 'evm', chainId: 42_793 } })).toEqual({
      ...tezos,
      ...familyDefaults.evm,
      family: 'evm',
      chainId: 42_793,
      blockMs: 6_000,
    })
  })
})

describe('a new chain', () => {
  test('needs a family and gets the rest from it', () => {
    for (const family of families) {
      expect(mergedOne('mine', { mine: { family } })).toEqual({
        key: 'mine',
        name: 'mine',
        family,
        chainId: null,
        genesisHash: null,
        ...familyDefaults[family],
        anchors: [],
      })
    }
  })

  test('has what the file says', () => {
    const entry = {
      name: 'Mine',
      family: 'evm' as const,
      chainId: 31_337,
      genesisHash: `0x${'0f'.repeat(32)}`,
      blockMs: 1_000,
      futureTolSec: 1,
      headAge: 'none' as const,
      finalityDepth: 5,
      anchors: [anchor],
    }
    expect(mergedOne('mine', { mine: entry })).toEqual({ key: 'mine', ...entry })
  })

  test('follows the built-in ones, in the order of the file', () => {
    const keys = merged({ zeta: { family: 'evm' }, alpha: { family: 'near' } }).map((chain) => chain.key)
    expect(keys).toEqual(['ethereum', 'tezos', 'zeta', 'alpha'])
  })
})

describe('mistakes', () => {
  test('a new chain without a family', () => {
    const [issue, ...others] = issuesOf({ mine: { chainId: 7 } })
    expect(others).toEqual([])
    expect(issue?.path).toBe('chains.mine.family')
    expect(issue?.message).toStartWith('a chain that is not built in needs a family, one of evm, solana,')
  })

  test('all at once, each by its field, also where the family is the built-in one', () => {
    const section: ChainsSection = {
      ethereum: { chainId: 'one', genesisHash: 'd4e56740' },
      tezos: { chainId: 1 },
      mine: {},
      fine: { family: 'cosmos', chainId: 'fine-1' },
    }
    expect(issuesOf(section).map((issue) => issue.path)).toEqual([
      'chains.ethereum.chainId',
      'chains.ethereum.genesisHash',
      'chains.tezos.chainId',
      'chains.mine.family',
    ])
  })
})

test('whatever merges is a valid chain of every key, and merging it again changes nothing', () => {
  const entry = fc.record(
    {
      name: fc.string({ minLength: 1, maxLength: 20 }).filter((name) => name.trim() !== ''),
      family: fc.constantFrom(...families),
      chainId: fc.oneof(fc.nat(), fc.constantFrom('main', 'x-1'), fc.constant(null)),
      blockMs: fc.integer({ min: 10, max: 86_400_000 }),
      headAge: fc.constantFrom('slot' as const, 'pow' as const, 'none' as const),
      finalityDepth: fc.nat(1_000_000),
    },
    { requiredKeys: [] },
  )
  const section = fc.dictionary(fc.constantFrom('ethereum', 'tezos', 'mine', 'other'), entry)
  fc.assert(
    fc.property(section, (overrides) => {
      const result = mergeChains(builtIns, overrides)
      if (!result.ok) {
        expect(result.issues.length).toBeGreaterThan(0)
        return
      }
      const keys = new Set([...builtIns.map((chain) => chain.key), ...Object.keys(overrides)])
      expect(new Set(result.chains.map((chain) => chain.key))).toEqual(keys)
      for (const chain of result.chains) expect(Chain.safeParse(chain).error?.issues ?? []).toEqual([])
      expect(mergeChains(result.chains, overrides)).toEqual(result)
    }),
  )
})
