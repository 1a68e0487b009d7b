import { expect, test } from 'bun:test'

import { createSessionCache } from './session-cache.ts'
import type { CurrentSession } from './session.ts'

const session: CurrentSession = {
  id: 'ses_1',
  accountId: 'acc_1',
  role: 'account',
  state: 'active',
  accountLabel: 'wallet 0x12…',
  lastSeenAt: 0,
  signedInAt: 0,
  expiresAt: 1e9,
}

function cacheAt() {
  let time = 0
  const now = () => time
  const cache = createSessionCache({ now, earliest: now, latest: now })
  return { cache, advance: (ms: number) => void (time += ms) }
}

test('keeps what was read for five seconds', async () => {
  const { cache, advance } = cacheAt()
  await cache.load('hash', async () => session)
  advance(4_999)
  expect(cache.find('hash')).toEqual(session)
  advance(1)
  expect(cache.find('hash')).toBeUndefined()
})

test('a use does not make it keep longer: a revocation that was not heard is found out', async () => {
  const { cache, advance } = cacheAt()
  await cache.load('hash', async () => session)
  advance(4_000)
  cache.replace('hash', { ...session, lastSeenAt: 4_000 })
  advance(1_000)
  expect(cache.find('hash')).toBeUndefined()
})

test('what was read while something was forgotten is not kept', async () => {
  const { cache } = cacheAt()
  const reading = Promise.withResolvers<CurrentSession>()
  const loading = cache.load('hash', () => reading.promise)
  cache.forgetAccount('acc_1')
  reading.resolve(session)
  expect(await loading).toEqual(session)
  expect(cache.find('hash')).toBeUndefined()
})

test('forgets the sessions of one account, or all', async () => {
  const { cache } = cacheAt()
  await cache.load('one', async () => session)
  await cache.load('two', async () => ({ ...session, accountId: 'acc_2' }))
  cache.forgetAccount('acc_1')
  expect(cache.find('one')).toBeUndefined()
  expect(cache.find('two')).toBeDefined()
  cache.forgetAll()
  expect(cache.find('two')).toBeUndefined()
})

test('holds at most ten thousand, and nothing of what is not there', async () => {
  const { cache } = cacheAt()
  for (let index = 0; index <= 10_000; index++) await cache.load(`hash ${index}`, async () => session)
  expect(cache.find('hash 0')).toBeUndefined()
  expect(cache.find('hash 1')).toBeDefined()
  await cache.load('nobody', async () => null)
  expect(cache.find('nobody')).toBeUndefined()
})
