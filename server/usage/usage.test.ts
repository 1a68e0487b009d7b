import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'

import { testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import {
  addKey,
  everyStatistic,
  noneBack,
  removeFolder,
  usageUnderTest,
  type UsageUnderTest,
} from './test-support/usage-under-test.ts'
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts'
import { covers } from '../../tests/support/covers.ts'

let testbed: TestDatabase
const opened: UsageUnderTest[] = []

beforeAll(async () => {
  testbed = await testDatabase()
})
afterAll(async () => {
  for (const { folder } of opened) removeFolder(folder)
  await testbed?.drop()
})

/** Accounts of tests that run on one database are not the same. */
let accounts = 0
function begin() {
  const under = usageUnderTest(testbed.database)
  opened.push(under)
  const accountId = `acc_${++accounts}`
  return { ...under, accountId, key: (id: string) => addKey(under, `${accountId}_${id}`, accountId) }
}

const call = { method: 'eth_call', credits: 26 }

/** Of two calls and one other that came in one request of 100 bytes and were answered with 50. */
const byMethod = [
  {
    method: 'eth_call',
    requests: 2,
    credits: 26,
    ok: 1,
    errors: 1,
    rateLimited: 2,
    bytesIn: 67,
    bytesOut: 33,
  },
  {
    method: 'eth_chainId',
    requests: 1,
    credits: 1,
    ok: 0,
    errors: 1,
    rateLimited: 0,
    bytesIn: 33,
    bytesOut: 17,
  },
]

describe('what was counted', () => {
  test('is in the next answer: calls, credits, outcomes, bytes and times', async () => {
    covers('statistics-answer')
    const { open, accountId, key, clock } = begin()
    const usage = open()
    const own = key('a')
    const metered = usage.meter.admit(own, [call, { method: 'eth_chainId', credits: 1 }, call], 100)
    usage.meter.refuse(own, [call, call], 'rate')
    usage.meter.refuse(own, [call], 'credits')
    const before = await usage.statistics.keys(accountId, everyStatistic)
    expect(before.items).toMatchObject([
      { keyId: own.id, requests: 3, credits: 53, ok: 0, errors: 0, p50Ms: null },
    ])
    metered.settle(['ok', 'error', 'unanswered'], { bytesOut: 50, tookMs: 12, creditsBack: [0, 0, 26] })
    metered.settle(['ok', 'ok', 'ok'], noneBack)
    const numbers = {
      requests: 3,
      credits: 27,
      ok: 1,
      errors: 2,
      rateLimited: 2,
      creditLimited: 1,
      bytesIn: 100,
      bytesOut: 50,
      p50Ms: 12.2,
      p99Ms: 12.2,
    }
    const lastUsedAt = new Date(clock.at).toISOString()
    expect(await usage.statistics.keys(accountId, everyStatistic)).toEqual({
      from: '2025-12-16T13:00:00.000Z',
      to: '2026-01-15T13:00:00.000Z',
      granularity: 'total',
      asOf: lastUsedAt,
      items: [
        {
          keyId: own.id,
          name: `name of ${own.id}`,
          keyHint: 'gqk_…_1_a',
          endpoint: 'testnet',
          ...numbers,
          lastUsedAt,
        },
      ],
      totals: numbers,
      nextCursor: null,
    })
    const { items, totals } = await usage.statistics.methods(accountId, everyStatistic)
    expect(totals).toEqual(numbers)
    expect(items).toMatchObject(byMethod)
    await usage.stop()
  })

  test('is right by method where calls of one beside each other end in different ways', async () => {
    const { open, accountId, key } = begin()
    const usage = open()
    const chainId = { method: 'eth_chainId', credits: 1 }
    const metered = usage.meter.admit(key('a'), [call, call, call, chainId, call], 11)
    metered.settle(['ok', 'cached', 'unanswered', 'error', 'ok'], {
      bytesOut: 13,
      tookMs: 12,
      creditsBack: [0, 20, 26, 0, 0],
    })
    const { items } = await usage.statistics.methods(accountId, everyStatistic)
    expect(items).toMatchObject([
      { method: 'eth_call', requests: 4, credits: 58, ok: 3, errors: 1, bytesIn: 9, bytesOut: 11 },
      { method: 'eth_chainId', requests: 1, credits: 1, ok: 0, errors: 1, bytesIn: 2, bytesOut: 2 },
    ])
    await usage.stop()
  })

  test('stays the same when it is rolled up, written again, and taken over', async () => {
    const { open, accountId, key, clock, folder } = begin()
    const first = open()
    const own = key('a')
    for (let minute = 0; minute < 200; minute++) {
      clock.at += minuteMs
      first.meter.admit(own, [call], 1).settle(['ok'], noneBack)
      if (minute % 50 === 0) await first.flush()
      if (minute % 70 === 0) await first.rollUp()
    }
    const expected = { requests: 200, credits: 5_200, ok: 200, bytesIn: 200 }
    expect((await first.statistics.keys(accountId, everyStatistic)).totals).toMatchObject(expected)
    await first.rollUp()
    expect((await first.statistics.keys(accountId, everyStatistic)).totals).toMatchObject(expected)
    await first.stop()
    expect(readdirSync(folder).filter((name) => name.endsWith('.usage'))).toEqual([])
    const second = open()
    await second.rollUp()
    expect((await second.statistics.keys(accountId, everyStatistic)).totals).toMatchObject(expected)
    const rows = await testbed.database.run(
      (sql) => sql`SELECT FROM usage_minutes WHERE account_id = ${accountId}`,
    )
    expect(rows).toHaveLength(0)
    const by = { ...everyStatistic, granularity: 'hour' } as const
    expect((await second.statistics.keys(accountId, by)).items.map(({ requests }) => requests)).toEqual([
      29, 60, 60, 51,
    ])
    clock.at += 3 * dayMs + hourMs
    const byDay = await second.statistics.keys(accountId, { ...by, granularity: 'day' })
    expect(byDay.items).toMatchObject([{ requests: 200, bucket: '2026-01-15T00:00:00.000Z' }])
    await second.stop()
  })

  test('is on one page each, of few keys at a time, whichever hours and endpoints they were used in', async () => {
    const { open, accountId, key, clock } = begin()
    const usage = open()
    const keys = Array.from({ length: 25 }, (_, index) => key(`p${index}`))
    for (let hour = 0; hour < 3; hour++) {
      for (const [index, own] of keys.entries()) {
        if (index % 3 === hour) continue
        usage.meter.admit(own, [call], 1).settle(['ok'], noneBack)
        usage.meter.admit({ ...own, endpoint: 'mainnet' }, [call], 1).settle(['ok'], noneBack)
      }
      clock.at += hourMs
    }
    await usage.flush()
    await usage.rollUp()
    const from = new Date(clock.at - 3 * hourMs).toISOString()
    for (const limit of [1, 3, 30]) {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const page = await usage.statistics.keys(accountId, { granularity: 'total', limit, from, cursor })
        found.push(...page.items.map(({ keyId, requests }) => `${keyId} ${requests}`))
        expect(page.totals.requests).toBe(100)
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      expect(found).toEqual(keys.map(({ id }) => `${id} 4`).sort())
    }
    await usage.stop()
  })
})

test('when keys were used last is known to every process once it is written, and nobody keeps it in memory', async () => {
  const first = begin()
  const [here, there] = [first.open(), begin().open()]
  const [old, recent] = [first.key('old'), first.key('recent')]
  here.meter.admit(old, [call], 0).settle(['ok'], noneBack)
  first.clock.at += dayMs
  here.meter.admit(recent, [call], 0).settle(['ok'], noneBack)
  await here.flush()
  const at = first.clock.at
  const uses = await there.lastUses(testbed.database.sql, [old.id, recent.id, 'never'])
  expect([...uses]).toEqual(expect.arrayContaining([[old.id, at - dayMs], [recent.id, at]])) // prettier-ignore
  expect(uses.size).toBe(2)
  const latest = await there.lastUsed(1_000)
  expect(latest.filter((id) => [old.id, recent.id].includes(id))).toEqual([recent.id, old.id])
})
