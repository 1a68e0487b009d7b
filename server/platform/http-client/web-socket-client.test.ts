import { afterAll, describe, expect, test } from 'bun:test'

import { systemClock } from '../clock.ts'
import { createEgress } from '../egress.ts'
import { dialWebSocket, type DialOptions } from './web-socket-client.ts'
import { covers } from '../../../tests/support/covers.ts'

const egress = createEgress({
  clock: systemClock,
  allowPrivate: ['127.0.0.1/32'],
  schemes: ['http', 'https'],
})
afterAll(() => egress.close())

const silent = { received: () => undefined, ended: () => undefined }
const dial = (url: string, more: Partial<DialOptions> = {}) =>
  dialWebSocket(
    {
      url,
      headers: {},
      resolve: egress.resolve,
      connectMs: 500,
      heartbeatMs: 1_000,
      maxChars: 1_000,
      ...more,
    },
    silent,
  )

function startServer() {
  let connections = 0
  const server: Bun.Server<undefined> = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request, bun) {
      connections++
      const { pathname } = new URL(request.url)
      if (pathname === '/moved') return Response.redirect(`http://127.0.0.1:${server.port}/`)
      if (pathname === '/slow') return new Promise<Response>(() => undefined)
      if (pathname === '/html') return new Response('<html>')
      return bun.upgrade(request) ? undefined : new Response(null, { status: 400 })
    },
    websocket: { message: () => undefined },
  })
  return {
    server,
    at: (path: string) => `ws://127.0.0.1:${server.port}${path}`,
    connections: () => connections,
  }
}

const { server, at, connections } = startServer()
afterAll(() => server.stop(true))

describe('a WebSocket is dialled', () => {
  test('where the guard looked, under the name that was meant', async () => {
    const asked: string[] = []
    const socket = await dial('ws://node.example/path', {
      resolve: async (url) => {
        asked.push(url)
        return { addresses: ['127.0.0.1'], port: Number(server.port) }
      },
    })
    expect(socket).not.toBeNull()
    expect(asked).toEqual(['http://node.example/path'])
    socket?.close()
  })

  test.each(['/moved', '/slow', '/html'])('and not used when it answers %s', async (path) => {
    expect(await dial(at(path))).toBeNull()
  })

  test('not at all where the guard forbids it', async () => {
    covers('threat-19')
    const before = connections()
    expect(await dial(`ws://127.0.0.2:${server.port}/`)).toBeNull()
    expect(await dial('ws://169.254.169.254/')).toBeNull()
    expect(await dial('ws://user:password@127.0.0.1/')).toBeNull()
    expect(connections()).toBe(before)
  })

  test('at its next address when the first one cannot be reached', async () => {
    const addresses = ['127.0.0.9', '127.0.0.1']
    const target = { addresses, port: Number(server.port) }
    const socket = await dial('ws://node.example/', { resolve: async () => target })
    expect(socket).not.toBeNull()
    socket?.close()
  })
})

test('its end is told once, however it comes', async () => {
  let ends = 0
  const ended = Promise.withResolvers<void>()
  const socket = await dialWebSocket(
    { url: at('/'), headers: {}, resolve: egress.resolve, connectMs: 500, heartbeatMs: 1_000, maxChars: 10 },
    {
      received: () => undefined,
      ended() {
        ends++
        ended.resolve()
      },
    },
  )
  socket?.close()
  socket?.close()
  await ended.promise
  expect(ends).toBe(1)
})
