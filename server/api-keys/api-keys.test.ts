import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import type { Database } from '../platform/database.ts'
import { Fault } from '../platform/fault.ts'
import { type NodeOptions, author, handClock } from '../keys/test-support/key-world.ts'
import { type KeyNode, keyInput, keyNode, plainUse } from './test-support/key-nodes.ts'
import { minuteMs } from '../../shared/durations.ts'
import { covers } from '../../tests/support/covers.ts'

let own: TestDatabase

beforeAll(async () => {
  own = await testDatabase()
})

afterAll(() => own.drop())

const anna = author('acc_anna')

async function refusalOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work
  } catch (error) {
    if (error instanceof Fault) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('it was not refused')
}

const running: KeyNode[] = []

afterEach(() => Promise.all(running.splice(0).map(({ apiKeys }) => apiKeys.stop())))

async function newNode(options: NodeOptions = {}, database = own.database) {
  const clock = handClock()
  const node = await keyNode(database, { clock, ...options })
  running.push(node)
  return { clock, ...node }
}

describe('what can be done to a key', () => {
  test('a new key is enabled, is in the list, and works', async () => {
    covers('api-key-allowed-ips', 'api-key-allowed-domains', 'api-key-expiration')
    const { apiKeys, clock } = await newNode()
    const input = keyInput({
      name: 'CI',
      permissions: ['token_create', 'statistics_read'],
      allowedIps: ['198.51.100.9/24', '198.51.100.1/24', '::ffff:192.0.2.1'],
      allowedDomains: ['*.Example.com', 'bücher.example'],
      expiresAt: clock.at + minuteMs,
    })
    const { key, value, propagated } = await apiKeys.create(anna, input)
    expect(value).toMatch(/^gak_[0-9A-Za-z]{38}$/)
    expect(propagated).toBe(true)
    expect(key).toEqual({
      id: key.id,
      name: 'CI',
      permissions: ['token_create', 'statistics_read'],
      allowedIps: ['198.51.100.0/24', '192.0.2.1'],
      allowedDomains: ['*.example.com', 'xn--bcher-kva.example'],
      createdAt: clock.at,
      expiresAt: clock.at + minuteMs,
      isEnabled: true,
      state: 'enabled',
      hint: `gak_…${value.slice(-4)}`,
      lastUsedAt: null,
      previous: null,
    })
    expect(await apiKeys.list('acc_anna')).toContainEqual(key)
    const use = { ...plainUse, origin: 'https://app.example.com' }
    expect((await apiKeys.authorize(value, use)).kind).toBe('allowed')
    expect((await apiKeys.authorize(value, { ...use, address: '203.0.113.1' })).kind).toBe('ip_not_allowed')
    expect((await apiKeys.authorize(value, { ...use, origin: 'https://example.com' })).kind).toBe(
      'domain_not_allowed',
    )
    clock.at += minuteMs
    expect(await apiKeys.authorize(value, use)).toEqual({ kind: 'invalid', why: 'expired' })
    expect((await apiKeys.list('acc_anna')).find(({ id }) => id === key.id)?.state).toBe('expired')
  })

  test('the toggle disables and enables, and the key is kept', async () => {
    covers('api-key-disable', 'api-key-enable')
    const { apiKeys } = await newNode()
    const { key, value } = await apiKeys.create(anna, keyInput())
    const disabled = await apiKeys.setEnabled(anna, key.id, false)
    expect(disabled.key).toMatchObject({ isEnabled: false, state: 'disabled' })
    expect(await apiKeys.authorize(value, plainUse)).toEqual({ kind: 'invalid', why: 'disabled' })
    await apiKeys.setEnabled(anna, key.id, true)
    expect((await apiKeys.authorize(value, plainUse)).kind).toBe('allowed')
  })

  test('every option can be edited; a key that has expired stays so', async () => {
    covers('api-key-creating-and-editing')
    const { apiKeys, clock } = await newNode()
    const { key, value } = await apiKeys.create(anna, keyInput({ expiresAt: clock.at + minuteMs }))
    const edited = keyInput({
      name: 'renamed',
      permissions: ['gateway_use'],
      allowedIps: ['192.0.2.1'],
      allowedDomains: ['a.example'],
      expiresAt: clock.at + 2 * minuteMs,
    })
    expect((await apiKeys.update(anna, key.id, edited)).key).toMatchObject(edited)
    const use = { address: '192.0.2.1', origin: 'https://a.example', needs: 'gateway_use' } as const
    expect((await apiKeys.authorize(value, use)).kind).toBe('allowed')
    clock.at += 3 * minuteMs
    expect((await apiKeys.update(anna, key.id, { ...edited, name: 'kept' })).key.state).toBe('expired')
    for (const expiresAt of [clock.at - 1, clock.at + minuteMs, null]) {
      expect(await refusalOf(apiKeys.update(anna, key.id, { ...edited, expiresAt }))).toEqual({
        code: 'invalid_request',
        message: 'expiresAt: this key has expired for good; make a new one',
      })
    }
    expect(await apiKeys.authorize(value, use)).toEqual({ kind: 'invalid', why: 'expired' })
  })

  test('an expiration lies in the future', async () => {
    const { apiKeys, clock } = await newNode()
    const { key } = await apiKeys.create(anna, keyInput())
    const past = keyInput({ expiresAt: clock.at })
    const refusal = {
      code: 'invalid_request',
      message: 'expiresAt: expected an instant in the future, or null for never',
    }
    expect(await refusalOf(apiKeys.create(anna, past))).toEqual(refusal)
    expect(await refusalOf(apiKeys.update(anna, key.id, past))).toEqual(refusal)
  })

  test('a deleted key is gone for good', async () => {
    covers('api-key-delete')
    const { apiKeys } = await newNode()
    const { key, value } = await apiKeys.create(anna, keyInput())
    expect(await apiKeys.delete(anna, key.id)).toEqual({ propagated: true })
    expect(await apiKeys.authorize(value, plainUse)).toEqual({ kind: 'invalid', why: 'unknown' })
    expect((await apiKeys.list('acc_anna')).some(({ id }) => id === key.id)).toBe(false)
    expect((await refusalOf(apiKeys.setEnabled(anna, key.id, true))).code).toBe('not_found')
    const [row] = await own.database.sql`SELECT count(*)::int AS count FROM api_keys WHERE id = ${key.id}`
    expect(row?.['count']).toBe(0)
  })

  test('rotation: both values work while they overlap, then the new one alone', async () => {
    const { apiKeys, clock } = await newNode()
    const { key, value: first } = await apiKeys.create(anna, keyInput())
    const { value: second, key: rotated } = await apiKeys.rotate(anna, key.id, minuteMs)
    expect(rotated).toMatchObject({
      id: key.id,
      hint: `gak_…${second.slice(-4)}`,
      previous: { hint: key.hint, endsAt: clock.at + minuteMs },
    })
    const kinds = async () => {
      const verdicts = await Promise.all([first, second].map((value) => apiKeys.authorize(value, plainUse)))
      return verdicts.map(({ kind }) => kind)
    }
    expect(await kinds()).toEqual(['allowed', 'allowed'])
    expect(await apiKeys.reveal(anna, key.id)).toBe(second)
    clock.at += minuteMs
    expect(await kinds()).toEqual(['invalid', 'allowed'])
    expect((await apiKeys.list('acc_anna')).find(({ id }) => id === key.id)?.previous).toBeNull()
    const { value: third } = await apiKeys.rotate(anna, key.id, 0)
    expect(await kinds()).toEqual(['invalid', 'invalid'])
    expect((await apiKeys.authorize(third, plainUse)).kind).toBe('allowed')
  })

  test('the last use is known to the minute, here at once and elsewhere after a flush', async () => {
    const { apiKeys, clock } = await newNode()
    const { key, value } = await apiKeys.create(anna, keyInput())
    clock.at += 90_500
    await apiKeys.authorize(value, plainUse)
    await apiKeys.authorize(value, { ...plainUse, needs: 'gateway_use' })
    const lastUse = async (node: typeof apiKeys) =>
      (await node.list('acc_anna')).find(({ id }) => id === key.id)?.lastUsedAt
    expect(await lastUse(apiKeys)).toBe(clock.at - 30_500)
    await apiKeys.stop()
    const other = await newNode()
    expect(await lastUse(other.apiKeys)).toBe(clock.at - 30_500)
  })
})

test('bad restrictions are named by their place, and nothing is repeated or kept', async () => {
  covers('api-key-list-bounds')
  const { apiKeys, events, clock } = await newNode()
  const before = (await apiKeys.list('acc_anna')).length
  const refusal = await refusalOf(
    apiKeys.create(
      anna,
      keyInput({
        allowedIps: ['192.0.2.1', '01.2.3.4', '1.2.3.4/33'],
        allowedDomains: ['*.com', 'gak_canary canary'],
        expiresAt: clock.at,
      }),
    ),
  )
  expect(refusal.code).toBe('invalid_request')
  expect(refusal.message).toMatch(
    /^allowedIps\[1\]: .*leading zeros.*; allowedIps\[2\]: .*\/32; allowedDomains\[0\]: .*; allowedDomains\[1\]: .*; expiresAt: /,
  )
  expect(refusal.message).not.toInclude('canary')
  expect(events).toEqual([])
  expect(await apiKeys.list('acc_anna')).toHaveLength(before)
})

test('keys of another account do not exist, whatever is tried', async () => {
  const { apiKeys, events } = await newNode()
  const { key, value } = await apiKeys.create(anna, keyInput())
  const known = events.length
  const bob = author('acc_bob')
  const attempts = [
    () => apiKeys.update(bob, key.id, keyInput()),
    () => apiKeys.setEnabled(bob, key.id, false),
    () => apiKeys.delete(bob, key.id),
    () => apiKeys.rotate(bob, key.id, 0),
    () => apiKeys.reveal(bob, key.id),
  ]
  for (const attempt of attempts) expect((await refusalOf(attempt())).code).toBe('not_found')
  expect(await apiKeys.list('acc_bob')).toEqual([])
  expect(events).toHaveLength(known)
  expect((await apiKeys.authorize(value, plainUse)).kind).toBe('allowed')
})

describe('the audit log', () => {
  test('has every change with before and after, and no secret', async () => {
    const { apiKeys, events } = await newNode()
    const { key, value } = await apiKeys.create(anna, keyInput())
    await apiKeys.update(anna, key.id, keyInput({ name: 'renamed' }))
    await apiKeys.setEnabled(anna, key.id, false)
    await apiKeys.setEnabled(anna, key.id, true)
    const { value: second } = await apiKeys.rotate(anna, key.id, minuteMs)
    await apiKeys.reveal(anna, key.id)
    await apiKeys.delete(anna, key.id)
    const actions = ['create', 'update', 'disable', 'enable', 'rotate', 'reveal', 'delete']
    expect(events.map(({ action }) => action as string)).toEqual(actions.map((action) => `api_key.${action}`))
    for (const event of events) {
      expect(event).toMatchObject({
        actor: anna.actor,
        subject: { kind: 'api_key', id: key.id },
        ip: anna.ip,
        requestId: anna.requestId,
      })
    }
    expect(events[1]).toMatchObject({
      before: { name: 'a key' },
      after: { name: 'renamed', accountId: 'acc_anna' },
    })
    expect(events[2]).toMatchObject({ before: { isEnabled: true }, after: { isEnabled: false } })
    expect(events[6]?.after).toBeUndefined()
    const written = JSON.stringify(events)
    for (const secret of [value, second]) expect(written).not.toInclude(secret.slice(4, 36))
  })

  test('a change that cannot be recorded is not made', async () => {
    let isLogFull = false
    const record = () => (isLogFull ? Promise.reject(new Error('the log is full')) : Promise.resolve())
    const { apiKeys } = await newNode({ record })
    const { key, value } = await apiKeys.create(anna, keyInput())
    isLogFull = true
    await expect(apiKeys.setEnabled(anna, key.id, false)).rejects.toThrow('the log is full')
    await expect(apiKeys.delete(anna, key.id)).rejects.toThrow('the log is full')
    await expect(apiKeys.reveal(anna, key.id)).rejects.toThrow('the log is full')
    isLogFull = false
    await apiKeys.sync()
    expect((await apiKeys.authorize(value, plainUse)).kind).toBe('allowed')
  })
})

test('a key of one installation is none at another', async () => {
  covers('keys-differ-by-installation')
  const { apiKeys } = await newNode()
  const { value } = await apiKeys.create(anna, keyInput())
  const elsewhere = await testDatabase()
  try {
    const other = await keyNode(elsewhere.database)
    expect(await other.apiKeys.authorize(value, plainUse)).toEqual({ kind: 'invalid', why: 'unknown' })
  } finally {
    await elsewhere.drop()
  }
})

describe('what is stored', () => {
  test('no value in the database, in plain or in an encoding', async () => {
    covers('api-key-format', 'threat-1')
    const { apiKeys } = await newNode()
    const { key, value } = await apiKeys.create(anna, keyInput())
    const { value: second } = await apiKeys.rotate(anna, key.id, minuteMs)
    const rows = await own.database.sql`SELECT row_to_json(api_keys)::text AS text FROM api_keys`
    const dump = JSON.stringify(rows)
    for (const secret of [value, second].map((text) => text.slice(4, 36))) {
      for (const encoding of ['utf8', 'hex', 'base64', 'base64url'] as const) {
        // The ends of a base64 text depend on what stands beside it.
        expect(dump).not.toInclude(Buffer.from(secret.slice(0, 30)).toString(encoding).slice(0, 30))
      }
    }
  })

  test('a sealed value that was moved to a row of another account does not open', async () => {
    const { apiKeys } = await newNode()
    const { key } = await apiKeys.create(anna, keyInput())
    await own.database.sql`UPDATE api_keys SET account_id = 'acc_mallory' WHERE id = ${key.id}`
    await expect(apiKeys.reveal(author('acc_mallory'), key.id)).rejects.toThrow()
  })

  test('where the installation does not allow it, a value is never shown again', async () => {
    const { apiKeys, events } = await newNode({ canReveal: false })
    const { key } = await apiKeys.create(anna, keyInput())
    expect((await refusalOf(apiKeys.reveal(anna, key.id))).code).toBe('forbidden')
    expect(events.some(({ action }) => action === 'api_key.reveal')).toBe(false)
  })
})

test('the use of a key asks the database nothing', async () => {
  covers('threat-3')
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
  const { apiKeys } = await newNode({}, counting)
  const { value } = await apiKeys.create(anna, keyInput())
  const known = asked.length
  for (const shown of [value, null, 'junk', `gak_${'0'.repeat(38)}`]) await apiKeys.authorize(shown, plainUse)
  expect(asked.length).toBe(known)
})

test('a clock that is set back revives no key', async () => {
  covers('threat-13')
  const { apiKeys, clock } = await newNode()
  const { value } = await apiKeys.create(anna, keyInput({ expiresAt: clock.at + minuteMs }))
  clock.at += 2 * minuteMs
  expect((await apiKeys.authorize(value, plainUse)).kind).toBe('invalid')
  clock.at -= 60 * minuteMs
  expect((await apiKeys.authorize(value, plainUse)).kind).toBe('invalid')
})
