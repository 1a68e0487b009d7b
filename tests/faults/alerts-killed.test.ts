import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'

import { createRandom } from '../../scripts/fuzz/random.ts'
import { print } from '../../scripts/print.ts'
import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createDecisionFeed } from '../../server/alerts/feed.ts'
import type { Decision } from '../../shared/health.ts'
import type { TellingOrder } from './alerts/order.ts'

/*
 * Processes that tell people are killed in the middle of deliveries, and the receiver looks at what came: nothing is lost, and
 * nothing is told under two ids. Under one id a message may come again, where its sender died before it knew that it was taken.
 */

/** The promise says 50: GATEHOUSE_TEST_KILLS=50 tries that. */
const kills = Number(process.env['GATEHOUSE_TEST_KILLS'] ?? 12)
const seed = Number(process.env['GATEHOUSE_TEST_SEED'] ?? randomInt(2 ** 31))
const random = createRandom(seed)
const places = Array.from({ length: 20 }, (_, place) => `p${place}`)
const program = fileURLToPath(new URL('./alerts/telling-process.ts', import.meta.url))

interface ToldEvent {
  readonly type: string
  readonly data: { readonly serviceId: string; readonly status: 'firing' | 'resolved' }
}

interface TakenMessage {
  readonly body: string
  readonly order: number
  /** How often it was taken, and how many of these answers its sender was there to hear. */
  times: number
  answered: number
}

/** What the receiver took, by the id of the message. */
const taken = new Map<string, TakenMessage>()
let asked = 0
/** Is told of each request as it arrives. */
let onAsked: (() => void) | null = null
/** While it is set, nothing is taken. */
let held: Promise<unknown> | null = null
const receiver = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    asked += 1
    onAsked?.()
    if (held !== null) {
      await held
      return new Response('not taken', { status: 503 })
    }
    const body = await request.text()
    await Bun.sleep(random.below(100))
    const id = request.headers.get('webhook-id') ?? ''
    const message = taken.get(id) ?? { body, order: taken.size, times: 0, answered: 0 }
    taken.set(id, message)
    expect(body).toBe(message.body)
    message.times += 1
    if (!request.signal.aborted) message.answered += 1
    return new Response('taken')
  },
})

let testbed: TestDatabase
const origin = Date.now()
const decisions = new Map<string, Decision>()
const living = new Set<Bun.Subprocess>()

beforeAll(async () => {
  print(`alerts-killed: GATEHOUSE_TEST_SEED=${seed} GATEHOUSE_TEST_KILLS=${kills} repeats this run`)
  testbed = await testDatabase()
})
afterAll(async () => {
  for (const child of living) child.kill('SIGKILL')
  await Promise.all([...living].map(({ exited }) => exited))
  await receiver.stop(true)
  await testbed?.drop()
})

const settings = {
  channels: places.map((name) => ({
    name,
    type: 'webhook' as const,
    url: new URL(name, receiver.url).href,
    secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  })),
  rules: places.map((name) => ({
    name,
    when: { decision: ['DOWN'] },
    services: { provider: name },
    channels: [name],
  })),
}

/** One service of each place goes down, and that of the turn before is up again; stored as health does. */
async function changeServices(turn: number): Promise<void> {
  const { store } = createDecisionFeed(testbed.database)
  const at = Date.now()
  const changed = (of: number, from: Decision, to: Decision) =>
    places.map((place) => ({ serviceId: `service-${of}@${place}`, at, from, to, reason: '' }))
  const changes = [...changed(turn, 'UP', 'DOWN'), ...(turn === 0 ? [] : changed(turn - 1, 'DOWN', 'UP'))]
  for (const { serviceId, to } of changes) decisions.set(serviceId, to)
  await testbed.database.transaction((sql) => store(sql, changes))
}

/** Starts a process, and returns when it runs; `decides` resolves when it tells. */
function startTelling(isOneOfMany: boolean) {
  const order: TellingOrder = {
    url: testbed.url,
    ...settings,
    decisions: Object.fromEntries(decisions),
    isOneOfMany,
    origin,
    speed: 30,
  }
  const child = Bun.spawn([process.execPath, '--no-env-file', program, JSON.stringify(order)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  living.add(child)
  let said = ''
  void (async () => {
    const decoder = new TextDecoder()
    for await (const part of child.stdout) said += decoder.decode(part)
  })()
  return {
    isDeciding: () => said.includes('decides'),
    async kill() {
      child.kill('SIGKILL')
      await child.exited
      living.delete(child)
    },
  }
}

/** Resolves in the middle of deliveries: when so many requests more have arrived, and a moment later. */
async function untilAsked(times: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const enough = asked + times
  onAsked = () => asked >= enough && resolve()
  await promise
  onAsked = null
}

async function untilAllIsTold(): Promise<void> {
  await waitUntil(
    'nothing waits',
    async () => {
      const [row] = await testbed.database.run(
        (sql) => sql<{ waiting: number }[]>`
          SELECT ((SELECT count(*) FROM alert_events) +
            (SELECT count(*) FROM deliveries WHERE state <> 'sent'))::int AS waiting`,
      )
      return row?.waiting === 0
    },
    60_000,
  )
}

/** Under which ids the receiver was told of each thing that happened, in the order in which they came. */
function toldUnder(): Map<string, { readonly id: string; readonly order: number }[]> {
  const told = new Map<string, { id: string; order: number }[]>()
  for (const [id, { body, order }] of taken) {
    const message = JSON.parse(body) as ToldEvent & { data: { events?: ToldEvent[] } }
    for (const { data } of message.data.events ?? [message]) {
      const what = `${data.serviceId} ${data.status}`
      told.set(what, [...(told.get(what) ?? []), { id, order }])
    }
  }
  return told
}

function expectEverythingOnce(turns: number): void {
  const told = toldUnder()
  const expected = Array.from({ length: turns }, (_, turn) =>
    places.flatMap((place) => [
      `service-${turn}@${place} firing`,
      ...(turn < turns - 1 ? [`service-${turn}@${place} resolved`] : []),
    ]),
  ).flat()
  expect([...told.keys()].toSorted()).toEqual(expected.toSorted())
  expect([...told].filter(([, ids]) => ids.length !== 1)).toEqual([])
  const orderOf = (what: string): number => told.get(what)?.[0]?.order ?? Number.NaN
  const early = expected.filter(
    (what) => what.endsWith('resolved') && orderOf(what) < orderOf(what.replace('resolved', 'firing')),
  )
  expect(early).toEqual([])
}

test(`a process that is killed ${kills} times in the middle of deliveries loses nothing, and tells nothing under two ids`, async () => {
  for (let turn = 0; turn < kills; turn++) {
    await changeServices(turn)
    const telling = startTelling(false)
    await untilAsked(1 + random.below(places.length))
    await Bun.sleep(random.below(100))
    await telling.kill()
  }
  await changeServices(kills)
  const last = startTelling(false)
  await untilAllIsTold()
  await last.kill()
  expectEverythingOnce(kills + 1)
  const messages = [...taken.values()]
  const again = messages.filter(({ times }) => times > 1).length
  const answered = messages.filter((message) => message.answered > 1).length
  print(
    `alerts-killed: ${messages.length} messages, ${asked} attempts; ${again} came again under their id, ${answered} of them although they had been answered`,
  )
}, 600_000)

test('when the process that sends dies, another goes on where it was', async () => {
  for (const place of places) decisions.set(`service-${kills + 1}@${place}`, 'UP')
  const one = startTelling(true)
  await waitUntil('one of them decides', one.isDeciding, 30_000)
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  await changeServices(kills + 1)
  const other = startTelling(true)
  await untilAsked(places.length)
  expect(other.isDeciding()).toBe(false)
  await one.kill()
  held = null
  resolve()
  await untilAllIsTold()
  expect(other.isDeciding()).toBe(true)
  await other.kill()
  expectEverythingOnce(kills + 2)
}, 120_000)
