import { afterEach, expect, test } from 'bun:test'

import { answerTo, startRawUpstream } from '../../scripts/world/raw-upstream.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { rawExchange, rawRequest } from '../../tests/support/raw-exchange.ts'
import { keyValue, startTestRelay } from './test-support/relay-under-test.ts'

/**
 * Pins what Bun's server makes of pipelined requests (`relay.ts`, known limitations): a newer Bun may answer them in order,
 * and then the limitation is to be taken out of there.
 */
const opened: (() => unknown)[] = []

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

function start() {
  const node = startRawUpstream((request) => request.write(answerTo(request, '"result":"0x1"')))
  const relay = startTestRelay({ upstreams: [{ url: node.url }] })
  opened.push(node.stop, relay.stop)
  return { node, relay }
}

function requestOf(id: number, more: readonly string[] = []): string {
  const body = `{"jsonrpc":"2.0","id":${id},"method":"eth_call","params":[${id}]}`
  const head = [`POST /rpc/testnet/${keyValue} HTTP/1.1`, 'host: 127.0.0.1', `content-length: ${body.length}`]
  return rawRequest([...head, ...more], body)
}

test('a request that comes before the answer to the one before closes the connection, and only the first has run', async () => {
  const { node, relay } = start()
  expect(await rawExchange(relay.port, requestOf(1) + requestOf(2) + requestOf(3))).toBe('')
  await waitUntil('the first is settled', () => relay.metered[0]?.outcomes?.length === 1)
  expect(relay.metered).toMatchObject([{ outcomes: ['ok'] }])
  expect(node.requests).toHaveLength(1)
})

test('a request that is answered at once lets the next one be answered, in order', async () => {
  const { relay } = start()
  const refused = rawRequest(['GET /rpc/testnet/wrong HTTP/1.1', 'host: 127.0.0.1'])
  const answers = await rawExchange(relay.port, refused + requestOf(2, ['connection: close']))
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
  expect(answers).toContain('"id":2,"result":"0x1"')
})

test('trailers of a body in chunks are taken for a further request: the call has run, and its answer is lost', async () => {
  const { relay } = start()
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}'
  const head = [`POST /rpc/testnet/${keyValue} HTTP/1.1`, 'host: 127.0.0.1', 'transfer-encoding: chunked']
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\nx-checksum: 1\r\n\r\n`
  expect(await rawExchange(relay.port, rawRequest(head, chunks))).toStartWith('HTTP/1.1 400 ')
  await waitUntil('the call is settled', () => relay.metered[0]?.outcomes?.length === 1)
})
