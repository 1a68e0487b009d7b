import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { silentLog, testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { allowedAddressBounds } from '../../shared/allowed-addresses.ts'
import { createAudit } from '../audit/audit.ts'
import { createKeyReplicas } from '../keys/key-replicas.ts'
import { systemClock } from '../platform/clock.ts'
import { EgressError, createEgress } from '../platform/egress.ts'
import { createSteadyClock } from '../platform/steady-clock.ts'
import { createAllowedAddresses } from './allowed-addresses.ts'
import { createStoredAddresses } from './stored-addresses.ts'

/** Two processes over one database, and a node on loopback that both may or may not call. */

let testing: TestDatabase
let here: Awaited<ReturnType<typeof openProcess>>
let there: Awaited<ReturnType<typeof openProcess>>
const node = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('here') })
const by = { actor: { id: 'acc_ada', label: 'Ada' }, ip: null, requestId: null }

const resolve = async (host: string) => (host === 'node.internal' ? ['127.0.0.1'] : [])

async function openProcess() {
  const { database } = testing
  const clock = createSteadyClock(systemClock)
  const replicas = createKeyReplicas({ database, clock, log: silentLog })
  const allows = createStoredAddresses({ database, replicas })
  await replicas.keySync.load()
  replicas.keySync.start()
  const egress = createEgress({
    clock: systemClock,
    allowPrivate: ['10.9.0.0/16'],
    alsoAllowed: allows,
    schemes: ['http'],
    resolve,
  })
  const addresses = createAllowedAddresses({
    database,
    replicas,
    record: createAudit({ database, clock }).record,
    environment: ['10.9.0.0/16'],
    resolve,
    now: clock.now,
  })
  const reach = (host = '127.0.0.1') =>
    egress
      .request({ url: `http://${host}:${node.port}/`, timeoutMs: 5_000, maxBytes: 100 })
      .then(({ text }) => text)
      .catch((error: unknown) => (error instanceof EgressError ? error.code : String(error)))
  async function stop(): Promise<void> {
    egress.close()
    await replicas.keySync.stop()
  }
  return {
    ...addresses,
    allows,
    reach,
    sync: replicas.keySync.sync,
    readAgain: replicas.keySync.readAgain,
    stop,
  }
}

beforeAll(async () => {
  testing = await testDatabase()
  here = await openProcess()
  there = await openProcess()
})
afterAll(async () => {
  await here?.stop()
  await there?.stop()
  await node.stop(true)
  await testing?.drop()
})
beforeEach(async () => {
  for (const { address } of (await here.list()).addresses) await here.revoke(by, address)
})

const recorded = async () =>
  await testing.database.sql<{ action: string; subject: string; actor: string }[]>`
    SELECT action, subject_id AS subject, actor_label AS actor FROM audit_events ORDER BY seq`

describe('an address that an operator allows', () => {
  test('is reached by every process when the call returns, and refused by all when it is revoked, also by its name', async () => {
    const everywhere = () =>
      Promise.all([here, there].flatMap((one) => [one.reach(), one.reach('node.internal')]))
    expect(await everywhere()).toEqual(Array(4).fill('ADDRESS'))
    const answer = await here.allow(by, `http://127.0.0.1:${node.port}/?key=secret`)
    expect(answer).toEqual({ allowed: ['127.0.0.1'], already: [], propagated: true })
    // Also the name, whose refusal was remembered, and afterwards its address and the connection to it.
    expect(await everywhere()).toEqual(Array(4).fill('here'))
    expect(await there.revoke(by, '::ffff:127.0.0.1')).toEqual({ address: '127.0.0.1', propagated: true })
    expect(await everywhere()).toEqual(Array(4).fill('ADDRESS'))
  })

  test('is listed with who allowed it, under which name, and when; the change is in the audit log', async () => {
    const before = (await recorded()).length
    const startedAt = Date.now()
    await here.allow(by, 'node.internal')
    const { addresses, environment } = await there.list()
    expect(addresses).toEqual([
      { address: '127.0.0.1', name: 'node.internal', allowedBy: 'Ada', allowedAt: expect.any(Number) },
    ])
    expect(Math.abs((addresses[0]?.allowedAt ?? 0) - startedAt)).toBeLessThan(60_000)
    expect(environment).toEqual(['10.9.0.0/16'])
    await there.revoke(by, '127.0.0.1')
    expect((await recorded()).slice(before)).toEqual([
      { action: 'address.allow', subject: '127.0.0.1', actor: 'Ada' },
      { action: 'address.revoke', subject: '127.0.0.1', actor: 'Ada' },
    ])
  })

  test('a second time is none, nor is one of the environment: neither is recorded', async () => {
    await here.allow(by, '127.0.0.1')
    const before = (await recorded()).length
    expect(await there.allow(by, '127.0.0.1')).toEqual({
      allowed: [],
      already: ['127.0.0.1'],
      propagated: true,
    })
    expect(await there.allow(by, '10.9.1.1')).toEqual({
      allowed: [],
      already: ['10.9.1.1'],
      propagated: true,
    })
    expect(await recorded()).toHaveLength(before)
    expect((await here.list()).addresses).toHaveLength(1)
  })

  test('is one of a bounded number', async () => {
    for (let index = 0; index < allowedAddressBounds.addresses; index += 1)
      await testing.database.sql`
        INSERT INTO allowed_addresses (address, allowed_by, allowed_at) VALUES (${`10.1.0.${index}`}, 'x', now())`
    await expect(here.allow(by, '127.0.0.1')).rejects.toThrow('There may be 200 allowed addresses')
    await testing.database.sql`DELETE FROM allowed_addresses`
  })
})

test('what nobody allowed cannot be revoked, and what the environment allows only there', async () => {
  await expect(here.revoke(by, '127.0.0.1')).rejects.toThrow('No operator allowed this address')
  await expect(here.revoke(by, '10.9.1.1')).rejects.toThrow('it may be reached by GATEHOUSE_ALLOW_PRIVATE')
})

test('what operators may not allow holds for the stored ones, too, whoever stored them', async () => {
  for (const address of ['169.254.169.254', '127.0.0.1', 'nonsense'])
    await testing.database.sql`
      INSERT INTO allowed_addresses (address, allowed_by, allowed_at) VALUES (${address}, 'x', now())`
  await here.readAgain()
  expect(['169.254.169.254', '127.0.0.1', 'nonsense'].filter(here.allows)).toEqual(['127.0.0.1'])
  await testing.database.sql`DELETE FROM allowed_addresses`
  await here.readAgain()
  expect(here.allows('127.0.0.1')).toBe(false)
})
