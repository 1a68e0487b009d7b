import { afterAll, beforeAll, expect, test } from 'bun:test'

import { openAlertsUnderTest } from '../../scripts/world/alerts-under-test.ts'
import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { secondMs } from '../../shared/durations.ts'
import type { Decision } from '../../shared/health.ts'
import { type Receivers, startReceivers } from '../../tests/support/receivers.ts'
import type { Database } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'

let world: TestDatabase
let receivers: Receivers

beforeAll(async () => {
  world = await testDatabase()
  receivers = await startReceivers()
})
afterAll(async () => {
  await receivers?.stop()
  await world?.drop()
})

/** A database that does not answer to one commit, and carries it out when the next transaction begins. */
function withLateCommit(database: Database, late: number): Database['transaction'] {
  const next = Promise.withResolvers<void>()
  let begun = 0
  return async (work, deadlineMs) => {
    begun += 1
    if (begun > late) next.resolve()
    if (begun !== late) return database.transaction(work, deadlineMs)
    const worked = Promise.withResolvers<void>()
    const committed = database.transaction(async (sql) => {
      await work(sql)
      worked.resolve()
      await next.promise
    }, deadlineMs)
    await Promise.race([worked.promise, committed])
    throw fault('unavailable', 'The database does not answer')
  }
}

interface HookBody {
  readonly data: { readonly events?: readonly unknown[] }
}

test.each([
  ['begins', 1],
  ['gathers', 2],
  ['goes on gathering', 3],
])('a message that %s with a late commit tells each alert once', async (what, late) => {
  const path = `/late-${late}`
  let now = Date.now()
  const ids = [1, 2, 3].map((place) => `late-${late}-${place}`)
  const decisions = new Map(ids.map((id) => [id, 'UP' as Decision]))
  const secret = `whsec_${'A'.repeat(32)}`
  const under = openAlertsUnderTest({
    database: world.database,
    channels: [{ name: `late ${late}`, type: 'webhook', url: `${receivers.url}${path}`, secret }],
    rules: [{ name: what, when: { decision: ['DOWN'] }, channels: [`late ${late}`] }],
    decisions,
    deciding: { isDeciding: () => true, transaction: withLateCommit(world.database, late) },
    now: () => now,
  })
  const told = () => receivers.bodies<HookBody>(path).map(({ data }) => data.events?.length ?? 1)
  const firing = async () => (await under.alerts.firing.list()).filter(({ rule }) => rule === what)
  under.alerts.start()
  try {
    for (const [place, id] of ids.entries()) {
      decisions.set(id, 'DOWN')
      await under.change([id], 'UP', 'DOWN')
      await waitUntil(`${id} is firing`, async () => (await firing()).length > place)
    }
    now += 29 * secondMs
    await waitUntil('what was gathered is told', () => told().length > 1)
    expect(told()).toEqual([1, 2])
    for (const id of ids) decisions.set(id, 'UP')
    await under.change(ids, 'DOWN', 'UP')
    await waitUntil('the end of one is stored', async () => (await firing()).length < ids.length)
    expect(await firing()).toEqual([])
  } finally {
    await under.stop()
  }
})
