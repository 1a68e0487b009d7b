import { afterAll, beforeAll, expect, test } from 'bun:test'

import { minuteMs } from '../../shared/durations.ts'
import { type TestDatabase, silentLog, testDatabase } from '../../scripts/world/database.ts'
import { keyInput, keyNode } from '../api-keys/test-support/key-nodes.ts'
import { author } from '../keys/test-support/key-world.ts'
import { createMetrics } from '../platform/metrics.ts'
import { keyForm, queryKeyNode } from '../query-keys/test-support/query-key-nodes.ts'
import {
  everyStatistic,
  manualClock,
  removeFolder,
  temporaryFolder,
} from './test-support/usage-under-test.ts'
import { createUsage } from './usage.ts'

let own: TestDatabase
const folders: string[] = []

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(async () => {
  for (const folder of folders) removeFolder(folder)
  await own.drop()
})

/** Real query keys and the counts of their calls on one database. */
async function begin(accountId: string) {
  const { queryKeys } = await queryKeyNode(own.database)
  const folder = temporaryFolder()
  folders.push(folder)
  const clock = manualClock()
  const { database } = own
  const keysOf = queryKeys.list
  const usage = createUsage({ database, clock, folder, keysOf, log: silentLog, metrics: createMetrics() })
  return {
    queryKeys,
    usage,
    owner: author(accountId),
    call(id: string, endpoint: string) {
      clock.at += minuteMs
      const calls = [{ method: 'eth_call', credits: 26 }]
      const metered = usage.meter.admit({ id, accountId, endpoint }, calls, 10)
      metered.settle(['ok'], { bytesOut: 10, tookMs: 1, creditsBack: [0] })
    },
    shown: async () => (await usage.statistics.keys(accountId, everyStatistic)).items,
    async stop() {
      await usage.stop()
      await queryKeys.stop()
    },
  }
}

test('a deleted key is told by the name, hint and endpoint that it had to the last', async () => {
  const { queryKeys, usage, owner, call, shown, stop } = await begin('acc_last')
  const { key } = await queryKeys.create(owner, keyForm({ name: 'alpha', moreEndpoints: ['mainnet'] }))
  call(key.id, 'testnet')
  await usage.flush()
  await queryKeys.change(owner, key.id, { name: 'customer 42' })
  const { key: rotated } = await queryKeys.rotate(owner, key.id, minuteMs)
  call(key.id, 'mainnet')
  await usage.flush()
  const label = { name: 'customer 42', keyHint: rotated.hint, endpoint: 'testnet' }
  expect(rotated.hint).not.toBe(key.hint)
  expect(await shown()).toMatchObject([label])
  await queryKeys.delete(owner, key.id)
  expect(await shown()).toMatchObject([{ ...label, requests: 2 }])
  await stop()
})

test('so is one that is deleted before its first call is written', async () => {
  const { queryKeys, owner, call, shown, stop } = await begin('acc_first')
  const { key } = await queryKeys.create(owner, keyForm({ name: 'for one job', moreEndpoints: ['mainnet'] }))
  call(key.id, 'mainnet')
  await queryKeys.delete(owner, key.id)
  const label = { name: 'for one job', keyHint: key.hint, endpoint: 'testnet' }
  const [written] = await shown()
  expect(written).toMatchObject({ ...label, requests: 1, lastUsedAt: '2026-01-15T12:31:00.000Z' })
  await stop()
})

test('sums of keys for alerts have the name of now', async () => {
  const { queryKeys, usage, owner, call, stop } = await begin('acc_alert')
  const { key } = await queryKeys.create(owner, keyForm({ name: 'alpha' }))
  call(key.id, 'testnet')
  await usage.flush()
  await queryKeys.change(owner, key.id, { name: 'customer 42' })
  const known = await own.database.run((sql) => sql`SELECT name FROM usage_keys WHERE id = ${key.id}`)
  expect(known).toMatchObject([{ name: 'customer 42' }])
  await stop()
})

test('tool calls know a deleted API key by its last name, too', async () => {
  const { apiKeys } = await keyNode(own.database)
  const owner = author('acc_tools')
  const { key } = await apiKeys.create(owner, keyInput({ name: 'agent' }))
  await apiKeys.update(owner, key.id, keyInput({ name: 'research agent' }))
  await apiKeys.delete(owner, key.id)
  const known = await own.database.run(
    (sql) => sql`SELECT name, hint FROM tool_usage_keys WHERE id = ${key.id}`,
  )
  expect(known).toMatchObject([{ name: 'research agent', hint: key.hint }])
})
