import { afterEach, beforeEach, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import {
  type QueryKeyNode,
  keyForm,
  plainCaller,
  queryKeyNode,
} from '../../query-keys/test-support/query-key-nodes.ts'
import { author } from '../test-support/key-world.ts'

const anna = author('acc_anna')
let own: TestDatabase
let running: QueryKeyNode[] = []

beforeEach(async () => {
  own = await testDatabase()
})
afterEach(async () => {
  for (const { queryKeys } of running) await queryKeys.stop()
  running = []
  await own.drop()
})

async function newNode(): Promise<QueryKeyNode> {
  const node = await queryKeyNode(own.database)
  running.push(node)
  return node
}

const answersOf = async ({ queryKeys }: QueryKeyNode, values: readonly string[]): Promise<string[]> => {
  expect(queryKeys.isFresh()).toBe(true)
  const verdicts = values.map((value) => queryKeys.authorize(value, 'testnet', plainCaller))
  return (await Promise.all(verdicts)).map(({ kind }) => kind)
}

const versionOf = async (): Promise<number> => {
  const [row] = await own.database.sql<{ version: number }[]>`
    SELECT max(version)::float8 AS version FROM key_changes`
  return row?.version ?? 0
}

const nodeVersions = async (): Promise<number[]> => {
  const rows = await own.database.sql<{ version: number }[]>`
    SELECT keys_version::float8 AS version FROM nodes`
  return rows.map(({ version }) => version)
}

/** Takes back what was changed after a version, as a restored backup does, or a standby that lacks the last commits. */
async function takeBack(version: number, lostKeys: readonly string[]): Promise<void> {
  await own.database.sql`DELETE FROM query_keys WHERE id = ANY (${[...lostKeys]}::text[])`
  await own.database.sql`DELETE FROM key_changes WHERE version > ${version}`
}

test('a process whose database was restored meanwhile follows its changes, also when there are as many as it had', async () => {
  const before = await newNode()
  const far = await newNode()
  const saved = await before.queryKeys.create(anna, keyForm())
  const version = await versionOf()
  const lost = await before.queryKeys.create(anna, keyForm())
  const lostToo = await before.queryKeys.create(anna, keyForm())
  await far.queryKeys.sync()
  expect(await answersOf(far, [saved.value, lost.value])).toEqual(['allowed', 'allowed'])
  await before.queryKeys.stop()

  await takeBack(version, [lost.key.id, lostToo.key.id])
  await own.database.sql`DELETE FROM nodes`
  const after = await newNode()
  await after.queryKeys.setEnabled(anna, saved.key.id, false)
  const made = await after.queryKeys.create(anna, keyForm())
  expect(await versionOf()).toBe(version + 2)

  await far.queryKeys.sync()
  expect(await answersOf(far, [saved.value, lost.value, made.value])).toEqual([
    'invalid',
    'invalid',
    'allowed',
  ])
  const { key, value, propagated } = await after.queryKeys.create(anna, keyForm())
  expect(propagated).toBe(true)
  expect(await answersOf(far, [value])).toEqual(['allowed'])
  expect((await after.queryKeys.setEnabled(anna, key.id, false)).propagated).toBe(true)
  expect(await answersOf(far, [value])).toEqual(['invalid'])
  expect(await nodeVersions()).toEqual([version + 4, version + 4])
})

test.each([0, 1])(
  'a process that finds the log behind itself reads everything again (%i changes are left)',
  async (left) => {
    const far = await newNode()
    for (let made = 0; made < left; made++) await far.queryKeys.create(anna, keyForm())
    const lost = await far.queryKeys.create(anna, keyForm())
    expect(await answersOf(far, [lost.value])).toEqual(['allowed'])
    await takeBack(left, [lost.key.id])
    await far.queryKeys.sync()
    expect(await answersOf(far, [lost.value])).toEqual(['invalid'])
    expect(await nodeVersions()).toEqual([left])
  },
)

test('a process that the database has forgotten acknowledges what it has applied anew', async () => {
  const far = await newNode()
  await far.queryKeys.create(anna, keyForm())
  await own.database.sql`DELETE FROM nodes`
  await far.queryKeys.sync()
  expect(await nodeVersions()).toEqual([await versionOf()])
})
