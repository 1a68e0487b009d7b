import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'

import { type TestDatabase, silentLog, testDatabase } from '../../scripts/world/database.ts'
import { dayMs } from '../../shared/durations.ts'
import type { AddressedMessage } from '../alerts/outbox/addressed-message.ts'
import { type Audit, createAudit } from '../audit/audit.ts'
import { createStatementJob } from './statement-job.ts'
import {
  addKey,
  manualClock,
  noneBack,
  removeFolder,
  type UsageUnderTest,
  usageUnderTest,
} from './test-support/usage-under-test.ts'
import type { Usage } from './usage.ts'

let testbed: TestDatabase
let under: UsageUnderTest
let usage: Usage
let audit: Audit
let messages: AddressedMessage[]

/** Later than the database's own clock, by which it notes when it looked at its tables last. */
const lastOfJanuary = Date.UTC(2096, 0, 31, 12, 30)
const address = { kind: 'webhook', url: 'https://billing.example.com/', secret: 'whsec_x' } as const

beforeAll(async () => {
  testbed = await testDatabase()
})
afterAll(() => testbed?.drop())
beforeEach(() => {
  under = usageUnderTest(testbed.database, manualClock(lastOfJanuary))
  usage = under.open()
  audit = createAudit({ database: testbed.database, clock: under.clock })
  messages = []
})
afterEach(async () => {
  await usage.stop()
  removeFolder(under.folder)
})

function job(given: { isDeciding?: boolean; channels?: string[]; record?: Audit['record'] } = {}) {
  const { isDeciding = true, channels = ['billing', 'gone'], record = audit.record } = given
  const { transaction } = testbed.database
  return createStatementJob({
    usage,
    outbox: {
      async enqueue(_sql, added) {
        for (const one of added) if (messages.every(({ id }) => id !== one.id)) messages.push(one)
      },
      wake: () => undefined,
    },
    webhookAddress: (name) => (name === 'billing' ? address : null),
    audit: { list: audit.list, record },
    deciding: { isDeciding: () => isDeciding, transaction },
    channels: () => channels,
    namesOf: async () => new Map([['acc_2', 'Kestrel']]),
    now: under.clock.now,
    log: silentLog,
  })
}

async function call(keyId: string, accountId: string, times: number): Promise<void> {
  const key = addKey(under, keyId, accountId)
  for (let time = 0; time < times; time++)
    usage.meter.admit(key, [{ method: 'eth_call', credits: 26 }], 1).settle(['ok'], noneBack)
  await usage.flush()
}

const told = () => messages.map(({ content }) => JSON.parse(content.body).data)

test('once a month is over and rolled up, each account that used something is told of, once', async () => {
  for (let account = 1; account <= 60; account++) await call(`key_${account}`, `acc_${account}`, account)
  await job().run()
  expect(messages).toEqual([])

  under.clock.at += dayMs
  await call('key_late', 'acc_late', 1) // of February
  await job().run()
  expect(messages).toEqual([])
  await usage.rollUp()
  await job({ isDeciding: false }).run()
  await job({ channels: [] }).run()
  expect(messages).toEqual([])

  const stopped = job({ record: () => Promise.reject(new Error('the process ends here')) })
  expect(await stopped.run().catch(String)).toContain('ends here')
  await job().run()
  await job().run()
  expect(new Set(told().map(({ account }) => account)).size).toBe(60)
  expect(messages).toHaveLength(60)
  expect(told().find(({ account }) => account === 'acc_2')).toEqual({
    account: 'acc_2',
    name: 'Kestrel',
    month: '2096-01',
    calls: 2,
    credits: 52,
    csv: expect.stringContaining('2096-01,key_2,name of key_2,testnet,2,52,2,0,0'),
  })
  const [{ id = '', to, content } = {}] = messages
  expect([id.length <= 64, to, JSON.parse(content?.body ?? '')]).toMatchObject([
    true,
    address,
    { type: 'account.statement', timestamp: '2096-02-01T00:00:00.000Z' },
  ])
  const { events } = await audit.list({ action: 'statement.send', limit: 10 })
  expect(events).toMatchObject([
    { actorLabel: 'Gatehouse', subjectId: '2096-01', after: { accounts: 60, channels: ['billing', 'gone'] } },
  ])

  const all = []
  const january = { from: Date.parse('2096-01-01'), to: Date.parse('2096-02-01') }
  for (let after: string | undefined = ''; after !== undefined;) {
    const part = await usage.accountSums.sumsBetween({ ...january, after, limit: 25 })
    all.push(...part)
    after = part.length < 25 ? undefined : part.at(-1)?.accountId
  }
  expect([all.length, all.reduce((sum, { calls }) => sum + calls, 0)]).toEqual([60, (60 * 61) / 2])
})
