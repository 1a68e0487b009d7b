import { afterEach, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'

import { answerTo, startRawUpstream } from '../../scripts/world/raw-upstream.ts'
import { rawRequest } from '../../tests/support/raw-exchange.ts'
import { keyValue, startTestRelay } from './test-support/relay-under-test.ts'

/** Ordinary clients send a body before they read: an answer that closes the connection meanwhile is a broken pipe to them. */
const opened: (() => unknown)[] = []

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

function start() {
  const node = startRawUpstream((request) => request.write(answerTo(request, '"result":"0x1"')))
  const relay = startTestRelay({ upstreams: [{ url: node.url }] })
  const rest = startTestRelay({
    upstreams: [{ url: node.url }],
    endpoint: { isRest: true, methods: { allow: ['POST /eth/**'], deny: [], unknown: 'refuse' } },
  })
  opened.push(node.stop, relay.stop, rest.stop)
  return { node, relay, rest }
}

/** Reads nothing until all has been written, and then until the answer is complete or the connection ends. */
async function writeThenRead(port: number, parts: Iterable<string | Uint8Array>): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  socket.on('error', () => socket.destroy())
  for (const part of parts) await written(socket, part)
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    if (received.includes('}}')) resolve(received)
  })
  socket.on('close', () => resolve(received))
  socket.resume()
  return promise.finally(() => socket.destroy())
}

const written = (socket: Socket, part: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(part, (error) => (error ? reject(error) : resolve()))
  })

const mebibyte = new Uint8Array(1_048_576).fill(0x61)

function* declared(path: string, mebibytes: number, ...more: string[]) {
  yield rawRequest([
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `content-length: ${mebibytes * mebibyte.length}`,
    ...more,
  ])
  for (let count = 0; count < mebibytes; count++) yield mebibyte
}

function* chunked(path: string, mebibytes: number, ...more: string[]) {
  yield rawRequest([`POST ${path} HTTP/1.1`, 'host: 127.0.0.1', 'transfer-encoding: chunked', ...more])
  for (let count = 0; count < mebibytes; count++) {
    yield '100000\r\n'
    yield mebibyte
    yield '\r\n'
  }
  yield '0\r\n\r\n'
}

const rpcPath = `/rpc/testnet/${keyValue}`
const forms = [
  ['of a declared length', declared, []],
  ['of a declared length, of a client that wants the connection closed', declared, ['connection: close']],
  ['in chunks', chunked, []],
  ['in chunks, of a client that wants the connection closed', chunked, ['Connection: Close']],
] as const

test.each(forms)(
  'a body that is too long, %s: who writes all of it first reads the error',
  async (_, send, more) => {
    const { relay, rest, node } = start()
    for (const mebibytes of [6, 40]) {
      const answer = await writeThenRead(relay.port, send(rpcPath, mebibytes, ...more))
      expect(answer).toStartWith('HTTP/1.1 413 ')
      expect(answer).toContain('"jsonrpc":"2.0","id":null,"error":{"code":-32600,')
      expect(answer).toContain('"reason":"payload_too_large"')
      const answerOfRest = await writeThenRead(rest.port, send(`${rpcPath}/eth/v1`, mebibytes, ...more))
      expect(answerOfRest).toStartWith('HTTP/1.1 413 ')
      expect(answerOfRest).toContain('{"error":{"code":"payload_too_large"')
      const elsewhere = await writeThenRead(relay.port, send('/nothing', mebibytes, ...more))
      expect(elsewhere).toMatch(/^HTTP\/1.1 (413|404) /)
    }
    expect(node.requests).toHaveLength(0)
  },
)

test('the connection then serves the next request', async () => {
  const { relay } = start()
  const body = '{"jsonrpc":"2.0","id":7,"method":"eth_call","params":[]}'
  const next = rawRequest(
    [`POST ${rpcPath} HTTP/1.1`, 'host: 127.0.0.1', `content-length: ${body.length}`, 'connection: close'],
    body,
  )
  const socket = connect(relay.port, '127.0.0.1')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let received = ''
  socket.on('error', reject)
  socket.on('data', (bytes) => (received += bytes.toString('latin1')))
  socket.on('close', () => resolve(received))
  for (const part of declared(rpcPath, 20)) await written(socket, part)
  socket.write(next)
  const answers = await promise
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
})

test('of a body without an end so much is read, and no more', async () => {
  const { relay } = start()
  let sent = 0
  function* endless() {
    for (const part of chunked(rpcPath, 1_000, 'connection: close')) {
      sent += part.length
      yield part
    }
  }
  await expect(writeThenRead(relay.port, endless())).rejects.toThrow()
  expect(sent).toBeWithin(64 * mebibyte.length, 128 * mebibyte.length)
})

test('a wrong key is told so to who sends a long body on a connection that is closed after it', async () => {
  const { relay } = start()
  const answer = await writeThenRead(relay.port, declared('/rpc/testnet/wrong', 4, 'connection: close'))
  expect(answer).toStartWith('HTTP/1.1 401 ')
})
