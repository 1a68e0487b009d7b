import { expect, test } from 'bun:test'

import type { Chain } from '../../../shared/chains.ts'
import { familyDefaults } from '../../chains/family-defaults.ts'
import { Silence } from './silence.ts'

function silenceOf(headAge: Chain['headAge'], blockMs = 12_000) {
  const time = { now: 0 }
  let height = 100
  const chain: Chain = {
    key: 'testnet',
    name: 'testnet',
    family: 'evm',
    chainId: 1,
    genesisHash: null,
    ...familyDefaults.evm,
    anchors: [],
    headAge,
    blockMs,
  }
  const tip = { height: () => height }
  const silence = new Silence(() => time.now)
  const isBrokenAt = (now: number): boolean => {
    time.now = now
    return silence.isBroken({ endpoint: { chain }, tip })
  }
  return { silence, tip, isBrokenAt, raise: () => void height++ }
}

test('a chain with regular blocks is silent after three block times; after each node that was left, for twice as long', () => {
  const { silence, tip, isBrokenAt } = silenceOf('slot')
  expect(isBrokenAt(100_000)).toBe(false) // Nothing is to be told.
  silence.expectBlocks()
  expect([isBrokenAt(135_999), isBrokenAt(136_000)]).toEqual([false, true])
  silence.leftNode()
  silence.begin()
  silence.expectBlocks()
  expect([isBrokenAt(195_999), isBrokenAt(196_000)]).toEqual([false, true])
  silence.heard(tip)
  expect([isBrokenAt(231_999), isBrokenAt(232_000)]).toEqual([false, true])
})

test('quick chains have two seconds', () => {
  const { silence, isBrokenAt } = silenceOf('slot', 250)
  silence.expectBlocks()
  expect([isBrokenAt(1_999), isBrokenAt(2_000)]).toEqual([false, true])
})

test('any other chain is silent only while another node has a block that was not told', () => {
  const { silence, tip, isBrokenAt, raise } = silenceOf('idle', 1_000)
  silence.expectBlocks()
  silence.heard(tip)
  expect(isBrokenAt(1_000_000)).toBe(false)
  raise()
  expect(isBrokenAt(1_000_001)).toBe(false)
  expect([isBrokenAt(1_003_000), isBrokenAt(1_003_001)]).toEqual([false, true])
  silence.heard(tip)
  expect(isBrokenAt(2_000_000)).toBe(false)
})
