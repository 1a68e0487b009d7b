import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'

import { type TestDatabase, silentLog, testDatabase } from '../../../scripts/world/database.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import type { AlertChannel } from '../../../shared/alert-channels.ts'
import { type Receivers, startReceivers } from '../../../tests/support/receivers.ts'
import { systemClock } from '../../platform/clock.ts'
import { type StreamingEgress, createEgress } from '../../platform/egress.ts'
import { createVault } from '../../platform/vault.ts'
import { anEvent } from '../test-support/events.ts'
import { type NewDelivery, type OutboxStore, createOutboxStore } from './outbox-store.ts'
import { createSend } from './send.ts'
import { createDeliverySender, targetPlace } from './sender.ts'

let world: TestDatabase
let receivers: Receivers
let store: OutboxStore
let egress: StreamingEgress
const strangers = createEgress({ clock: systemClock, allowPrivate: [] })
let sender: ReturnType<typeof createDeliverySender>
let now = 0
const vault = createVault([Buffer.alloc(32, 1)])

beforeAll(async () => {
  world = await testDatabase()
  store = createOutboxStore(world.database)
})
afterAll(async () => {
  strangers.close()
  await world?.drop()
})

beforeEach(async () => {
  await world.database.run((sql) => sql`TRUNCATE deliveries, delivery_attempts`)
  receivers = await startReceivers()
  now = Date.now()
  start()
})
afterEach(async () => {
  await sender.stop()
  egress.close()
  await receivers.stop()
})

function start(allowPrivate = ['127.0.0.0/8']): void {
  egress = createEgress({ clock: systemClock, allowPrivate, schemes: ['http', 'https'] })
  sender = createDeliverySender({
    store,
    send: createSend({
      egress,
      strangers,
      now: () => now,
      origin: () => 'https://gate.example',
      timeoutMs: 500,
    }),
    vault,
    now: () => now,
    log: silentLog,
    isSending: () => true,
    findChannel: (name) => channels(receivers).find((channel) => channel.name === name) ?? null,
    count: () => undefined,
  })
  sender.start()
}

const channels = ({ url, smtp }: Receivers): AlertChannel[] => [
  { name: 'chat', type: 'slack', url: `${url}/slack` },
  { name: 'other', type: 'slack', url: `${url}/other` },
  { name: 'mail', type: 'email', smtp, from: 'gate@example.com', to: ['ops@example.com'] },
  { name: 'pager', type: 'pagerduty', routingKey: 'a'.repeat(32), url: `${url}/pagerduty` },
  { name: 'manager', type: 'alertmanager', url },
  {
    name: 'telegram',
    type: 'telegram',
    url,
    chat: '-100',
    token: '1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  },
]

async function add(...added: NewDelivery[]): Promise<void> {
  await world.database.transaction((sql) => store.insert(sql, added))
  sender.wake()
}

const notice = (id: string, channel: string, subject = id): NewDelivery => ({
  id,
  channel,
  target: null,
  subjects: [`${channel}\n${subject}`],
  content: { kind: 'notice', events: [anEvent({ summary: id })] },
  title: id,
  state: 'waiting',
  nextAt: now,
  createdAt: now,
})

interface Stored {
  readonly id: string
  readonly state: string
  readonly attempts: number
  readonly answer: string | null
  readonly next_at: Date
}

async function stored(id: string): Promise<Stored> {
  const [row] = await world.database.run((sql) => sql<Stored[]>`SELECT * FROM deliveries WHERE id = ${id}`)
  if (row === undefined) throw new Error(`there is no delivery ${id}`)
  return row
}

const untilTried = (id: string, attempts = 1) =>
  waitUntil(`${id} was tried`, async () => (await stored(id)).attempts >= attempts)

test('what is taken is sent once, and noted with the answer', async () => {
  await add(notice('one', 'chat'))
  await untilTried('one')
  expect(await stored('one')).toMatchObject({ state: 'sent', attempts: 1, answer: '200 ok' })
  expect(receivers.messages).toHaveLength(1)
})

test.each([
  ['answers 500', { status: 500, text: 'out of order' }, '500 out of order'],
  [
    'redirects',
    { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
    'it redirects to another address, which is not followed: give that address itself',
  ],
  ['hangs', null, 'no answer in time'],
  ['says 200 and that it did not take it', { status: 200, text: 'invalid_payload' }, '200 invalid_payload'],
])('a channel that %s is tried again later', async (_, answer, said) => {
  receivers.answer('/slack', answer)
  await add(notice('one', 'chat'))
  await untilTried('one')
  const { state, answer: noted, next_at } = await stored('one')
  expect({ state, noted }).toEqual({ state: 'waiting', noted: said })
  expect(next_at.getTime() - now).toBeGreaterThan(4_000)
})

test.each([
  ['a long', {}, 'x'.repeat(20_000)],
  ['an unending', { 'content-length': '100' }, 'accepted'],
])('what was taken with %s answer is sent once', async (_, headers, text) => {
  receivers.answer('/pagerduty', { status: 202, headers, text })
  await add(notice('one', 'pager'))
  await untilTried('one')
  expect(await stored('one')).toMatchObject({ state: 'sent', answer: `202 ${text}`.slice(0, 300) })
})

test('what goes to each maker has the form that the maker takes', async () => {
  const storm = Array.from({ length: 1_000 }, (_, place) => {
    const summary = `<@U1> Node ${place} is DOWN & away: ${'ö'.repeat(500)}`
    return anEvent({ alertId: `alert_${place}`, summary })
  })
  const isOver = { status: 'resolved', incident: 'storm', endsIncident: true } as const
  const contents = { one: [anEvent()], storm, over: storm.map((event) => ({ ...event, ...isOver })) }
  const makers = ['chat', 'telegram', 'pager', 'manager']
  const added = makers.flatMap((channel) =>
    Object.entries(contents).map(([what, events]) => ({
      ...notice(`${what} to ${channel}`, channel, 'a'),
      content: { kind: 'notice' as const, events },
    })),
  )
  await add(...added)
  for (const { id } of added) {
    await untilTried(id)
    expect(await stored(id)).toMatchObject({ id, state: 'sent', attempts: 1 })
  }
})

test('what Telegram does not take is not sent, whatever the status', async () => {
  const path = '/bot1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/sendMessage'
  receivers.answer(path, { status: 200, text: '{"ok":false,"description":"Bad Request: chat not found"}' })
  await add(notice('one', 'telegram'))
  await untilTried('one')
  expect(await stored('one')).toMatchObject({
    state: 'waiting',
    answer: expect.stringContaining('chat not found'),
  })
})

test('a private address is refused with the setting that allows it', async () => {
  await sender.stop()
  start([])
  await add(notice('one', 'chat'), notice('two', 'mail'))
  await untilTried('one')
  await untilTried('two')
  const text = 'a private address; an operator can allow it with GATEHOUSE_ALLOW_PRIVATE=127.0.0.1/32'
  expect((await stored('one')).answer).toBe(text)
  expect((await stored('two')).answer).toBe(text)
  expect(receivers.messages).toEqual([])
})

test('after a day it is given up, and can be sent again', async () => {
  receivers.answer('/slack', { status: 500 })
  await add(notice('one', 'chat'))
  await untilTried('one')
  now += 86_400_000
  await untilTried('one', 2)
  expect(await stored('one')).toMatchObject({ state: 'dead', attempts: 2 })
})

test('a channel that fails holds nobody else up, and keeps the order of what is about the same', async () => {
  receivers.answer('/slack', { status: 500 })
  await add(notice('first', 'chat', 'a'))
  await untilTried('first')
  await add(notice('second', 'chat', 'a'), notice('third', 'chat', 'b'), notice('fourth', 'other', 'a'))
  await untilTried('fourth')
  expect((await stored('third')).attempts).toBe(0)
  now += 5_000
  await untilTried('third')
  expect((await stored('second')).attempts).toBe(0)
  receivers.answer('/slack', { status: 200, text: 'ok' })
  now += 60_000
  await untilTried('second')
  const texts = receivers.messages
    .filter(({ path }) => path === '/slack')
    .map(({ text }) => JSON.parse(text).text)
  expect(texts.slice(-3).toSorted()).toEqual(['Firing: first', 'Firing: second', 'Firing: third'])
  expect(texts.lastIndexOf('Firing: first')).toBeLessThan(texts.indexOf('Firing: second'))
})

test('a channel that asks to be left alone gets none of its messages until then', async () => {
  receivers.answer('/slack', { status: 429, headers: { 'retry-after': '60' } })
  const ids = Array.from({ length: 100 }, (_, place) => `n${place}`)
  await add(...ids.map((id) => notice(id, 'chat')))
  await untilTried('n0')
  now += 55_000
  await add(notice('fence', 'other'))
  await untilTried('fence')
  const early = receivers.messages.filter(({ path }) => path === '/slack').length
  expect(early).toBeGreaterThan(0)
  expect(early).toBeLessThanOrEqual(16)
  receivers.answer('/slack', { status: 200, text: 'ok' })
  now += 60_000
  for (const id of ids) await waitUntil(`${id} was sent`, async () => (await stored(id)).state === 'sent')
})

test('another domain sends a mail to an address and a signed webhook', async () => {
  const content = { title: 'Confirm', body: 'Open the link', unsubscribe: 'https://gate.example/u/1' }
  const to = (id: string, address: object) => ({
    ...notice(id, 'mail'),
    target: vault.seal(JSON.stringify({ to: address, content }), targetPlace(id)),
    content: { kind: 'addressed' as const },
  })
  await add(to('m1', { kind: 'email', channel: 'mail', address: 'ann@example.com' }), {
    ...to('m2', { kind: 'webhook', url: `${receivers.url}/sub`, secret: 'whsec_AAAA' }),
    channel: '',
  })
  await untilTried('m1')
  await untilTried('m2')
  expect(receivers.mails).toMatchObject([{ to: ['ann@example.com'] }])
  expect(receivers.mails[0]?.text).toContain('List-Unsubscribe: <https://gate.example/u/1>')
  expect(receivers.messages[0]).toMatchObject({
    path: '/sub',
    text: 'Open the link',
    headers: { 'webhook-id': 'm2' },
  })
  const [kept] = await world.database.run((sql) => sql`SELECT target FROM deliveries WHERE id = 'm1'`)
  expect(kept).toEqual({ target: null })
})

test('a webhook that a stranger chose reaches no private address, whatever the installation may reach', async () => {
  const url = `${receivers.url.replace('http:', 'https:')}/own`
  const to = { kind: 'webhook', url, secret: 'whsec_AAAA', isStranger: true }
  const target = vault.seal(
    JSON.stringify({ to, content: { title: 'A', body: '{}' } }),
    targetPlace('stranger'),
  )
  await add({ ...notice('stranger', ''), target, content: { kind: 'addressed' as const } })
  await untilTried('stranger')
  expect((await stored('stranger')).answer).toContain('private')
  expect(receivers.messages).toEqual([])
})

test('a clock that is set back or forward delays nothing and loses nothing', async () => {
  receivers.answer('/slack', { status: 500 })
  await add(notice('one', 'chat'))
  await untilTried('one')
  now += 3_600_000
  receivers.answer('/slack', { status: 200, text: 'ok' })
  await untilTried('one', 2)
  now -= 7_200_000
  await add(notice('two', 'chat'))
  await untilTried('two')
  expect((await stored('two')).state).toBe('sent')
  receivers.answer('/slack', { status: 500 })
  await add(notice('three', 'chat'))
  await untilTried('three')
  now -= 3 * 3_600_000
  receivers.answer('/slack', { status: 200, text: 'ok' })
  await untilTried('three', 2)
})
