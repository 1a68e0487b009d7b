import { expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'

import { silentLog, testDatabase } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createDatabaseFollower } from './database-follower.ts'
import { openDatabase } from './database.ts'

const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url))

test('a notification that comes during a reading is followed by another reading', async () => {
  const testbed = await testDatabase()
  const database = await openDatabase({ url: testbed.url, dataDir: '', log: silentLog, migrationsFolder })
  let heard = 0
  const gates: PromiseWithResolvers<void>[] = []
  const follower = createDatabaseFollower({
    database,
    channel: 'something_changed',
    pollEveryMs: 3_600_000,
    read() {
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      return gates.length === 1 ? Promise.resolve() : gate.promise
    },
    onFailed: () => undefined,
  })
  const notify = () => database.run((sql) => sql`SELECT pg_notify('something_changed', '')`)
  try {
    await follower.load()
    await database.listen('something_changed', () => void heard++)
    await notify()
    await waitUntil('the reading after the first notification', () => gates.length === 2)
    await notify()
    await waitUntil('the second notification', () => heard === 2)
    expect(gates).toHaveLength(2)
    gates[1]?.resolve()
    await waitUntil('the reading after the second notification', () => gates.length === 3)
    gates[2]?.resolve()
  } finally {
    await follower.stop()
    await database.close()
    await testbed.drop()
  }
})
