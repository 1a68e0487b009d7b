import { describe, expect, test } from 'bun:test'

import { ChainsSection } from './chains.ts'

const issuesOf = (section: unknown) =>
  ChainsSection.safeParse(section).error?.issues.map((issue) => ({
    code: issue.code,
    path: issue.path.join('.'),
  })) ?? []

describe('the chains section', () => {
  test('takes the example of the documentation, an empty entry and anchors', () => {
    const section = {
      testnet: { family: 'evm', chainId: 31_337, blockMs: 1_000 },
      base: {},
      ethereum: { anchors: [{ provider: 'acme', endpoint: 'https://rpc.example' }] },
    }
    expect(ChainsSection.parse(section)).toEqual(section as ChainsSection)
  })

  test('names unknown fields, also those of an anchor', () => {
    expect(ChainsSection.safeParse({ base: { blockTime: 2 } }).error?.issues).toMatchObject([
      { code: 'unrecognized_keys', path: ['base'], keys: ['blockTime'] },
    ])
    const anchor = { provider: 'acme', endpoint: 'https://rpc.example', weight: 1 }
    expect(ChainsSection.safeParse({ base: { anchors: [anchor] } }).error?.issues).toMatchObject([
      { code: 'unrecognized_keys', path: ['base', 'anchors', 0], keys: ['weight'] },
    ])
  })

  test('does not take the key of a chain as one of its fields', () => {
    expect(issuesOf({ base: { key: 'other' } })).toEqual([{ code: 'unrecognized_keys', path: 'base' }])
  })

  test('takes canonical keys only', () => {
    for (const key of ['Base', 'bit coin', '-a', '']) {
      expect(issuesOf({ [key]: { family: 'evm' } })).toEqual([{ code: 'invalid_key', path: key }])
    }
  })

  test('names the field whose value is not allowed', () => {
    const wrong = {
      family: 'quantum',
      chainId: -1,
      blockMs: 9,
      futureTolSec: 86_401,
      headAge: 'old',
      finalityDepth: 1.5,
    }
    for (const [field, value] of Object.entries(wrong)) {
      expect(issuesOf({ base: { [field]: value } }).map((issue) => issue.path)).toEqual([`base.${field}`])
    }
  })
})
