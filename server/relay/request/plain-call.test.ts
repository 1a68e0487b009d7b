import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { parseAnyRequest, parsePlainCall } from './parse.ts'
import { covers } from '../../../tests/support/covers.ts'

const depth = 64
const careful = (text: string) => parseAnyRequest(text, { batchCalls: 1_000, depth })

test.each([
  ['viem', '{"jsonrpc":"2.0","id":7,"method":"eth_call","params":[{"to":"0x1"},"latest"]}'],
  ['ethers', '{"method":"eth_chainId","params":[],"id":1,"jsonrpc":"2.0"}'],
  ['curl', '{ "jsonrpc": "2.0", "id": "a", "method": "eth_blockNumber" }\n'],
])('a call as %s writes it is read', (_name, text) => {
  const call = parsePlainCall(text, depth)
  if (call === null) throw new Error('it is not read')
  expect(careful(text)).toEqual({ kind: 'calls', isBatch: false, entries: [call] })
})

test('numbers stay as they were written', () => {
  const text = '{"jsonrpc":"2.0","id":1.0,"method":"a","params":[12345678901234567890]}'
  expect(parsePlainCall(text, depth)).toMatchObject({ id: '1.0', params: '[12345678901234567890]' })
})

test('whatever it reads is what is read with care', () => {
  covers('threat-18')
  const name = fc.constantFrom(
    '"jsonrpc"',
    '"id"',
    '"method"',
    '"params"',
    '"x"',
    '"__proto__"',
    '"i\\u0064"',
  )
  const value = fc.oneof(
    fc.constantFrom(
      '"2.0"',
      '"eth_call"',
      '"id"',
      '"params"',
      '1',
      '1.0',
      'null',
      '[]',
      '["id"]',
      '{"id":1}',
    ),
    fc.json({ maxDepth: 3 }),
  )
  const usual = fc.constantFrom('"jsonrpc":"2.0"', '"method":"a"', '"id":1', '"params":[1]')
  const member = fc.oneof(
    usual,
    fc.tuple(name, value).map(([key, text]) => `${key}:${text}`),
  )
  const space = fc.constantFrom('', ' ', '\n')
  let read = 0
  fc.assert(
    fc.property(fc.array(member, { maxLength: 6 }), space, (members, gap) => {
      const text = `{${gap}${members.join(`${gap},`)}}${gap}`
      const call = parsePlainCall(text, depth)
      if (call === null) return
      read++
      expect(careful(text)).toEqual({ kind: 'calls', isBatch: false, entries: [call] })
    }),
    { numRuns: 3_000 },
  )
  expect(read).toBeGreaterThan(0)
})

const nested = (levels: number) =>
  `{"jsonrpc":"2.0","id":1,"method":"a","params":${'['.repeat(levels)}${']'.repeat(levels)}}`

test('deep parameters are left to whoever reads with care', () => {
  expect(parsePlainCall(nested(63), depth)).not.toBeNull()
  expect(parsePlainCall(nested(64), depth)).toBeNull()
})
