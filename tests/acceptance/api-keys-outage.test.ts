import { type AddressInfo, connect, createServer } from 'node:net'

import { afterAll, beforeAll, expect, test } from 'bun:test'

import { systemClock } from '../../server/platform/clock.ts'
import type { Database } from '../../server/platform/database.ts'
import { Fault } from '../../server/platform/fault.ts'
import { parseAddress } from '../../server/platform/postgres/connection-address.ts'
import { createSteadyClock } from '../../server/platform/steady-clock.ts'
import {
  type KeyNode,
  author,
  connectTo,
  keyInput,
  keyNode,
  plainUse,
} from '../../server/api-keys/test-support/key-nodes.ts'
import { type TcpFaultProxy, startTcpFaultProxy } from '../../scripts/world/tcp-fault-proxy.ts'
import { until } from '../support/database-process.ts'
import { testDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'

/** The test server listens on a socket file only, and the fault proxy speaks TCP. */
const bridge = createServer((client) => {
  const { path } = parseAddress(own.url)
  if (path === undefined) throw new Error('the test server has no socket file')
  const server = connect(path)
  client.pipe(server).pipe(client)
  for (const socket of [client, server]) {
    socket.on('error', () => socket.destroy())
    socket.on('close', () => (socket === client ? server : client).destroy())
  }
})

let own: TestDatabase
let proxy: TcpFaultProxy
let farDatabase: Database
let near: KeyNode
let far: KeyNode

const clock = createSteadyClock(systemClock)
const anna = author('acc_anna')

beforeAll(async () => {
  own = await testDatabase()
  await new Promise<void>((resolve) => bridge.listen(0, '127.0.0.1', resolve))
  const { port } = bridge.address() as AddressInfo
  proxy = await startTcpFaultProxy({ target: { host: '127.0.0.1', port } })
  const url = new URL(own.url)
  url.host = `127.0.0.1:${proxy.port}`
  farDatabase = await connectTo(url.href)
  near = await keyNode(own.database, { clock })
  far = await keyNode(farDatabase, { clock })
  for (const { apiKeys } of [near, far]) apiKeys.start()
})

afterAll(async () => {
  proxy.set({})
  for (const { apiKeys } of [near, far]) await apiKeys.stop()
  await farDatabase.close()
  await proxy.stop()
  bridge.close()
  await own.drop()
})

/** The kind of the verdict, or the code of the fault. */
async function answerOf({ apiKeys }: KeyNode, value: string): Promise<string> {
  try {
    return (await apiKeys.authorize(value, plainUse)).kind
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}

test.each(['blackHole', 'refuse'] as const)(
  'a process that is cut off (%s) refuses rather than go by what it knew, and catches up afterwards',
  async (damage) => {
    const { key, value } = await near.apiKeys.create(anna, keyInput())
    const { key: gone, value: goneValue } = await near.apiKeys.create(anna, keyInput())
    const silent = await near.apiKeys.create(anna, keyInput())
    expect([await answerOf(far, value), await answerOf(far, goneValue)]).toEqual(['allowed', 'allowed'])
    expect(await answerOf(far, silent.value)).toBe('allowed')

    proxy.set({ [damage]: true })
    if (damage === 'refuse') proxy.cut()
    const { propagated } = await near.apiKeys.setEnabled(anna, key.id, false)
    expect(propagated).toBe(false)
    expect(await answerOf(near, value)).toBe('invalid')
    await until('the cut-off process notices', () => !far.apiKeys.isAnsweringFromMemory(), 3_000)
    expect(await answerOf(far, value)).toBe('unavailable')
    expect(await answerOf(far, 'gak_junk')).toBe('invalid')
    // It has had no heartbeat for so long that nobody waits for it any more.
    await until('changes are quick again', async () => {
      const name = `renamed ${performance.now()}`
      return (await near.apiKeys.update(anna, gone.id, keyInput({ name }))).propagated
    })
    expect(await near.apiKeys.delete(anna, gone.id)).toEqual({ propagated: true })

    // As when a backup is restored: the keys are other ones, and no change says so.
    await own.database.run((sql) => sql`UPDATE api_keys SET is_enabled = false WHERE id = ${silent.key.id}`)

    proxy.set({})
    await until('it is back', () => far.apiKeys.isAnsweringFromMemory(), 15_000)
    expect([await answerOf(far, value), await answerOf(far, goneValue)]).toEqual(['invalid', 'invalid'])
    await until(
      'all keys are read anew',
      async () => (await answerOf(far, silent.value)) === 'invalid',
      3_000,
    )
    expect((await near.apiKeys.setEnabled(anna, key.id, true)).propagated).toBe(true)
    expect(await answerOf(far, value)).toBe('allowed')
  },
)
