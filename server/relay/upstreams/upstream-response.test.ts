import { describe, expect, test } from 'bun:test'

import { answerDepth, AnswerReader, readResponse } from './upstream-response.ts'
import { idInBatch } from '../../platform/json-rpc-ids.ts'

const answerOf = (text: string) => {
  const reader = new AnswerReader()
  expect(reader.read(text, 0, answerDepth)).toBe(text.length)
  return reader.answer()
}

describe('an error', () => {
  const error = '{"code":-32603,"message":"no account for key planted-key"}'

  test('is an answer in JSON-RPC 2.0, and without a version where it names the call, as in 1.0', () => {
    for (const text of [
      `{"jsonrpc":"2.0","id":7,"error":${error}}`,
      `{"error":${error},"id":null,"jsonrpc":"2.0"}`,
      `{"result":null,"error":${error},"id":7}`,
      `{"id":7,"error":${error}}`,
    ]) {
      expect(answerOf(text)).toEqual({ isError: true, text: error })
    }
  })

  test('is none of the node where neither is there: something in front of it wrote that', () => {
    for (const text of [
      `{"error":${error}}`,
      `{"id":null,"error":${error}}`,
      `{"error":${error},"result":null}`,
      `{"error":${error},"success":false}`,
    ]) {
      expect(answerOf(text)).toBeNull()
    }
  })
})

test('a result is an answer, with its version or without', () => {
  for (const text of [
    '{"jsonrpc":"2.0","id":7,"result":"0x1"}',
    '{"id":7,"result":"0x1"}',
    '{"result":"0x1","error":null,"id":7}',
  ]) {
    expect(answerOf(text)).toEqual({ isError: false, text: '"0x1"' })
  }
})

describe('a node that writes otherwise than all others', () => {
  const id = '45581234567890'
  const read = (text: string, sent = id) =>
    readResponse({ status: 200, text, fields: [] }, { id: sent, count: null }).answers
  const result = [{ isError: false, text: '"0x1"' }]

  test('is understood: a byte order mark before the answer, and the id as a string', () => {
    expect(read(`\uFEFF{"jsonrpc":"2.0","id":${id},"result":"0x1"}`)).toEqual(result)
    expect(read(`\uFEFF {"jsonrpc":"2.0","id":"${id}","result":"0x1"}\n`)).toEqual(result)
    const error = '{"code":-1,"message":"no"}'
    expect(read(`{"id":"${id}","error":${error}}`)).toEqual([{ isError: true, text: error }])
  })

  test('is not where it is the id of another call, or the mark stands elsewhere', () => {
    expect(read(`{"jsonrpc":"2.0","id":"1${id}","result":"0x1"}`)).toBeNull()
    expect(read(`{"jsonrpc":"2.0","id":"${id} ","result":"0x1"}`)).toBeNull()
    expect(read(`{"jsonrpc":"2.0",\uFEFF"id":${id},"result":"0x1"}`)).toBeNull()
    expect(read(`\uFEFF\uFEFF{"jsonrpc":"2.0","id":${id},"result":"0x1"}`)).toBeNull()
  })
})

describe('a batch', () => {
  const prefix = '1234567890'
  const read = (text: string) => readResponse({ status: 200, text, fields: [] }, { id: prefix, count: 3 })
  const usual = (place: number, result: string) =>
    `{"jsonrpc":"2.0","id":${idInBatch(prefix, place)},"result":${result}}`
  const unusual = (place: number, result: string) =>
    `{ "result": ${result}, "id": ${idInBatch(prefix, place)}, "jsonrpc": "2.0" }`
  const asText = (place: number, result: string) =>
    `{"jsonrpc":"2.0","id":"${idInBatch(prefix, place)}","result":${result}}`
  const [first, second, third] = ['"0x1"', '{"a":["}"]}', 'null']

  test.each([
    ['in order', [usual(0, first), usual(1, second), usual(2, third)]],
    ['in any order', [usual(2, third), usual(0, first), usual(1, second)]],
    ['written in another way', [unusual(0, first), unusual(1, second), unusual(2, third)]],
    ['with ids as strings', [usual(0, first), asText(1, second), asText(2, third)]],
    ['written in both ways', [usual(1, second), unusual(2, third), usual(0, first)]],
  ])('is read %s', (_name, entries) => {
    expect(read(`\uFEFF[${entries.join(',')}]`).answers).toEqual(
      [first, second, third].map((text) => ({ isError: false, text })),
    )
  })

  test.each([
    ['answers a call twice', [usual(0, first), usual(0, first)]],
    ['answers a call twice in two ways', [usual(0, first), unusual(0, second)]],
    ['answers a call that is not in it', [usual(0, first), usual(3, second)]],
    ['answers a call of another batch', [usual(0, first), usual(1, second).replace(prefix, '1234567891')]],
    ['is cut off', [usual(0, first), usual(1, second).slice(0, -1)]],
  ])('that %s is none', (_name, entries) => {
    expect(read(`[${entries.join(',')}]`).answers).toBeNull()
  })

  test('with two results for a call has no answer to that call', () => {
    const twice = `${usual(1, second).slice(0, -1)},"result":2}`
    expect(read(`[${usual(0, first)},${twice}]`).answers).toEqual([
      { isError: false, text: first },
      null,
      null,
    ])
  })
})
