import { expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { closedAfterEach } from '../../../tests/support/closed-after-each.ts'
import { dropBeginnings, filterCodes, listeningSocketOf } from '../listening-socket.ts'
import { Connection } from './connection.ts'
import { dial } from './dial.ts'

const opened = closedAfterEach()

/** A peer at an address, which counts its connections. */
function listenAt(hostname: string, port = 0) {
  const seen = { opened: 0, closed: 0 }
  const server = Bun.listen({
    hostname,
    port,
    socket: { data: () => undefined, open: () => void seen.opened++, close: () => void seen.closed++ },
  })
  opened.push(() => server.stop(true))
  return { port: server.port, seen }
}

function newConnection(): Connection {
  const connection = new Connection({
    wantsToSend: () => undefined,
    becameFree: () => undefined,
    closed: () => undefined,
  })
  opened.push(() => connection.close())
  return connection
}

const dropNothing = [[filterCodes.returnConstant, 0, 0, 0xffff_ffff]] as const

test('an address that says nothing is passed over, and closed when it does answer', async () => {
  const silent = listenAt('127.0.0.2')
  const socket = listeningSocketOf(silent.port)
  socket.acceptAtOnce()
  socket.attach('socket', dropBeginnings)
  listenAt('127.0.0.1', silent.port)
  const connection = newConnection()
  const addresses = ['127.0.0.2', '127.0.0.1']
  expect(await dial(connection, addresses, { port: silent.port, tls: null })).toBe('127.0.0.1')
  expect(connection.isOpen).toBe(true)
  socket.attach('socket', dropNothing)
  await waitUntil('the other one was opened and closed', () => silent.seen.closed === 1)
  expect([silent.seen.opened, connection.isOpen]).toEqual([1, true])
})

test('an address that refuses is passed over, and nothing is tried for who does not wait any more', async () => {
  const { port, seen } = listenAt('127.0.0.1')
  const addresses = ['127.0.0.3', '127.0.0.1']
  const connection = newConnection()
  expect(await dial(connection, addresses, { port, tls: null })).toBe('127.0.0.1')
  expect(connection.isOpen).toBe(true)
  const abandoned = newConnection()
  abandoned.close()
  expect(dial(abandoned, addresses, { port, tls: null })).rejects.toMatchObject({ code: 'ECONNABORTED' })
  await dial(newConnection(), ['127.0.0.1'], { port, tls: null })
  await waitUntil('both are accepted', () => seen.opened >= 2)
  expect(seen.opened).toBe(2)
})
