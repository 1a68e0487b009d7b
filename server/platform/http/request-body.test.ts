import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'

import { readBytes, requireJson, saysJson } from './request-body.ts'

describe('says that it is JSON', () => {
  const types = [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json; profile="x"; charset=utf-8',
    'application/json ; odata=verbose',
  ]
  test.each(types)('%s', (type) => expect(saysJson(new Headers({ 'content-type': type }))).toBe(true))
})

describe('does not say that it is JSON in UTF-8', () => {
  const types = [
    '',
    'text/plain',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json; charset="utf-8859"',
    'text/html; application/json',
  ]
  test.each(types)('%s', (type) => expect(saysJson(new Headers({ 'content-type': type }))).toBe(false))
})

test('a compressed body is told apart from another type', () => {
  const headers = new Headers({ 'content-type': 'application/json', 'content-encoding': 'gzip' })
  expect(() => requireJson(headers)).toThrow('The body must not be compressed')
})

test.each([
  ['of a known length', 'Content-Length: 200', '{"jsonrpc":'],
  ['in chunks', 'Transfer-Encoding: chunked', 'b\r\n{"jsonrpc":\r\n'],
])('a caller that goes away in the middle of a body %s made a bad request', async (_, header, part) => {
  const read = Promise.withResolvers<unknown>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const bytes = readBytes(request, 1_000)
      socket.destroy()
      bytes.then(read.resolve, read.reject)
      return read.promise.then(() => new Response())
    },
    error: () => new Response(),
  })
  const socket = connect(server.port ?? 0, '127.0.0.1')
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n${part}`)
  await expect(read.promise).rejects.toMatchObject({ code: 'bad_request' })
  await server.stop(true)
})
