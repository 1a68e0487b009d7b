import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, silentLog, testDatabase } from '../../../scripts/world/database.ts'
import { makePartitions } from '../../platform/postgres/partitions.ts'
import { createRollupJob } from './rollup-job.ts'
import { dayMs } from '../../../shared/durations.ts'

let testbed: TestDatabase
beforeAll(async () => {
  testbed = await testDatabase()
})
afterAll(() => testbed?.drop())

/** How often the database has looked at what each of the tables holds. */
async function looks(): Promise<number[]> {
  const rows = await testbed.database.run(
    (sql) => sql<{ looks: number }[]>`
      SELECT analyze_count::int AS looks FROM pg_stat_user_tables
      WHERE relname IN ('usage_hours', 'usage_days') ORDER BY relname`,
  )
  return rows.map((row) => row.looks)
}

test('the database looks at what the tables hold once a day, however often processes start', async () => {
  let now = Date.now()
  // Nothing is noted of tables without partitions, at which there is nothing to look.
  await testbed.database.transaction(async (sql) => {
    await makePartitions(sql, 'usage_hours', [now])
    await makePartitions(sql, 'usage_days', [now], 'month')
  })
  const started = () => createRollupJob({ database: testbed.database, now: () => now, log: silentLog })
  await started().run()
  expect(await looks()).toEqual([1, 1])

  const again = started()
  await again.run()
  await again.run()
  await started().run()
  expect(await looks()).toEqual([1, 1])

  now += dayMs + 60_000
  await again.run()
  expect(await looks()).toEqual([2, 2])
})
