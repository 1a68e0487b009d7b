import { describe, expect, test } from 'bun:test'

import { idInBatch } from '../../platform/json-rpc-ids.ts'
import { readResponse } from '../upstreams/upstream-response.ts'
import { batchRefusalOf } from './batch-refusals.ts'

const prefix = '12345678'
const count = 40
const firstId = idInBatch(prefix, 0)

/** What is made of the body with which a node answers a batch of 40 calls. */
const refusalIn = (body: string, status = 200) =>
  batchRefusalOf(readResponse({ status, text: body, fields: [] }, { id: prefix, count }), count)

const whole = (code: number, message: string, data?: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message, data } })

describe('a node that takes no batch, or a shorter one', () => {
  test.each([
    ['jsonrpsee', whole(-32_005, 'Batched requests are not supported by this server'), 1],
    ['jsonrpsee', whole(-32_010, 'The batch request was too large', 'Exceeded max limit of 20'), 20],
    ['jsonrpsee before 0.17', whole(-32_008, 'The batch request was too large'), null],
    ['geth', `[{"jsonrpc":"2.0","id":${firstId},"error":{"code":-32600,"message":"batch too large"}}]`, null],
    ['geth before 1.13.5', whole(-32_600, 'batch too large'), null],
    [
      'Erigon',
      whole(
        -32_000,
        'batch limit 10 exceeded (can increase by --rpc.batch.limit). Requested batch of size: 40',
      ),
      10,
    ],
    ['Nethermind', whole(-32_005, 'Batch size limit exceeded'), null],
    ['Besu', whole(-32_005, 'Number of requests exceeds max batch size'), null],
    ['Acala', whole(-32_600, 'Exceeded maximum batch size 15'), 15],
    ['proxyd', whole(-32_014, 'too many RPC calls in batch request'), null],
    ['another one', whole(-32_000, 'maximum batch size is 25'), 25],
    ['one that finds no call', whole(-32_600, 'Invalid Request'), 1],
    ['one that finds no JSON', whole(-32_700, 'Parse error'), 1],
    [
      'one whose bound is about something else',
      whole(-32_010, 'The batch request was too large', 'Exceeded max limit of 10485760'),
      null,
    ],
  ])('says so: %s', (_name, body, most) => {
    expect(refusalIn(body)).toEqual({ most, isDone: false })
  })

  test('says so with a failure status, and not in JSON-RPC', () => {
    const drpc = '{"message":"Batch of more than 3 requests are not allowed on free tier","code":31}'
    expect(refusalIn(drpc, 500)).toEqual({ most: 3, isDone: false })
  })

  test('answers the first call only, which it may have carried out', () => {
    const body = `{"jsonrpc":"2.0","id":${firstId},"result":"0x1"}`
    expect(refusalIn(body)).toEqual({ most: 1, isDone: true })
  })
})

test.each([
  ['one that has answered something', `[{"jsonrpc":"2.0","id":${firstId},"result":"batch too large"}]`],
  ['a limit', whole(-32_005, 'rate limit exceeded')],
  ['a failure of the node', whole(-32_603, 'Internal error')],
  ['a page', '<html>502 Bad Gateway</html>'],
  ['nothing', ''],
  ['an error of one call', `[{"jsonrpc":"2.0","id":${firstId},"error":{"code":-32600,"message":"no"}}]`],
])('%s is no refusal of a batch', (_name, body) => {
  expect(refusalIn(body)).toBeNull()
})
