import { describe, expect, test } from 'bun:test'
import { array, assert, integer, jsonValue, property } from 'fast-check'

import { findMembers, findParameter, quantityText, readBlock, replaceAt } from './block-parameter.ts'

const block = (value: unknown) => {
  const text = JSON.stringify([value])
  const place = findParameter(text, 0)
  return place === null ? null : readBlock(text, place)
}

describe('a block parameter', () => {
  test.each([
    ['latest', { kind: 'tag', tag: 'latest' }],
    ['pending', { kind: 'tag', tag: 'pending' }],
    ['0x10', { kind: 'number', height: 16 }],
    ['0x0A', { kind: 'number', height: 10 }],
    [`0x${'ab'.repeat(32)}`, { kind: 'hash' }],
    [{ blockNumber: '0x10' }, { kind: 'number', height: 16 }],
    [{ blockNumber: 'latest' }, { kind: 'tag', tag: 'latest' }],
    [{ blockHash: `0x${'ab'.repeat(32)}`, requireCanonical: true }, { kind: 'hash' }],
    [{}, { kind: 'other' }],
    [16, { kind: 'other' }],
    [null, { kind: 'other' }],
    ['LATEST', { kind: 'other' }],
    ['0x', { kind: 'other' }],
    ['0xfffffffffffffffff', { kind: 'other' }],
    ['', { kind: 'other' }],
    [['latest'], { kind: 'other' }],
  ])('%j', (value, expected) => {
    expect<unknown>(block(value)).toEqual(expected)
  })

  test('with escapes is the same one', () => {
    const text = String.raw`["\u006catest"]`
    expect(readBlock(text, { from: 1, to: text.length - 1 })).toEqual({ kind: 'tag', tag: 'latest' })
  })
})

test('parameters are found whatever they are, and replaced without touching the others', () => {
  assert(
    property(array(jsonValue(), { maxLength: 5 }), integer({ min: 0, max: 5 }), (values, index) => {
      for (const text of [JSON.stringify(values), JSON.stringify(values, null, 2)]) {
        const place = findParameter(text, index)
        expect(place === null).toBe(index >= values.length)
        if (place === null) continue
        const replaced: unknown = JSON.parse(replaceAt(text, place, '"0x1"'))
        expect(replaced).toEqual(JSON.parse(JSON.stringify(values.with(index, '0x1'))))
      }
    }),
  )
})

test('what is no array has no parameters', () => {
  expect(['', '{}', '[', '{"a":[1]}'].map((text) => findParameter(text, 0))).toEqual([null, null, null, null])
})

test('members of an object are found under their names, of doubled ones the last', () => {
  const text = String.raw`{"fromBlock":"0x1","a":{"toBlock":"0x9"},"to\u0042lock":"0x2","fromBlock":"0x3"}`
  const { fromBlock, toBlock, blockHash } = findMembers(text, 0, ['fromBlock', 'toBlock', 'blockHash'])
  expect(text.slice(fromBlock?.from, fromBlock?.to)).toBe('"0x3"')
  expect(text.slice(toBlock?.from, toBlock?.to)).toBe('"0x2"')
  expect(blockHash).toBeNull()
})

test('a height is written as nodes want it', () => {
  expect([0, 16, 1_000_000].map(quantityText)).toEqual(['"0x0"', '"0x10"', '"0xf4240"'])
})
