import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { parseAnyRequest } from './parse.ts'
import { parsePlainBatch } from './plain-batch.ts'
import { covers } from '../../../tests/support/covers.ts'

const bounds = { batchCalls: 5, depth: 64 }
const careful = (text: string) => parseAnyRequest(text, bounds)

test.each([
  [
    'viem',
    '[{"jsonrpc":"2.0","id":7,"method":"eth_call","params":[{"to":"0x1"},"latest"]},{"jsonrpc":"2.0","id":8,"method":"eth_call","params":[{},"0x5"]}]',
  ],
  [
    'ethers',
    '[{"method":"eth_chainId","params":[],"id":1,"jsonrpc":"2.0"},{"method":"eth_call","params":[{}],"id":2,"jsonrpc":"2.0"}]',
  ],
  [
    'web3.py',
    '[{"jsonrpc": "2.0", "method": "eth_gasPrice", "params": [], "id": 0}, {"jsonrpc": "2.0", "method": "eth_gasPrice", "params": [], "id": 1}]',
  ],
  [
    'nobody',
    '[{"method":"a","jsonrpc":"2.0"},{"jsonrpc":"2.0","id":"x","method":"b","params":{"c":[true]}} ] ',
  ],
])('a batch as %s writes it is read', (_name, text) => {
  const entries = parsePlainBatch(text, bounds)
  if (entries === null) throw new Error('it is not read')
  expect(careful(text)).toEqual({ kind: 'calls', isBatch: true, entries })
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
  const odd = fc.constantFrom('1.0', '-0', '01', '-', 'tru', '"\\n"', '"a\nb"', '"', '[1,]', '{"a":1,"a":2}')
  const value = fc.oneof(
    fc.constantFrom(
      '"2.0"',
      '"id"',
      'null',
      '[]',
      '["id"]',
      '{"id":-7}',
      '[[{}],true]',
      '[{"to":"0x1"},"latest"]',
    ),
    fc.json({ maxDepth: 3 }),
  )
  const oddMember = fc.tuple(name, fc.oneof(value, odd)).map(([key, text]) => `${key}:${text}`)
  const id = fc.oneof(
    { arbitrary: fc.integer().map(String), weight: 9 },
    fc.constantFrom('"a"', 'null', 'true', '1.5'),
  )
  const usual = fc
    .tuple(id, value)
    .map(([one, params]) => ['"jsonrpc":"2.0"', `"id":${one}`, '"method":"a"', `"params":${params}`])
  const members = fc.oneof(
    { arbitrary: usual, weight: 16 },
    usual.chain((list) => fc.shuffledSubarray(list, { minLength: 2 })),
    fc.tuple(usual, oddMember).map(([list, more]) => [...list, more]),
  )
  const gap = fc.oneof({ arbitrary: fc.constant(''), weight: 9 }, fc.constantFrom(' ', '\n', ','))
  const entry = fc.tuple(members, gap).map(([list, space]) => `{${space}${list.join(`,${space}`)}${space}}`)
  let [read, notRead] = [0, 0]
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 4 }), gap, gap, (entries, between, after) => {
      const text = `[${entries.join(`,${between}`)}]${after}`
      const calls = parsePlainBatch(text, bounds)
      if (calls === null) return void notRead++
      read++
      expect(careful(text)).toEqual({ kind: 'calls', isBatch: true, entries: calls })
    }),
    { numRuns: 5_000 },
  )
  expect(Math.min(read, notRead)).toBeGreaterThan(250)
})

const callWith = (params: string, id = '1') => `{"jsonrpc":"2.0","id":${id},"method":"a","params":${params}}`
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

test('what is too deep, too long or cut off is left to whoever reads with care', () => {
  expect(parsePlainBatch(`[${callWith(nested(62))}]`, bounds)).toHaveLength(1)
  expect(parsePlainBatch(`[${callWith(nested(63))}]`, bounds)).toBeNull()
  expect(careful(`[${callWith(nested(63))}]`).kind).toBe('refused')
  const batchOf = (count: number) => `[${Array.from({ length: count }, () => callWith('[]')).join(',')}]`
  expect(parsePlainBatch(batchOf(5), bounds)).toHaveLength(5)
  expect(parsePlainBatch(batchOf(6), bounds)).toBeNull()
  const whole = `[${callWith('["x",{"y":[null]}]')},${callWith('["z"]', '22')}]`
  for (let length = 0; length < whole.length; length++) {
    expect(parsePlainBatch(whole.slice(0, length), bounds)).toBeNull()
  }
})
