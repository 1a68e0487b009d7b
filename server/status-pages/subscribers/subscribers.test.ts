import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import { Webhook } from 'standardwebhooks'

import { type TestDatabase, silentLog, testDatabase } from '../../../scripts/world/database.ts'
import { dayMs, hourMs } from '../../../shared/durations.ts'
import { type StatusIncident, StatusPageSpec } from '../../../shared/status-pages.ts'
import type { Outbox } from '../../alerts/alerts.ts'
import { webhookSignature } from '../../alerts/channels/webhook.ts'
import { createVault } from '../../platform/vault.ts'
import { askDecision } from './subscriber-rules.ts'
import { type PageSubscribers, createSubscribers } from './subscribers.ts'

type Message = Parameters<Outbox['enqueue']>[1][number]

const spec = StatusPageSpec.parse({
  page: 'main',
  title: 'Acme',
  emailChannel: 'mail',
  webhooks: true,
  groups: [{ name: 'A', services: [{ id: 'node-a', as: 'Mainnet' }] }],
})
const start = Date.parse('2026-11-24T12:00:00Z')

let world: TestDatabase
let subscribers: PageSubscribers
let sent: Message[] = []
let withdrawn: string[] = []
let now = start
let pages = [spec]

beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world?.drop())
beforeEach(async () => {
  await world.database.run((sql) => sql`TRUNCATE status_subscribers, status_announcements`)
  now = start
  pages = [spec]
  sent = []
  withdrawn = []
  subscribers = createSubscribers({
    database: world.database,
    vault: createVault([Buffer.alloc(32, 1)]),
    outbox: {
      enqueue: (_sql, messages) => Promise.resolve(void sent.push(...messages)),
      withdraw: (_sql, orderBy) => Promise.resolve(void withdrawn.push(...orderBy)),
      hasMailChannel: (name) => name === 'mail',
      wake: () => undefined,
    },
    log: silentLog,
    now: () => now,
    hashKey: Buffer.alloc(32, 2),
    origin: () => 'https://gate.example',
    pages: () => pages,
    nameOf: () => 'Mainnet',
  })
})

const ask = (address: string, kind: 'email' | 'webhook' = 'email') => subscribers.ask({ spec, kind, address })
const tokenIn = (text = ''): string => /\/(?:confirm|unsubscribe)\/(gsu_[\w-]+)/.exec(text)?.[1] ?? ''
const confirmLast = () => subscribers.confirm('main', tokenIn(sent.at(-1)?.content.body))
const incident: StatusIncident = {
  id: 'inc_1',
  page: 'main',
  kind: 'incident',
  title: 'A disk failed',
  services: ['node-a'],
  startsAt: start,
  endsAt: null,
  isOver: false,
  updates: [{ at: start, stage: 'investigating', text: 'We look into it.' }],
}
async function announce(told = incident): Promise<void> {
  await world.database.transaction((sql) => subscribers.announce(sql, spec, told))
  await subscribers.handOn()
}

test('one mail an hour and three a day ask a mailbox, however it is written, and the answer is always the same', async () => {
  const answers = [await ask('ann@example.com'), await ask('ann@example.com'), await ask('Ann+x@Example.com')]
  expect(sent).toHaveLength(1)
  for (let hour = 1; hour < 20; hour++) {
    now = start + hour * hourMs
    answers.push(await ask('ann@example.com'))
  }
  expect(sent).toHaveLength(3)
  await confirmLast()
  now += hourMs
  answers.push(await ask('ann@example.com'))
  expect(new Set(answers)).toEqual(new Set(['done']))
})

test('a page asks so many in an hour, and a place on all pages so often in a day', () => {
  const none = { page: 0, place: 0 }
  expect(askDecision('email', null, none, now)).toBe('ask')
  expect(askDecision('email', null, { ...none, page: 100 }, now)).toBe('busy')
  expect(askDecision('email', null, { ...none, place: 6 }, now)).toBe('silent')
  expect(askDecision('webhook', null, { ...none, place: 6 }, now)).toBe('ask')
  const known = { askedAt: now - hourMs, asks: 3 }
  expect(askDecision('email', known, none, now)).toBe('silent')
  expect(askDecision('email', { ...known, askedAt: now - dayMs }, none, now)).toBe('ask')
})

test('a link confirms once and for a day, and who has not confirmed is told nothing', async () => {
  await ask('ann@example.com')
  const token = tokenIn(sent[0]?.content.body)
  await announce()
  expect(sent).toHaveLength(1)
  now = start + dayMs
  expect(await subscribers.confirm('main', token)).toBeNull()
  now = start + dayMs - 1
  expect(await subscribers.isConfirmable('main', token)).toBe(true)
  expect(await subscribers.confirm('other', token)).toBeNull()
  expect(await subscribers.confirm('main', token)).toEqual({ kind: 'email', secret: null })
  expect(await subscribers.confirm('main', token)).toBeNull()
  await subscribers.handOn()
  expect(sent).toHaveLength(1)
})

test('everybody is told of each update once, and can leave by its link', async () => {
  for (const name of ['ann', 'bob']) {
    await ask(`${name}@example.com`)
    await confirmLast()
  }
  sent = []
  await announce()
  await announce({ ...incident, isOver: true, updates: [...incident.updates, { at: start, stage: 'resolved', text: 'It is back.' }] }) // prettier-ignore
  expect(sent).toHaveLength(4)
  expect(new Set(sent.map(({ id }) => id)).size).toBe(4)
  const [first] = sent
  expect(first?.content.title).toBe('[Acme] Investigating: A disk failed')
  expect(first?.content.body).toContain('Services: Mainnet\n')
  expect(first?.content.body).toContain('We look into it.')
  expect(sent[3]?.content.title).toBe('[Acme] Resolved: A disk failed')
  const leave = first?.content.unsubscribe ?? ''
  expect(leave).toStartWith('https://gate.example/status/main/unsubscribe/gsu_')
  await subscribers.unsubscribe('main', tokenIn(leave))
  expect(withdrawn).toEqual([first?.orderBy ?? ''])
  sent = []
  await announce()
  expect(sent).toHaveLength(1)
})

test('who looks without the page, whose file may be another, leaves it to others to tell of it', async () => {
  await ask('ann@example.com')
  await confirmLast()
  sent = []
  pages = []
  await announce()
  expect(sent).toEqual([])
  pages = [{ ...spec, published: false }]
  await subscribers.handOn()
  expect(sent).toEqual([])
  pages = [spec]
  await subscribers.handOn()
  expect(sent).toHaveLength(1)
})

test('a webhook is confirmed by the link in an event, and gets its secret once', async () => {
  await ask('https://example.com/hook', 'webhook')
  const [asked] = sent
  const event = JSON.parse(asked?.content.body ?? '')
  expect(event).toMatchObject({
    type: 'status.subscription_confirm',
    data: {
      page: 'main',
      confirmUrl: expect.stringContaining('https://gate.example/status/main/confirm/gsu_'),
    },
  })
  const confirmed = await confirmLast()
  const secret = confirmed !== null && confirmed !== 'full' ? (confirmed.secret ?? '') : ''
  expect(asked?.to).toEqual({ kind: 'webhook', url: 'https://example.com/hook', secret, isStranger: true })
  await announce()
  const { id = '', content } = sent[1] ?? {}
  const body = content?.body ?? ''
  const told = new Webhook(secret).verify(body, webhookSignature({ id, body, secret, now: Date.now() }))
  expect(told).toMatchObject({
    type: 'status.incident_opened',
    data: { incident: { title: 'A disk failed', services: ['Mainnet'] }, update: { stage: 'investigating' } },
  })
})

test('no address and no token stands in the database as it is', async () => {
  await ask('ann@example.com')
  await confirmLast()
  const rows = await world.database.run((sql) => sql`SELECT * FROM status_subscribers`)
  expect(JSON.stringify(rows)).not.toMatch(/ann@|gsu_/)
})

test('a page that offers no subscription any more forgets its subscribers', async () => {
  await ask('ann@example.com')
  await confirmLast()
  await ask('https://example.com/hook', 'webhook')
  const { emailChannel: _none, ...without } = spec
  await world.database.transaction((sql) => subscribers.keepWanted(sql, 'main', without))
  expect(await subscribers.operators.subscriberCounts()).toEqual([
    { page: 'main', email: 0, webhook: 0, waiting: 1 },
  ])
  await world.database.transaction((sql) =>
    subscribers.keepWanted(sql, 'main', { ...spec, published: false }),
  )
  expect(await subscribers.operators.subscriberCounts()).toEqual([])
})

test('an operator exports addresses and removes one', async () => {
  await ask('ann@example.com')
  await confirmLast()
  const entries: object[] = []
  const record = (_sql: unknown, entry: object) => Promise.resolve(void entries.push(entry))
  const { exportSubscribers, removeSubscriber } = subscribers.operators
  expect(await exportSubscribers('main', record)).toEqual([
    { kind: 'email', address: 'ann@example.com', confirmedAt: start },
  ])
  await removeSubscriber('main', 'ANN@example.com', record)
  const again = await removeSubscriber('main', 'ann@example.com', record).catch((error: Error) => error)
  expect(String(again)).toContain('nobody is subscribed')
  expect(entries).toMatchObject([
    { action: 'status_page.export_subscribers', after: { count: 1 } },
    { action: 'status_page.remove_subscriber' },
  ])
  expect(JSON.stringify(entries)).not.toContain('ann')
})
