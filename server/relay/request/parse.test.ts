import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { callTermsOf } from '../methods/call-terms.ts'
import { RpcCall } from '../rpc-call.ts'
import { relaySettings } from '../settings.ts'
import { parseRequest } from './parse.ts'
import type { ParsedCall } from './parsed-call.ts'
import { covers } from '../../../tests/support/covers.ts'

const bounds = { batchCalls: 1_000, depth: 64 }
const read = (text: string) => parseRequest(text, bounds)
const legacy = (text: string) => parseRequest(text, { ...bounds, takesLegacy: true })

function entriesOf(text: string) {
  const parsed = read(text)
  if (parsed.kind !== 'calls') throw new Error(`refused: ${text}`)
  return parsed.entries
}

/** What would be sent upstream for it. */
const sentFor = (call: ParsedCall): string =>
  new RpcCall(call, {
    access: 'allowed',
    credits: 1,
    kind: 'read',
    block: null,
    blockUse: null,
    cachedPrice: null,
    blocksPrice: 0,
    cache: null,
    terms: callTermsOf({}, relaySettings),
    keptMs: 0,
    stream: null,
  }).requestAs('1')

describe('the forms of JSON-RPC 1.0 and 1.1, where they are taken', () => {
  test.each([
    ['{"method":"a"}', 'null', ''],
    ['{"method":"a","params":[],"id":1}', '1', '[]'],
    ['{"jsonrpc":"1.0","method":"a","params":null,"id":{"b":[]}}', '{"b":[]}', ''],
    ['{"jsonrpc":"1.1","method":"a","id":[1]}', '[1]', ''],
    ['{"version":"1.1","method":"a","params":{"c":1},"id":false}', 'false', '{"c":1}'],
    ['{"jsonrpc":null,"method":"a","id":null}', 'null', ''],
  ])('%s', (text, id, params) => {
    expect(legacy(text)).toMatchObject({ entries: [{ kind: 'call', id, params, isLegacy: true }] })
    expect(entriesOf(text)).toMatchObject([{ kind: 'invalid', isLegacy: false }])
  })

  test.each([
    ['{"jsonrpc":"2.0","method":"a","id":{}}', 'id'],
    ['{"jsonrpc":"3.0","method":"a","id":1}', 'jsonrpc'],
    ['{"jsonrpc":2,"method":"a","id":1}', 'jsonrpc'],
    ['{"method":"a","params":3,"id":1}', 'params'],
    ['{"id":1}', 'method'],
  ])('%s is no call', (text, reason) => {
    expect(legacy(text)).toMatchObject({
      entries: [{ kind: 'invalid', reason: expect.stringContaining(reason) }],
    })
  })

  test('2.0 is what it is everywhere: no id, no answer', () => {
    expect(legacy('{"jsonrpc":"2.0","method":"a"}')).toMatchObject({
      entries: [{ kind: 'call', id: null, isLegacy: false }],
    })
  })
})

describe('a single call', () => {
  test('its parts are kept as they were written', () => {
    const [call] = entriesOf(
      ' {"params": [ 12345678901234567890, 1.50, "\\u0041" ],"id":1e2,"jsonrpc":"2.0","method":"eth_call"}\n',
    )
    expect(call).toEqual({
      kind: 'call',
      id: '1e2',
      method: 'eth_call',
      params: '[ 12345678901234567890, 1.50, "\\u0041" ]',
      isLegacy: false,
    })
  })

  test.each(['"abc"', '"\\ud83d"', '""', '0', '-1', '1.50', '12345678901234567890', '1E400', 'null'])(
    'the id %s comes back as it is',
    (id) => {
      expect(entriesOf(`{"jsonrpc":"2.0","id":${id},"method":"a"}`)).toMatchObject([{ kind: 'call', id }])
    },
  )

  test('parameters that are null are none', () => {
    expect(entriesOf('{"jsonrpc":"2.0","id":1,"method":"a","params":null}')).toMatchObject([
      { kind: 'call', params: '' },
    ])
  })

  test('without an id it is a notification', () => {
    expect(entriesOf('{"jsonrpc":"2.0","method":"a"}')).toMatchObject([{ kind: 'call', id: null }])
  })

  test.each([
    ['{"jsonrpc":"2.0","id":5}', '5', 'method'],
    ['{"jsonrpc":"2.0","id":5,"method":1}', '5', 'method'],
    ['{"jsonrpc":"2.0","id":5,"method":""}', '5', 'method'],
    ['{"jsonrpc":"2.0","id":5,"method":"eth call"}', '5', 'method'],
    ['{"jsonrpc":"2.0","id":5,"method":"eth_cаll"}', '5', 'method'],
    [`{"jsonrpc":"2.0","id":5,"method":"${'a'.repeat(101)}"}`, '5', 'method'],
    ['{"jsonrpc":"1.0","id":5,"method":"a"}', '5', 'jsonrpc'],
    ['{"id":5,"method":"a"}', '5', 'jsonrpc'],
    ['{"jsonrpc":2.0,"id":5,"method":"a"}', '5', 'jsonrpc'],
    ['{"jsonrpc":"2.0","id":{},"method":"a"}', 'null', 'id'],
    ['{"jsonrpc":"2.0","id":[1],"method":"a"}', 'null', 'id'],
    ['{"jsonrpc":"2.0","id":true,"method":"a"}', 'null', 'id'],
    ['{"jsonrpc":"2.0","id":5,"method":"a","params":"b"}', '5', 'params'],
    ['{}', 'null', 'jsonrpc'],
    ['1', 'null', 'object'],
    ['"a"', 'null', 'object'],
    ['null', 'null', 'object'],
  ])('%s is no call', (text, id, why) => {
    const [element] = entriesOf(text)
    if (element?.kind !== 'invalid') throw new Error('it is taken for a call')
    expect(element.id).toBe(id)
    expect(element.reason).toContain(why)
  })
})

const batchOf = (calls: number) => `[${Array(calls).fill('{"jsonrpc":"2.0","id":1,"method":"a"}').join(',')}]`

describe('a batch', () => {
  test('keeps the order, doubled ids, and elements that are no calls', () => {
    const text = '[{"jsonrpc":"2.0","id":1,"method":"a"},7,[],{"jsonrpc":"2.0","id":1,"method":"b"}]'
    expect(entriesOf(text).map((element) => element.kind)).toEqual(['call', 'invalid', 'invalid', 'call'])
    expect(read(text)).toMatchObject({ isBatch: true })
  })

  test('must not be empty', () => {
    expect(read(' [ ] ')).toMatchObject({ kind: 'refused', code: -32600 })
  })

  test('may have as many calls as are allowed, and not one more', () => {
    covers('threat-17')
    expect(entriesOf(batchOf(1_000))).toHaveLength(1_000)
    expect(read(batchOf(1_001))).toEqual({ kind: 'batch-too-large' })
  })
})

test.each([
  '',
  ' ',
  '{',
  '{"a":1}}',
  '[1,]',
  '{"a":01}',
  '"\n"',
  '{"a":"\\x"}',
  "{'a':1}",
  '{"a":NaN}',
  '[1]x',
  '1 2',
])('%j is not JSON', (text) => {
  expect(read(text)).toMatchObject({ kind: 'refused', code: -32700 })
})

const nested = (levels: number) =>
  `{"jsonrpc":"2.0","id":1,"method":"a","params":${'['.repeat(levels)}${']'.repeat(levels)}}`

test('nesting deeper than 64 levels is refused in no time, however deep', () => {
  covers('threat-23')
  expect(read(nested(63)).kind).toBe('calls')
  expect(read(nested(64))).toMatchObject({ kind: 'refused', code: -32700 })
  const bomb = nested(120_000)
  const startedAt = performance.now()
  expect(read(bomb)).toMatchObject({ kind: 'refused', code: -32700 })
  expect(performance.now() - startedAt).toBeLessThan(50)
})

describe('what is metered is what is sent', () => {
  covers('threat-18')
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"cheap","method":"dear"}', 'dear'],
    ['{"jsonrpc":"2.0","id":1,"method":"cheap","meth\\u006fd":"dear"}', 'dear'],
    ['{"jsonrpc":"2.0","id":1,"method":"cheap","Method":"dear","METHOD":"dear"}', 'cheap'],
    ['{"jsonrpc":"2.0","id":1,"method":"che\\u0061p"}', 'cheap'],
    ['{"jsonrpc":"2.0","id":1,"method":"cheap","params":{"method":"dear"}}', 'cheap'],
    ['{"jsonrpc":"2.0","id":1,"method":"cheap","__proto__":{"method":"dear"}}', 'cheap'],
  ])('%s is %s', (text, method) => {
    const [call] = entriesOf(text)
    if (call?.kind !== 'call') throw new Error('no call')
    expect(call.method).toBe(method)
    const sent = sentFor(call)
    expect(JSON.parse(sent).method).toBe(method)
    expect(sent.match(/"method"/gi)).toHaveLength(text.includes('params') ? 2 : 1)
  })

  test('for any text that is a call', () => {
    const name = fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'Method', '__proto__', 'x')
    const value = fc.oneof(
      fc.constantFrom('2.0', 'eth_call', 'eth_getLogs', 'a b'),
      fc.jsonValue({ maxDepth: 3 }),
      fc.bigInt().map(Number),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 8 }), (members) => {
        const text = `{${members.map(([key, member]) => `${escaped(key)}:${JSON.stringify(member) ?? 'null'}`).join(',')}}`
        const [element] = entriesOf(text)
        if (element?.kind !== 'call') return
        const honest: { method?: unknown; params?: unknown; id?: unknown } = JSON.parse(text)
        const sent = JSON.parse(sentFor(element))
        expect(element.method).toBe(String(honest.method))
        expect(sent.method).toBe(element.method)
        expect(sent.params).toEqual(honest.params ?? undefined) // `null` is none
        expect(Object.keys(sent).every((key) => ['jsonrpc', 'id', 'method', 'params'].includes(key))).toBe(
          true,
        )
      }),
      { numRuns: 500 },
    )
  })

  test('never throws, and takes for JSON what JSON.parse takes', () => {
    const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), brokenJson)
    fc.assert(
      fc.property(anything, (text) => {
        const parsed = read(text)
        expect(parsed.kind === 'refused' && parsed.code === -32700).toBe(!isJson(text))
      }),
      { numRuns: 1_000 },
    )
  })
})

/** Every second key with an escape. */
const escaped = (key: string): string =>
  key.length % 2 === 0 ? JSON.stringify(key) : `"\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}"`

const brokenJson = fc
  .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '{', ']', ',', '\\', '\u0000', '}'))
  .map(([text, at, inserted]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + inserted + text.slice(place + (inserted === '' ? 1 : 0))
  })

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
