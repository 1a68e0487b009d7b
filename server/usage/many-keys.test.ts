import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import { usageMeasures, type UsageMeasure } from '../../shared/usage.ts'
import type { MeteredKey, Usage } from './usage.ts'
import {
  addKey,
  manualClock,
  noneBack,
  removeFolder,
  usageUnderTest,
  type UsageUnderTest,
} from './test-support/usage-under-test.ts'
import { dayMs } from '../../shared/durations.ts'
import { covers } from '../../tests/support/covers.ts'
import { readStatement } from './statement.ts'

const accountId = 'acc_many'
const days = 4
const keyCount = 12
/** Later than the database's own clock, by which it notes when it looked at its tables last. */
const later = Date.UTC(2096, 0, 15, 12, 30)

let testbed: TestDatabase
let under: UsageUnderTest
let usage: Usage
let keys: MeteredKey[]
let from: number

beforeAll(async () => {
  testbed = await testDatabase()
})
afterAll(() => testbed?.drop())

/** Of each key other numbers on each day; those of the last day are still by the minute. */
beforeEach(async () => {
  under = usageUnderTest(testbed.database, manualClock(later))
  usage = under.open()
  keys = Array.from({ length: keyCount }, (_, index) => addKey(under, `key_${index}`, accountId))
  from = Math.floor(under.clock.at / dayMs) * dayMs
  for (let day = 0; day < days; day++) {
    for (const [index, key] of keys.entries()) callTimes(key, callsOf(index, day), index % 4)
    await usage.flush()
    if (day < days - 1) under.clock.at += dayMs
    await usage.rollUp()
  }
})

afterEach(async () => {
  await usage.stop()
  removeFolder(under.folder)
  await testbed.database.run(
    (sql) => sql`TRUNCATE usage_minutes, usage_fives, usage_hours, usage_days, usage_rollups`,
  )
})

/** None on some days; two endpoints for one key. */
const callsOf = (index: number, day: number): number => (index % days === day ? 0 : index + day)

function callTimes(key: MeteredKey, times: number, refused: number): void {
  for (let time = 0; time < times; time++) {
    const endpoint = key.id === 'key_7' && time % 2 === 0 ? 'mainnet' : key.endpoint
    usage.meter.admit({ ...key, endpoint }, [{ method: 'eth_call', credits: 26 }], 1).settle(['ok'], noneBack)
  }
  if (times === 0) return
  const calls = Array.from({ length: refused }, () => ({ method: 'eth_call', credits: 26 }))
  if (refused > 0) usage.meter.refuse(key, calls, 'rate')
}

const measured = (index: number, day: number, measure: UsageMeasure): number => {
  const calls = callsOf(index, day)
  const ofKey: Record<UsageMeasure, number> = {
    requests: calls,
    credits: 26 * calls,
    errors: 0,
    refused: calls === 0 ? 0 : index % 4,
  }
  return ofKey[measure]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
const daysOf = (index: number, measure: UsageMeasure): number[] =>
  Array.from({ length: days }, (_, day) => measured(index, day, measure))

const totalOf = (index: number): number => sum(daysOf(index, 'requests'))
const all = (): number => sum(keys.map((_, index) => totalOf(index)))

describe('usage of many keys', () => {
  covers('statistics-answer')
  test.each([1, 4, 10, 100])('by key and day is on one page each, %d items at a time', async (limit) => {
    const expected = Array.from({ length: days }, (_, day) =>
      keys
        .map(({ id }, index) => ({ id, calls: callsOf(index, day) }))
        .filter(({ calls }) => calls > 0)
        .map(({ id, calls }) => `${day} ${id} ${calls}`)
        .sort(),
    ).flat()
    const found: string[] = []
    let cursor: string | undefined
    do {
      const question = { granularity: 'day', limit, from: new Date(from).toISOString(), cursor } as const
      const page = await usage.statistics.keys(accountId, question)
      for (const { keyId, requests, bucket } of page.items) {
        found.push(`${(Date.parse(bucket ?? '') - from) / dayMs} ${keyId} ${requests}`)
      }
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(found).toEqual(expected)
  })

  test.each([...usageMeasures])(
    'a chart shows those with most %s, and all others together',
    async (measure) => {
      const top = 3
      const chart = await usage.statistics.series(accountId, {
        by: 'key',
        granularity: 'day',
        measure,
        top,
        from,
        to: from + days * dayMs,
      })
      const ranked = keys
        .map(({ id }, index) => ({ id, index, total: sum(daysOf(index, measure)) }))
        .sort((one, other) => other.total - one.total || (one.id < other.id ? -1 : 1))
      const shown = ranked.slice(0, top)
      const others = ranked.slice(top)
      expect(chart.bands.map(({ id }) => id).sort()).toEqual([...shown.map(({ id }) => id), null].sort())
      for (const { id, index } of shown) {
        expect(chart.bands.find((band) => band.id === id)?.[measure]).toEqual(daysOf(index, measure))
      }
      for (const other of usageMeasures) {
        const left = Array.from({ length: days }, (_, day) =>
          sum(others.map(({ index }) => measured(index, day, other))),
        )
        expect(chart.bands.find(({ id }) => id === null)?.[other]).toEqual(left)
      }
    },
  )

  test('a chart with room for all has no others', async () => {
    const question = {
      granularity: 'day',
      measure: 'requests',
      top: 20,
      from,
      to: from + days * dayMs,
    } as const
    const chart = await usage.statistics.series(accountId, { ...question, by: 'key' })
    expect(chart.bands.map(({ id }) => id).sort()).toEqual(keys.map(({ id }) => id).sort())
    const byMethod = await usage.statistics.series(accountId, { ...question, by: 'method' })
    expect(byMethod.bands.map(({ id }) => id)).toEqual(['eth_call'])
  })

  test('a statement has a line for each key, and their sum', async () => {
    const month = new Date(from).toISOString().slice(0, 7)
    const { csv } = await readStatement(usage.statistics, accountId, month)
    const lines = csv.trimEnd().split('\r\n')
    expect(lines).toHaveLength(keyCount + 2)
    expect(lines.at(-1)).toStartWith(`${month},,all keys,,${all()},${26 * all()},${all()},0,`)
    expect(lines.some((line) => line.includes(`,key_7,`) && line.includes(`,${totalOf(7)},`))).toBe(true)
  })

  test('who used most of a month is known once it is rolled up', async () => {
    under.clock.at += dayMs
    await usage.flush()
    await usage.rollUp()
    const since = Date.parse(new Date(from).toISOString().slice(0, 7))
    const asked = { id: null, atLeast: 1, since, limit: 100 } as const
    const ofAccounts = await usage.accountSums.usedAtLeast({ ...asked, of: 'account', measure: 'credits' })
    expect(ofAccounts).toMatchObject([{ id: accountId, used: 26 * all() }])
    const busy = await usage.accountSums.usedAtLeast({
      ...asked,
      of: 'key',
      measure: 'calls',
      atLeast: totalOf(9),
    })
    const expected = keys.map(({ id }, index) => ({ id, used: totalOf(index) }))
    expect(busy.map(({ id, used }) => ({ id, used }))).toEqual(
      expect.arrayContaining(expected.filter(({ used }) => used >= totalOf(9))),
    )
    const one = await usage.accountSums.usedAtLeast({ ...asked, of: 'key', measure: 'calls', id: 'key_7' })
    expect(one).toMatchObject([{ id: 'key_7', used: totalOf(7) }])
    expect(
      await usage.accountSums.usedAtLeast({ ...asked, of: 'account', measure: 'calls', atLeast: 1e9 }),
    ).toEqual([])
  })

  test('the table shows the busiest first', async () => {
    const table = await usage.statistics.keyTable(accountId, { from, to: from + days * dayMs })
    const ranked = keys
      .map(({ id }, index) => ({ id, total: sum(daysOf(index, 'requests')) }))
      .sort((one, other) => other.total - one.total || (one.id < other.id ? -1 : 1))
    expect(table.rows.map(({ keyId, requests }) => ({ id: keyId, total: requests }))).toEqual(ranked)
  })

  test('the database is told now and then what the tables hold', async () => {
    const analyzed = await testbed.database.run(
      (sql) => sql<{ name: string }[]>`
        SELECT relname AS name FROM pg_class WHERE relname IN ('usage_hours', 'usage_days') AND reltuples > 0`,
    )
    expect(analyzed.map(({ name }) => name).sort()).toEqual(['usage_days', 'usage_hours'])
  })
})
