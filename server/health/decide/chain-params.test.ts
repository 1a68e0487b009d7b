import { expect, test } from 'bun:test'

import { Chain } from '../../../shared/chains.ts'
import { chainParams } from './reference-head.ts'

const chain = (headAge: Chain['headAge'], blockMs: number): Chain =>
  Chain.parse({
    key: 'testnet',
    name: 'Testnet',
    family: 'evm',
    chainId: 31337,
    genesisHash: null,
    blockMs,
    futureTolSec: 7_200,
    headAge,
    finalityDepth: 64,
  })

const grace = (headAge: Chain['headAge'], blockMs: number) =>
  chainParams(chain(headAge, blockMs)).headAgeGraceSec

test('slot chains have five blocks of grace, at least 30 s', () => {
  expect(grace('slot', 12_000)).toBe(60)
  expect(grace('slot', 400)).toBe(30)
  expect(grace('slot', 6_000)).toBe(30)
  expect(grace('slot', 6_100)).toBe(31)
})

test('proof of work has fourteen: its gaps are exponential', () => {
  expect(grace('pow', 600_000)).toBe(8_400)
  expect(grace('pow', 1_000)).toBe(14)
})

test('chains that make blocks on demand have no limit', () => {
  expect(grace('none', 1_000)).toBeNull()
})

test('the rest is taken over; two providers corroborate', () => {
  expect(chainParams(chain('slot', 12_000))).toEqual({
    blockMs: 12_000,
    futureTolSec: 7_200,
    headAgeGraceSec: 60,
    corroborate: 2,
  })
})
