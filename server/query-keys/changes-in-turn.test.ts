import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { author, connectTo } from '../keys/test-support/key-world.ts'
import { keyForm, queryKeyNode } from './test-support/query-key-nodes.ts'

let own: TestDatabase

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own?.drop())

/** The lock that every change of keys waits for (change-log.ts). */
const changesLock = 0x67616b63

test('a hundred edits of one account leave connections to everybody else', async () => {
  const database = await connectTo(own.url)
  const { queryKeys } = await queryKeyNode(database)
  const anna = author('acc_anna')
  const { key } = await queryKeys.create(anna, keyForm())
  const release = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holder = own.database.transaction(async (sql) => {
    await sql`SELECT pg_advisory_xact_lock(${changesLock})`
    locked.resolve()
    await release.promise
  })
  await locked.promise
  try {
    const edits = Array.from({ length: 100 }, (_, place) =>
      queryKeys.setEnabled(anna, key.id, place % 2 === 0),
    )
    expect(await queryKeys.list('acc_somebody_else')).toEqual([])
    release.resolve()
    await holder
    const edited = await Promise.all(edits)
    expect(edited.map(({ key: { isEnabled } }) => isEnabled)).toEqual(
      edits.map((_, place) => place % 2 === 0),
    )
  } finally {
    release.resolve()
    await queryKeys.stop()
    await database.close()
  }
})
