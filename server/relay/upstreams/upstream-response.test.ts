import { describe, expect, test } from 'bun:test'

import { answerDepth, AnswerReader } from './upstream-response.ts'

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
