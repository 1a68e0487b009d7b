import { afterEach, beforeEach, expect, test } from 'bun:test'

import type { Downstream } from '../downstream/downstream.ts'
import { type Pool, type PoolKey, createPool } from './pool.ts'

let nowMs = 0
let pool: Pool
const opened: { isOpen: boolean }[] = []

beforeEach(() => {
  nowMs = 0
  opened.splice(0)
  pool = createPool({ total: 3, perPrincipal: 2, idleMs: 20 }, { monotonic: () => nowMs })
})
afterEach(() => pool.stop())

/** A connection that only knows whether it is open. */
function connection(): Downstream {
  const state = { isOpen: true }
  opened.push(state)
  return {
    request: () => Promise.reject(new TypeError('nobody asks')),
    callWithHeaders: () => Promise.reject(new TypeError('nobody asks')),
    era: 'modern',
    protocolSupport: { kind: 'legacy' },
    protocolVersion: null,
    server: null,
    instructions: null,
    isOpen: () => state.isOpen,
    close() {
      state.isOpen = false
    },
  }
}

const key = (parts: Partial<PoolKey> = {}): PoolKey => ({
  principal: 'account:anna',
  holder: 'session:1',
  url: 'https://a.test/mcp',
  credentialVersion: '1',
  ...parts,
})

const open = () => Promise.resolve(connection())

async function taken(of: PoolKey): Promise<Downstream> {
  const taking = pool.take(of, open)
  if (taking === 'busy') throw new Error('busy')
  return taking
}

test('all who ask while it is opened share one connection', async () => {
  const gate = Promise.withResolvers<Downstream>()
  let attempts = 0
  const attempt = () => {
    attempts += 1
    return gate.promise
  }
  const asked = [pool.take(key(), attempt), pool.take(key(), attempt)]
  expect(pool.open(key())).toBeNull()
  gate.resolve(connection())
  const [one, other] = await Promise.all(asked)
  expect(one).toBe(other as Downstream)
  expect(attempts).toBe(1)
  expect(pool.open(key())).toBe(one as Downstream)
})

test('nothing is shared between principals, holders, places or credentials', async () => {
  const first = await taken(key())
  for (const other of [
    { principal: 'account:bob' },
    { holder: 'session:2' },
    { url: 'https://b.test/mcp' },
    { credentialVersion: '2' },
  ]) {
    expect(pool.open(key(other))).toBeNull()
  }
  expect(await taken(key({ holder: 'session:2' }))).not.toBe(first)
})

test('an attempt that fails leaves nothing behind', async () => {
  const taking = pool.take(key(), () => Promise.reject(new Error('no')))
  expect(await Promise.resolve(taking).catch((error: Error) => error.message)).toBe('no')
  expect(pool.size()).toBe(0)
})

test('what broke is opened anew', async () => {
  const first = await taken(key())
  first.close()
  expect(pool.open(key())).toBeNull()
  expect(await taken(key())).not.toBe(first)
  expect(pool.size()).toBe(1)
})

test('when there is no room, the longest unused goes; one in use does not', async () => {
  const first = await taken(key({ holder: 'session:1' }))
  nowMs = 1
  const second = await taken(key({ holder: 'session:2' }))
  pool.used(first)
  await taken(key({ holder: 'session:3' }))
  expect([first.isOpen(), second.isOpen()]).toEqual([true, false])
  const third = pool.open(key({ holder: 'session:3' }))
  if (third !== null) pool.used(third)
  expect(pool.take(key({ holder: 'session:4' }), open)).toBe('busy')
  await taken(key({ principal: 'account:bob' }))
  expect(pool.take(key({ principal: 'account:carol', holder: 'x' }), open)).not.toBe('busy')
})

test('a session that ends closes its connections, also one that is being opened', async () => {
  const gate = Promise.withResolvers<Downstream>()
  const taking = pool.take(key({ url: 'https://late.test/' }), () => gate.promise)
  const first = await taken(key())
  const other = await taken(key({ principal: 'account:bob', holder: 'session:2' }))
  pool.closeHolder('session:1')
  gate.resolve(connection())
  const late = await taking
  expect([first.isOpen(), other.isOpen()]).toEqual([false, true])
  expect(late === 'busy' ? null : late.isOpen()).toBe(false)
  expect(pool.size()).toBe(1)
})

test('what nobody uses for a while is closed; what is in use is not', async () => {
  const idle = await taken(key())
  const busy = await taken(key({ holder: 'session:2' }))
  pool.used(busy)
  nowMs = 1_000
  for (let round = 0; round < 200 && idle.isOpen(); round += 1) await Bun.sleep(5)
  expect([idle.isOpen(), busy.isOpen()]).toEqual([false, true])
})

test('a retired connection serves the calls that it has, and no other; the last one closes it', async () => {
  const first = await taken(key())
  pool.used(first)
  pool.used(first)
  pool.released(first)
  pool.retire(key(), first)
  expect([first.isOpen(), pool.open(key())]).toEqual([true, null])
  const second = await taken(key())
  pool.retire(key(), first)
  expect(pool.open(key())).toBe(second)
  pool.released(first)
  expect([first.isOpen(), second.isOpen(), pool.size()]).toEqual([false, true, 1])
  pool.retire(key(), second)
  expect([second.isOpen(), pool.size()]).toEqual([false, 0])
})

test('the end of a session closes its retired connections at once', async () => {
  const first = await taken(key())
  pool.used(first)
  pool.retire(key(), first)
  pool.closeHolder('session:1')
  expect([first.isOpen(), pool.size()]).toEqual([false, 0])
  pool.released(first)
  expect(pool.size()).toBe(0)
})
