import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import type { Database } from '../platform/database.ts'
import { Fault } from '../platform/fault.ts'
import { type NodeOptions, author, handClock } from '../keys/test-support/key-world.ts'
import {
  type QueryKeyNode,
  keyForm,
  plainCaller,
  queryKeyNode,
  unrestricted,
} from './test-support/query-key-nodes.ts'
import { dayMs, minuteMs } from '../../shared/durations.ts'
import { covers } from '../../tests/support/covers.ts'

let own: TestDatabase

beforeAll(async () => {
  own = await testDatabase()
})

afterAll(() => own.drop())

const anna = author('acc_anna')
const perMinute = { units: 100, period: 'minute' } as const
const perDay = { units: 50_000, period: 'day' } as const

async function refusalOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work
  } catch (error) {
    if (error instanceof Fault) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('it was not refused')
}

const running: QueryKeyNode[] = []

afterEach(() => Promise.all(running.splice(0).map(({ queryKeys }) => queryKeys.stop())))

async function newNode(options: NodeOptions = {}, database = own.database) {
  const clock = handClock()
  const node = await queryKeyNode(database, { clock, ...options })
  running.push(node)
  return { clock, ...node }
}

describe('what can be done to a key', () => {
  test('a new key is enabled, is in the list, and works at its endpoint', async () => {
    covers('query-keys-give-access')
    const { queryKeys, clock } = await newNode()
    const { key, value, url, propagated } = await queryKeys.create(
      anna,
      keyForm({
        name: 'wallet',
        type: 'growthRPC',
        rateLimit: 100,
        rateLimitPeriod: 'minute',
        creditsLimit: 50_000,
        creditsLimitPeriod: 'day',
        allowedIps: ['198.51.100.9/24'],
        allowedDomains: ['*.Example.com'],
        allowedMethods: ['eth_call', 'eth_call', 'eth_get*'],
        allowedContracts: [`0x${'aB'.repeat(20)}`, `0x${'ab'.repeat(20)}`],
        expiresAt: clock.at + minuteMs,
      }),
    )
    expect(value).toMatch(/^gqk_[0-9A-Za-z]{38}$/)
    expect(url).toBe(`https://gatehouse.example/rpc/testnet/${value}`)
    expect(propagated).toBe(true)
    expect(key).toEqual({
      id: key.id,
      name: 'wallet',
      type: 'growthRPC',
      endpoint: 'testnet',
      rate: perMinute,
      credits: perDay,
      allowedIps: ['198.51.100.0/24'],
      allowedDomains: ['*.example.com'],
      allowedMethods: ['eth_call', 'eth_get*'],
      allowedContracts: [`0x${'ab'.repeat(20)}`],
      moreEndpoints: [],
      debugEndsAt: null,
      createdAt: clock.at,
      expiresAt: clock.at + minuteMs,
      isEnabled: true,
      state: 'enabled',
      hint: `gqk_…${value.slice(-4)}`,
      lastUsedAt: null,
      previous: null,
    })
    expect(await queryKeys.list('acc_anna')).toContainEqual(key)
    expect(await queryKeys.find('acc_anna', key.id)).toEqual(key)
    expect(await queryKeys.find('acc_bob', key.id)).toBeNull()
    const caller = { ...plainCaller, origin: 'https://app.example.com' }
    expect(queryKeys.authorize(value, 'testnet', caller)).toMatchObject({
      kind: 'allowed',
      key: { id: key.id, accountId: 'acc_anna', rate: perMinute, credits: perDay },
    })
    const kind = async (address: string, origin: string) =>
      (await queryKeys.authorize(value, 'testnet', { address, origin })).kind
    expect(await kind('203.0.113.1', caller.origin)).toBe('ip_not_allowed')
    expect(await kind(caller.address, 'https://example.com')).toBe('domain_not_allowed')
    clock.at += minuteMs
    await queryKeys.sync()
    expect(queryKeys.authorize(value, 'testnet', caller)).toEqual({ kind: 'invalid', why: 'expired' })
  })

  test('at another endpoint it is no key, before its restrictions are looked at', async () => {
    const { queryKeys } = await newNode()
    const { value } = await queryKeys.create(anna, keyForm({ allowedIps: ['203.0.113.1'] }))
    expect(queryKeys.authorize(value, 'mainnet', plainCaller)).toEqual({
      kind: 'invalid',
      why: 'other_endpoint',
    })
  })

  test('a key without limits gets those of the installation at that moment, and keeps them', async () => {
    const { queryKeys, installation } = await newNode()
    installation.defaultLimits = { rate: perMinute, credits: null }
    const { key, value } = await queryKeys.create(anna, keyForm())
    expect(key).toMatchObject({ rate: perMinute, credits: null })
    const { key: given } = await queryKeys.create(anna, keyForm({ rateLimit: 5, rateLimitPeriod: 'hour' }))
    expect(given.rate).toEqual({ units: 5, period: 'hour' })
    installation.defaultLimits = { rate: null, credits: perDay }
    await queryKeys.sync()
    expect(queryKeys.authorize(value, 'testnet', plainCaller)).toMatchObject({
      key: { rate: perMinute, credits: null },
    })
  })

  test('names that the installation does not know are refused with the known ones', async () => {
    covers('query-key-known-types', 'query-key-known-endpoints')
    const { queryKeys, installation } = await newNode()
    expect(await refusalOf(queryKeys.create(anna, keyForm({ type: 'x', endpoint: 'y' })))).toEqual({
      code: 'invalid_request',
      message: 'type: expected one of "freeRPC", "growthRPC"; endpoint: expected one of "mainnet", "testnet"',
    })
    const { key } = await queryKeys.create(anna, keyForm({ type: 'growthRPC' }))
    const edit = { ...unrestricted, name: 'kept', type: 'growthRPC' }
    installation.types = ['freeRPC']
    expect((await queryKeys.update(anna, key.id, edit)).key.type).toBe('growthRPC')
    expect((await refusalOf(queryKeys.update(anna, key.id, { ...edit, type: 'other' }))).message).toBe(
      'type: expected "freeRPC"',
    )
    installation.endpoints = []
    expect((await refusalOf(queryKeys.create(anna, keyForm()))).message).toBe(
      'endpoint: no endpoint is configured',
    )
  })

  test('the toggle disables and enables; a deleted key is gone for good', async () => {
    const { queryKeys } = await newNode()
    const { key, value } = await queryKeys.create(anna, keyForm())
    const why = () => queryKeys.authorize(value, 'testnet', plainCaller)
    expect((await queryKeys.setEnabled(anna, key.id, false)).key.state).toBe('disabled')
    expect(why()).toEqual({ kind: 'invalid', why: 'disabled' })
    await queryKeys.setEnabled(anna, key.id, true)
    expect(why()).toMatchObject({ kind: 'allowed' })
    expect(await queryKeys.delete(anna, key.id)).toEqual({ propagated: true })
    expect(why()).toEqual({ kind: 'invalid', why: 'unknown' })
    expect(queryKeys.findByValue(value, plainCaller)).toBeNull()
    expect((await refusalOf(queryKeys.setEnabled(anna, key.id, true))).code).toBe('not_found')
  })

  test('all but the endpoint can be edited; a limit that is left out is the default of now', async () => {
    const { queryKeys, installation } = await newNode()
    const { key, value } = await queryKeys.create(anna, keyForm({ rateLimit: 1, rateLimitPeriod: 'second' }))
    installation.defaultLimits = { rate: perMinute, credits: null }
    const edited = await queryKeys.update(anna, key.id, {
      name: 'renamed',
      type: 'growthRPC',
      creditsLimit: 50_000,
      creditsLimitPeriod: 'day',
      ...unrestricted,
      allowedIps: ['192.0.2.1'],
    })
    expect(edited.key).toMatchObject({
      name: 'renamed',
      type: 'growthRPC',
      endpoint: 'testnet',
      rate: perMinute,
      credits: perDay,
      allowedIps: ['192.0.2.1'],
    })
    expect(queryKeys.authorize(value, 'testnet', plainCaller)).toEqual({
      kind: 'ip_not_allowed',
      key: expect.objectContaining({ id: edited.key.id }),
    })
  })

  test('an edit of something else leaves a key that is older than the keys of its plan as it was', async () => {
    const { queryKeys, clock, installation } = await newNode()
    const { key, value } = await queryKeys.create(anna, keyForm())
    installation.plans = [{ name: 'free', keyDays: 90, methods: ['eth_*'] }]
    installation.plan = 'free'
    clock.at = key.createdAt + 100 * dayMs
    const { key: renamed } = await queryKeys.change(anna, key.id, { name: 'production' })
    expect(renamed).toMatchObject({
      name: 'production',
      expiresAt: null,
      allowedMethods: [],
      state: 'enabled',
    })
    expect(await queryKeys.authorize(value, 'testnet', plainCaller)).toMatchObject({ kind: 'allowed' })
    const form = { ...keyForm({ name: 'by the form' }), expiresAt: null }
    const { key: replaced } = await queryKeys.update(anna, key.id, form)
    expect(replaced).toMatchObject({
      name: 'by the form',
      expiresAt: null,
      allowedMethods: [],
      state: 'enabled',
    })
  })

  test('rotation: both values work while they overlap, then the new one alone', async () => {
    const { queryKeys, clock } = await newNode()
    const { key, value: first } = await queryKeys.create(anna, keyForm())
    const { value: second, url } = await queryKeys.rotate(anna, key.id, minuteMs)
    const kinds = async () => {
      await queryKeys.sync()
      const verdicts = [first, second].map((value) => queryKeys.authorize(value, 'testnet', plainCaller))
      return (await Promise.all(verdicts)).map(({ kind }) => kind)
    }
    expect(await kinds()).toEqual(['allowed', 'allowed'])
    expect(await queryKeys.reveal(anna, key.id)).toEqual({ value: second, url })
    clock.at += minuteMs
    expect(await kinds()).toEqual(['invalid', 'allowed'])
  })

  test('the last use is what metering tells', async () => {
    const { queryKeys, installation } = await newNode()
    const { key } = await queryKeys.create(anna, keyForm())
    installation.lastUses.set(key.id, 1_700_000_040_000)
    expect((await queryKeys.find('acc_anna', key.id))?.lastUsedAt).toBe(1_700_000_040_000)
  })
})

test.each(['Über-Bot', 'über', 'ÜBER-BOT'])('a key is found by its name as "%s"', async (typed) => {
  const { queryKeys } = await newNode()
  const accountId = `acc_${typed}`
  await queryKeys.create(author(accountId), keyForm({ name: 'Über-Bot' }))
  await queryKeys.create(author(accountId), keyForm({ name: 'Uhr' }))
  const { keys: filtered } = await queryKeys.page(accountId, { name: typed, limit: 5 })
  expect(filtered.map(({ name }) => name)).toEqual(['Über-Bot'])
  const searched = await queryKeys.pageOfAll({ accountId, search: typed, after: null, limit: 5 })
  expect(searched.keys.map(({ key }) => key.name)).toEqual(['Über-Bot'])
})

test('keys of another account do not exist, whatever is tried', async () => {
  const { queryKeys, events } = await newNode()
  const { key, value } = await queryKeys.create(anna, keyForm())
  const known = events.length
  const bob = author('acc_bob')
  const edit = { ...unrestricted, name: 'x', type: 'freeRPC' }
  const attempts = [
    () => queryKeys.update(bob, key.id, edit),
    () => queryKeys.setEnabled(bob, key.id, false),
    () => queryKeys.delete(bob, key.id),
    () => queryKeys.rotate(bob, key.id, 0),
    () => queryKeys.reveal(bob, key.id),
  ]
  for (const attempt of attempts) expect((await refusalOf(attempt())).code).toBe('not_found')
  expect(await queryKeys.list('acc_bob')).toEqual([])
  expect(events).toHaveLength(known)
  expect(queryKeys.authorize(value, 'testnet', plainCaller)).toMatchObject({ kind: 'allowed' })
})

describe('the audit log', () => {
  test('has every change with before and after, and no secret', async () => {
    const { queryKeys, events } = await newNode()
    const { key, value } = await queryKeys.create(anna, keyForm())
    await queryKeys.setEnabled(anna, key.id, false)
    const { value: second } = await queryKeys.rotate(anna, key.id, minuteMs)
    await queryKeys.reveal(anna, key.id)
    await queryKeys.delete(anna, key.id)
    const actions = ['create', 'disable', 'rotate', 'reveal', 'delete']
    expect(events.map(({ action }) => action as string)).toEqual(
      actions.map((action) => `query_key.${action}`),
    )
    for (const event of events) {
      expect(event).toMatchObject({ actor: anna.actor, subject: { kind: 'query_key', id: key.id } })
    }
    expect(events[0]?.after).toMatchObject({ accountId: 'acc_anna', endpoint: 'testnet', type: 'freeRPC' })
    const written = JSON.stringify(events)
    for (const secret of [value, second]) expect(written).not.toInclude(secret.slice(4, 36))
  })

  test('a change that cannot be recorded is not made', async () => {
    let isLogFull = false
    const record = () => (isLogFull ? Promise.reject(new Error('the log is full')) : Promise.resolve())
    const { queryKeys } = await newNode({ record })
    const { key, value } = await queryKeys.create(anna, keyForm())
    isLogFull = true
    await expect(queryKeys.setEnabled(anna, key.id, false)).rejects.toThrow('the log is full')
    await expect(queryKeys.createAll(anna, [keyForm()], null)).rejects.toThrow('the log is full')
    await queryKeys.sync()
    expect(queryKeys.authorize(value, 'testnet', plainCaller)).toMatchObject({ kind: 'allowed' })
  })
})

test('where the installation does not allow it, a value is never shown again', async () => {
  const { queryKeys, events } = await newNode({ canReveal: false })
  const { key } = await queryKeys.create(anna, keyForm())
  expect((await refusalOf(queryKeys.reveal(anna, key.id))).code).toBe('forbidden')
  expect(events.some(({ action }) => action === 'query_key.reveal')).toBe(false)
})

test('a sealed value that was moved to a row of another account, or from an API key, does not open', async () => {
  const { queryKeys } = await newNode()
  const { key } = await queryKeys.create(anna, keyForm())
  await own.database.sql`UPDATE query_keys SET account_id = 'acc_mallory' WHERE id = ${key.id}`
  await expect(queryKeys.reveal(author('acc_mallory'), key.id)).rejects.toThrow()
})

test('the use of a key asks the database nothing, and no promise is made', async () => {
  const asked: string[] = []
  const counting: Database = {
    ...own.database,
    get sql() {
      asked.push('sql')
      return own.database.sql
    },
    run: (work, deadlineMs) => {
      asked.push('run')
      return own.database.run(work, deadlineMs)
    },
  }
  const { queryKeys } = await newNode({}, counting)
  const { value } = await queryKeys.create(anna, keyForm())
  const known = asked.length
  for (const shown of [value, null, 'junk', `gqk_${'0'.repeat(38)}`]) {
    expect(queryKeys.authorize(shown, 'testnet', plainCaller)).not.toBeInstanceOf(Promise)
  }
  expect(queryKeys.findByValue(value, plainCaller)).toMatchObject({ endpoint: 'testnet' })
  expect(asked.length).toBe(known)
})

test('whoever listens hears of each key that changed, when this process goes by it already', async () => {
  const { queryKeys } = await newNode()
  const { key, value } = await queryKeys.create(anna, keyForm())
  const heard: string[] = []
  const stopListening = queryKeys.onChange((id) => {
    const verdict = queryKeys.authorize(value, 'testnet', plainCaller)
    heard.push(`${id} ${'kind' in verdict ? verdict.kind : 'asks'}`)
  })
  await queryKeys.setEnabled(anna, key.id, false)
  expect(new Set(heard)).toEqual(new Set([`${key.id} invalid`]))
  stopListening()
  const before = heard.length
  await queryKeys.setEnabled(anna, key.id, true)
  expect(heard).toHaveLength(before)
})
