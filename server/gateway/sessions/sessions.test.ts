import { describe, expect, test } from 'bun:test'

import type { GatewayCaller } from '../authentication.ts'
import { gatewaySettings } from '../settings.ts'
import { createSealedIds, randomIds } from './session-ids.ts'
import { createGatewaySessions, isElsewhere } from './sessions.ts'
import { covers } from '../../../tests/support/covers.ts'

const caller = (from: string | null) => ({ caller: () => ({ address: from, origin: null }) })
const anonymous = (from: string | null): GatewayCaller => ({
  kind: 'anonymous',
  name: 'anonymous',
  from: caller(from),
})
const owner = (name: string, isStillAllowed = async () => true): GatewayCaller => ({
  kind: 'account',
  name,
  keyName: name,
  accountId: `account of ${name}`,
  from: caller('203.0.113.9'),
  isStillAllowed,
})

function sessionsAt(settings: Partial<typeof gatewaySettings> = {}, ids = randomIds) {
  let now = 0
  const ended: string[] = []
  const clock = { now: () => 1_000_000 + now, monotonic: () => now }
  const all = createGatewaySessions({
    clock,
    settings: { ...gatewaySettings, ...settings },
    ids,
    onEnd: (id) => void ended.push(id),
  })
  return { ...all, ended, pass: (ms: number) => void (now += ms) }
}

const processOf = (id: string) => sessionsAt({}, createSealedIds(Buffer.alloc(32, 1), id))

describe('a session', () => {
  test('is found by its own principal only', () => {
    covers('threat-38', 'threat-40')
    const sessions = sessionsAt()
    const { id } = sessions.open(owner('a'), 'handle')
    expect(sessions.find(owner('a'), id)?.id).toBe(id)
    expect(sessions.find(owner('b'), id)).toBeNull()
    expect(sessions.find(anonymous('203.0.113.9'), id)).toBeNull()
    expect(sessions.find(owner('a'), `${id}x`)).toBeNull()
  })

  test('is elsewhere where another process made its id for that caller, at that address', () => {
    const [here, there] = [processOf('0123456789abcdef'), processOf('fedcba9876543210')]
    const agent = { ...owner('a'), virtualServer: 'tools' }
    expect(isElsewhere(here, agent, there.open(agent, 'handle').id)).toBe(true)
    expect(isElsewhere(here, agent, here.open(agent, 'handle').id)).toBe(false)
    expect(isElsewhere(here, owner('a'), there.open(agent, 'handle').id)).toBe(false)
    expect(isElsewhere(here, agent, there.open(owner('a'), 'handle').id)).toBe(false)
    // What a tool of somebody else calls a session.
    expect(isElsewhere(here, agent, 'browser-7')).toBe(false)
  })

  test('asks for the address of its caller while the request is there that opens it', () => {
    let asked = 0
    const from = { caller: () => ({ address: `203.0.113.${(asked += 1)}`, origin: null }) }
    sessionsAt().open({ ...owner('a'), from }, 'sse')
    expect(asked).toBe(1)
  })

  test('has an id of 256 bits, and no two are the same', () => {
    covers('threat-40')
    const sessions = sessionsAt()
    const ids = Array.from({ length: 100 }, () => sessions.open(owner('a'), 'handle').id)
    expect(new Set(ids).size).toBe(100)
    for (const id of ids) expect(id).toMatch(/^gws_[A-Za-z0-9_-]{43}$/)
  })

  test('ends when nobody used it for an hour, unless a stream is open', () => {
    const sessions = sessionsAt()
    const idle = sessions.open(owner('a'), 'handle')
    const open = sessions.open(owner('a'), 'sse')
    const release = sessions.hold(open.id)
    sessions.pass(gatewaySettings.sessionIdleMs)
    sessions.sweep()
    expect(sessions.ended).toEqual([idle.id])
    release()
    sessions.pass(gatewaySettings.sessionIdleMs)
    sessions.sweep()
    expect(sessions.ended).toEqual([idle.id, open.id])
  })

  test('ends after a day, used or not', () => {
    const sessions = sessionsAt()
    const { id } = sessions.open(owner('a'), 'sse')
    sessions.hold(id)
    for (let hour = 0; hour < 24; hour++) {
      expect(sessions.find(owner('a'), id)?.id).toBe(id)
      sessions.pass(3_600_000)
    }
    expect(sessions.find(owner('a'), id)).toBeNull()
    expect(sessions.count()).toBe(0)
  })

  test('of a key that is not good any more ends, others stay', async () => {
    const sessions = sessionsAt()
    const bad = sessions.open(
      owner('a', async () => false),
      'sse',
    )
    const good = sessions.open(owner('b'), 'sse')
    await sessions.recheck('a')
    await sessions.recheck('b')
    expect(sessions.ended).toEqual([bad.id])
    expect(sessions.find(owner('b'), good.id)?.id).toBe(good.id)
  })
})

const address = (count: number): string => `198.51.${count >> 8}.${count & 255}`

describe('there are bounds', () => {
  test('of one principal: the one that was not used for longest makes room', () => {
    const sessions = sessionsAt({ sessionsOfOne: 3 })
    const first = sessions.open(owner('a'), 'handle')
    sessions.pass(120_000)
    const others = [1, 2].map(() => sessions.open(owner('a'), 'handle'))
    sessions.open(owner('a'), 'handle')
    expect(sessions.ended).toEqual([first.id])
    expect(() => sessions.open(owner('a'), 'handle')).toThrow('open sessions')
    expect(sessions.open(owner('b'), 'handle').callerName).toBe('b')
    expect(others.every(({ id }) => sessions.find(owner('a'), id) !== null)).toBe(true)
  })

  test('of one account, with however many keys', () => {
    const sessions = sessionsAt({ sessionsOfOne: 2 })
    const key = (name: string): GatewayCaller =>
      ({ ...owner(name), accountId: 'one account' }) as GatewayCaller
    for (const name of ['first', 'second']) sessions.open(key(name), 'handle')
    expect(() => sessions.open(key('third'), 'handle')).toThrow('open sessions')
    sessions.open(owner('of another account'), 'handle')
  })

  test('of one address without a key, or one network of a customer', () => {
    const sessions = sessionsAt({ sessionsOfOne: 2 })
    for (let count = 0; count < 2; count++) sessions.open(anonymous('198.51.100.1'), 'sse')
    expect(() => sessions.open(anonymous('198.51.100.1'), 'sse')).toThrow('open sessions')
    for (let count = 0; count < 2; count++) sessions.open(anonymous(`2001:db8:1:2::${count}`), 'sse')
    expect(() => sessions.open(anonymous('2001:db8:1:2::9'), 'sse')).toThrow('open sessions')
    sessions.open(anonymous('2001:db8:1:3::1'), 'sse')
  })

  test('of this machine, where all have one address: as many as of all without a key', () => {
    const sessions = sessionsAt({ sessionsOfOne: 2, sessions: 10 })
    for (let count = 0; count < 5; count++) sessions.hold(sessions.open(anonymous('127.0.0.1'), 'sse').id)
    expect(() => sessions.open(anonymous('127.0.0.1'), 'sse')).toThrow('as many open sessions')
  })

  test('of all without a key: the one that was idle for longest gives way, and accounts keep their half', () => {
    const sessions = sessionsAt({ sessions: 10_000 })
    const held = sessions.open(anonymous('203.0.113.1'), 'sse')
    sessions.hold(held.id)
    const oldest = sessions.open(anonymous('203.0.113.2'), 'handle')
    const used = sessions.open(anonymous('203.0.113.3'), 'handle')
    for (let count = 3; count < 5_000; count++) sessions.open(anonymous(address(count)), 'handle')
    sessions.find(anonymous('203.0.113.3'), used.id)
    expect(sessions.ended).toEqual([])
    sessions.open(anonymous('203.0.113.4'), 'handle')
    expect(sessions.ended).toEqual([oldest.id])
    for (let count = 0; count < 10_000; count++) sessions.open(anonymous(address(count)), 'handle')
    expect(sessions.count()).toBe(5_000)
    expect(sessions.ended).not.toContain(held.id)
    for (let count = 0; count < 5_000; count++) sessions.open(owner(`owner-${count}`), 'handle')
    expect(sessions.count()).toBe(10_000)
  })

  test('of all: an account is given the place of a caller without a key first', () => {
    const sessions = sessionsAt({ sessions: 4 })
    const first = sessions.open(owner('a'), 'handle')
    const anonymousOne = sessions.open(anonymous('203.0.113.1'), 'handle')
    for (const name of ['b', 'c']) sessions.open(owner(name), 'handle')
    sessions.open(owner('d'), 'handle')
    expect(sessions.ended).toEqual([anonymousOne.id])
    expect(() => sessions.open(anonymous('203.0.113.2'), 'handle')).toThrow('as many open sessions')
    sessions.pass(120_000)
    sessions.open(owner('e'), 'handle')
    expect(sessions.ended).toEqual([anonymousOne.id, first.id])
  })

  test('of all: those with an open stream stay', () => {
    const sessions = sessionsAt({ sessions: 2 })
    const held = sessions.open(owner('a'), 'sse')
    sessions.hold(held.id)
    const idle = sessions.open(owner('b'), 'handle')
    sessions.pass(120_000)
    sessions.open(owner('c'), 'handle')
    expect(sessions.ended).toEqual([idle.id])
    expect(() => sessions.open(owner('d'), 'handle')).toThrow('as many open sessions as it can hold')
  })
})
