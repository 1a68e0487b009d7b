import { expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { closedAfterEach } from '../../../tests/support/closed-after-each.ts'
import { systemClock } from '../clock.ts'
import { EgressError } from '../egress/failure.ts'
import { createByteBudget } from './buffered-response.ts'
import { createConnectionPool } from './connection-pool.ts'

const opened = closedAfterEach()

/** Says who answered, and over which connection; `held` answers wait until `release`. */
function machine(hostname: string, port = 0) {
  const held = Promise.withResolvers<void>()
  const server = Bun.serve({
    hostname,
    port,
    async fetch(request, at) {
      if ((await request.text()) === 'held') await held.promise
      return new Response(`${hostname} ${at.requestIP(request)?.port}`)
    },
  })
  opened.push(() => server.stop(true))
  return { port: server.port ?? 0, release: held.resolve }
}

const bounds = {
  connections: 4,
  waiting: 4,
  connectMs: 60_000,
  idleMs: 60_000,
  unusedMs: 3_600_000,
  followMs: 30_000,
}

/** A pool to a name that is at the first of two machines, until it is moved. */
function poolToName() {
  const old = machine('127.0.0.1')
  machine('127.0.0.2', old.port)
  const name = { address: '127.0.0.1', failure: null as EgressError | null, lookUps: 0 }
  const pool = createConnectionPool({
    async resolve() {
      name.lookUps++
      if (name.failure !== null) throw name.failure
      return { addresses: [name.address], port: old.port, tls: null }
    },
    head: () => 'POST / HTTP/1.1\r\nhost: node.example\r\ncontent-length: ',
    bounds,
    budget: createByteBudget(1_000_000),
    clock: systemClock,
  })
  opened.push(() => pool.close())
  const send = (body = ''): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>()
    let text = ''
    pool.send({
      body,
      isRead: true,
      startedAt: systemClock.monotonic(),
      deadlineAt: Number.POSITIVE_INFINITY,
      slowAt: Number.POSITIVE_INFINITY,
      firstByteMs: 60_000,
      answerBytes: 1_000,
      takesCompressed: false,
      accepts(response) {
        text = response.text
        return true
      },
      answered: () => resolve(text),
      failed: resolve,
      slow: () => Number.POSITIVE_INFINITY,
    })
    return promise
  }
  let sweeps = 0
  return {
    old,
    name,
    pool,
    send,
    /** Lets some time pass, after which the name is looked up. */
    lookUp() {
      const before = name.lookUps
      pool.sweep(systemClock.monotonic() + ++sweeps * (bounds.followMs + 1))
      expect(name.lookUps).toBe(before + 1)
    },
  }
}

test('a name that moves is followed, although its old machine goes on to answer', async () => {
  const { name, send, lookUp } = poolToName()
  const first = await send()
  lookUp()
  expect(await send()).toBe(first)
  name.address = '127.0.0.2'
  lookUp()
  await waitUntil('the new machine answers', async () => (await send()).startsWith('127.0.0.2 '))
})

test('what is under way at the old machine is answered by it, and nothing comes after it', async () => {
  const { old, name, pool, send, lookUp } = poolToName()
  const first = await send()
  const answer = send('held')
  name.address = '127.0.0.2'
  lookUp()
  await waitUntil('calls go to the new machine', async () => (await send()).startsWith('127.0.0.2 '))
  old.release()
  expect(await answer).toBe(first)
  await waitUntil('no call is under way', () => pool.inFlight === 0)
  expect(await send()).toStartWith('127.0.0.2 ')
})

test('while the resolver is away, the connections that are open go on', async () => {
  const { name, send, lookUp } = poolToName()
  const first = await send()
  name.failure = new EgressError('DNS')
  lookUp()
  expect(await send()).toBe(first)
  expect(await send()).toBe(first)
})

test('connections to an address that may not be reached any more are not used', async () => {
  const { name, send, lookUp } = poolToName()
  await send()
  name.failure = new EgressError('ADDRESS')
  lookUp()
  await waitUntil('the address is refused', async () => (await send()) === 'refused-address')
})
