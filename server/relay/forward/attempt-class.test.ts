import { expect, test } from 'bun:test'

import { hasPlainResults } from '../upstreams/upstream-response.ts'
import { judgeResponse, limitPauseOf } from './attempt-class.ts'

const response = (
  status: number,
  answers: readonly { isError: boolean; text: string }[] | null,
  text = '',
) => ({
  status,
  answers,
  isForeign: false,
  fields: [],
  text,
})
const result = (text: string) => ({ isError: false, text })
const judging = {
  family: 'evm',
  calls: [{ method: 'eth_getBlockByNumber', params: '["0x5",false]' }],
  mayLack: () => true,
} as const

test('a result that says something is not looked at; one without content is, and an error', () => {
  expect(hasPlainResults(response(200, [result('"0x1"')]))).toBe(true)
  for (const text of ['null', '[]', '{}', '""'])
    expect(hasPlainResults(response(200, [result(text)]))).toBe(false)
  expect(hasPlainResults(response(200, [{ isError: true, text: '{"code":3}' }]))).toBe(false)
  expect(hasPlainResults(response(500, [result('"0x1"')]))).toBe(false)
  expect(hasPlainResults(response(200, null))).toBe(false)
})

test('nothing is missing data where another node may have it, and an answer otherwise', () => {
  expect(judgeResponse(response(200, [result('null')]), judging)).toMatchObject({
    kind: 'useless',
    class: 'missing-data',
  })
  expect(judgeResponse(response(200, [result('null')]), { ...judging, mayLack: () => false })).toEqual({
    kind: 'answers',
    classes: null,
  })
})

test('a result under a status of failure is none', () => {
  expect(judgeResponse(response(401, [result('"0x12345"')]), judging)).toEqual({
    kind: 'failed',
    failure: 'node-failure',
    isRefused: true,
  })
})

test.each([
  [200, 'not-json-rpc', false],
  [302, 'redirect', false],
  [401, 'status', true],
  [404, 'status', false],
  [413, 'call-failure', true],
  [429, 'limited', true],
  [503, 'status', false],
] as const)('the status %d without JSON-RPC is %s', (status, failure, isRefused) => {
  expect(judgeResponse(response(status, null), judging)).toEqual({ kind: 'failed', failure, isRefused })
})

test('the pause that a node wants is in its header, or in its words', () => {
  const fields = [['retry-after', '7']] as const
  expect(limitPauseOf({ ...response(429, null), fields })).toBe(7_000)
  expect(limitPauseOf(response(200, null, '{"data":{"rate":{"backoff_seconds": 24}}}'))).toBe(24_000)
  expect(
    limitPauseOf(response(503, null, '{"data":{"reason":"upstream_limited","retryAfterMs":1500}}')),
  ).toBe(1_500)
  expect(limitPauseOf(response(429, null))).toBeNull()
})
