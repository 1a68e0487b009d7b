import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import { hourMs, minuteMs } from '../../shared/durations.ts'
import {
  addKey,
  everyStatistic,
  manualClock,
  noneBack,
  removeFolder,
  usageUnderTest,
  type UsageUnderTest,
} from './test-support/usage-under-test.ts'
import type { Usage } from './usage.ts'

let testbed: TestDatabase
const opened: UsageUnderTest[] = []
beforeAll(async () => {
  testbed = await testDatabase()
})
afterAll(async () => {
  for (const { folder } of opened) removeFolder(folder)
  await testbed?.drop()
})

function begin(at: number) {
  const under = usageUnderTest(testbed.database, manualClock(at))
  opened.push(under)
  const accountId = `acc_${crypto.randomUUID()}`
  const key = addKey(under, `${accountId}_key`, accountId)
  return { under, clock: under.clock, accountId, key }
}

const call = { method: 'eth_call', credits: 26 }
const answered = (usage: Usage, key: ReturnType<typeof addKey>) =>
  usage.meter.admit(key, [call], 1).settle(['ok'], noneBack)

describe('by five minutes', () => {
  test('before and after it is rolled up, by key, and for two days', async () => {
    const { under, clock, accountId, key } = begin(Date.UTC(2026, 0, 15, 12, 1))
    const usage = under.open()
    for (let minute = 0; minute < 17; minute++) {
      answered(usage, key)
      clock.at += minuteMs
    }
    const ask = async () => {
      const { items, totals } = await usage.statistics.keys(accountId, {
        ...everyStatistic,
        granularity: '5m',
      })
      return [...items.map(({ bucket, requests }) => `${bucket?.slice(11, 16)} ${requests}`), totals.requests]
    }
    const expected = ['12:00 4', '12:05 5', '12:10 5', '12:15 3', 17]
    expect(await ask()).toEqual(expected)
    await usage.flush()
    await usage.rollUp()
    expect(await ask()).toEqual(expected)
    const series = await usage.statistics.series(accountId, {
      from: Date.UTC(2026, 0, 15, 12),
      by: 'key',
      granularity: '5m',
      measure: 'requests',
      top: 8,
    })
    expect(series.buckets).toHaveLength(4)
    expect(series.bands.map(({ requests }) => requests)).toEqual([[4, 5, 5, 3]])
    clock.at += 47 * hourMs
    expect(await ask()).toEqual(expected)
    clock.at += 2 * 24 * hourMs
    await usage.rollUp()
    const [rows] = await testbed.database.run(
      (sql) => sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM usage_fives WHERE account_id = ${accountId}`,
    )
    expect(rows?.count).toBe(0)
    await usage.stop()
  })
})

describe('days of a time zone', () => {
  const berlin = { from: '2026-03-28T23:00:00Z', to: '2026-03-30T22:00:00Z', timeZone: 'Europe/Berlin' }
  const kolkata = { from: '2026-03-27T18:30:00Z', to: '2026-03-29T18:30:00Z', timeZone: 'Asia/Kolkata' }

  test.each([
    { asked: berlin, starts: ['2026-03-28T23:00', '2026-03-29T22:00'], calls: [23 * 4, 24 * 4] },
    { asked: kolkata, starts: ['2026-03-27T18:30', '2026-03-28T18:30'], calls: [96, 96] },
  ])('are as long as they are there: $asked.timeZone', async ({ asked, starts, calls }) => {
    const first = Date.parse(asked.from) - 2 * hourMs
    const { under, clock, accountId, key } = begin(first)
    const usage = under.open()
    // At every quarter of an hour, before, in between and after.
    for (let quarter = 0; quarter < 58 * 4; quarter++) {
      answered(usage, key)
      clock.at += 15 * minuteMs
    }
    const query = { ...everyStatistic, ...asked, granularity: 'day' } as const
    const days = async () => {
      const { items, from, to, totals } = await usage.statistics.keys(accountId, query)
      expect([from, to].map((at) => Date.parse(at))).toEqual(
        [asked.from, asked.to].map((at) => Date.parse(at)),
      )
      expect(totals.requests).toBe(calls[0]! + calls[1]!)
      return items.map(({ bucket, requests }) => [bucket?.slice(0, 16), requests])
    }
    const expected = starts.map((start, place) => [start, calls[place]])
    expect(await days()).toEqual(expected)
    await usage.flush()
    await usage.rollUp()
    expect(await days()).toEqual(expected)
    await usage.stop()
  })
})

describe('what became of calls', () => {
  test('each is in one class, by key and method, and the same when it is rolled up', async () => {
    const { under, clock, accountId, key } = begin(Date.UTC(2026, 0, 15, 12, 1))
    const usage = under.open()
    const calls = [call, call, call, call]
    const open = usage.meter.admit(key, [...calls, call], 1)
    open.settle(['ok', 'cached', 'error', 'unanswered', 'cached'], {
      ...noneBack,
      creditsBack: [0, 0, 0, 26, 0],
    })
    usage.meter.admit(key, [call], 1)
    usage.meter.refuse(key, [call], 'rate')
    usage.meter.refuse(key, [call, call], 'credits')
    const numbers = { answered: 1, cached: 2, nodeErrors: 1, unanswered: 1, rateLimited: 1, creditLimited: 2 }
    const query = { granularity: 'hour', keyId: key.id, method: 'eth_call' } as const
    const before = await usage.statistics.classes(accountId, query)
    expect(before.totals).toEqual({ ...numbers, underWay: 1 })
    expect(before.items).toEqual([{ bucket: '2026-01-15T12:00:00.000Z', ...numbers, underWay: 1 }])
    clock.at += 3 * hourMs
    await usage.flush()
    await usage.rollUp()
    expect((await usage.statistics.classes(accountId, query)).totals).toEqual(before.totals)
    expect(
      await usage.statistics
        .classes(accountId, { ...query, keyId: 'qkey_of_others' })
        .catch((error) => error.code),
    ).toBe('not_found')
    await usage.stop()
  })

  test('requests to upstreams by class, summed up by endpoint and time, also over two processes', async () => {
    const { under, clock, accountId, key } = begin(Date.UTC(2026, 0, 15, 12, 4))
    const attempts = [
      { upstream: 'a', class: 'limit', ms: 2 },
      { upstream: 'b', class: 'answer', ms: 10 },
    ]
    const usage = under.open()
    for (let turn = 0; turn < 3; turn++) {
      usage.meter.admit(key, [call], 1).settle(['ok'], { ...noneBack, attempts })
      await usage.flush()
      clock.at += minuteMs
    }
    await usage.stop()
    const again = under.open()
    again.meter.admit(key, [call], 1).settle(['ok'], { ...noneBack, attempts })
    const total = await again.statistics.upstreams(accountId, { granularity: 'total' })
    expect(total.items).toEqual([
      { endpoint: 'testnet', upstream: 'a', class: 'limit', attempts: 4, meanMs: 2 },
      { endpoint: 'testnet', upstream: 'b', class: 'answer', attempts: 4, meanMs: 10 },
    ])
    const fine = await again.statistics.upstreams(accountId, { granularity: '5m', endpoint: 'testnet' })
    expect(
      fine.items.filter((item) => item.upstream === 'b').map((item) => [item.bucket, item.attempts]),
    ).toEqual([
      ['2026-01-15T12:00:00.000Z', 1],
      ['2026-01-15T12:05:00.000Z', 3],
    ])
    expect((await again.statistics.upstreams('acc_other', { granularity: 'total' })).items).toEqual([])
    const other = addKey(under, `${accountId}_other`, accountId)
    const shared = [{ upstream: 'b', class: 'answer', ms: 10, isShared: true as const }]
    again.meter.admit(other, [call], 1).settle(['ok'], { ...noneBack, attempts: shared })
    again.meter.admit(other, [call], 1).settle(['ok'], { ...noneBack, attempts: attempts.slice(1) })
    const byKey = await again.statistics.upstreams(accountId, { granularity: 'total', by: 'key' })
    expect(byKey.items.map((item) => [item.keyId, item.upstream, item.attempts])).toEqual([
      [key.id, 'a', 4],
      [key.id, 'b', 4],
      [other.id, 'b', 1],
    ])
    const ofOne = await again.statistics.upstreams(accountId, { granularity: 'total', keyId: other.id })
    expect(ofOne.items).toEqual([
      { endpoint: 'testnet', upstream: 'b', class: 'answer', attempts: 1, meanMs: 10 },
    ])
    await again.stop()
  })
})
