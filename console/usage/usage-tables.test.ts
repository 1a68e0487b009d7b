import { describe, expect, test } from 'bun:test'

import type { KeyStatistics, KeyUsage, UsageBand, UsageNumbers } from '../../shared/usage.ts'
import { everyPage } from './every-page.ts'
import { bandsCsv, chartBandsOf, sumsOf } from './usage-bands.ts'
import { keysCsv, methodsCsv } from './usage-csv.ts'
import { comparedText, usageCountText, latencyText, shareText } from './usage-numbers.ts'
import { columnsOf, keyRows, methodRows, rowsWith, totalRow } from './usage-rows.ts'

const numbers = (changes: Partial<UsageNumbers> = {}): UsageNumbers => ({
  requests: 0,
  credits: 0,
  ok: 0,
  errors: 0,
  rateLimited: 0,
  creditLimited: 0,
  bytesIn: 0,
  bytesOut: 0,
  p50Ms: null,
  p99Ms: null,
  ...changes,
})

const key = (name: string, changes: Partial<KeyUsage> = {}): KeyUsage => ({
  ...numbers(),
  keyId: `id of ${name}`,
  name,
  hint: 'gqk_…abcd',
  endpoint: 'testnet',
  isDeleted: false,
  lastUsedAt: 1_000,
  ...changes,
})

describe('rows', () => {
  const totals = numbers({ requests: 8, credits: 0 })
  const rows = keyRows(
    [key('wallet', { requests: 6, lastUsedAt: 5_000 }), key('old', { requests: 2 })],
    totals,
  )

  test('have their share of all requests, and none of what nobody had', () => {
    expect(rows.map(({ name, requestShare, creditShare }) => [name, requestShare, creditShare])).toEqual([
      ['wallet', 0.75, null],
      ['old', 0.25, null],
    ])
    expect(totalRow(rows, totals)).toMatchObject({ id: null, name: 'Total', requests: 8, lastUsedAt: 5_000 })
    expect(totalRow([], totals).lastUsedAt).toBeNull()
  })

  test('of methods are named by the method', () => {
    const [row] = methodRows([{ ...numbers(), method: 'eth_call', lastUsedAt: null }], totals)
    expect([row?.id, row?.name, row?.key, row?.requestShare]).toEqual(['eth_call', 'eth_call', null, 0])
    expect(columnsOf('method')[0]?.title).toBe('Method')
  })

  test('can be narrowed to those in which something went wrong', () => {
    const some = [
      key('fine', { requests: 9 }),
      key('wrong', { errors: 1 }),
      key('fast', { rateLimited: 1 }),
      key('dear', { creditLimited: 1 }),
    ]
    const names = (only: '' | 'errors' | 'refused') => rowsWith(some, only).map(({ name }) => name)
    expect(names('')).toHaveLength(4)
    expect(names('errors')).toEqual(['wrong'])
    expect(names('refused')).toEqual(['fast', 'dear'])
  })
})

const band = (id: string | null, label: string, requests: number[]): UsageBand => ({
  id,
  label,
  requests,
  credits: [0, 0],
  errors: [0, 0],
  refused: [0, 1],
})

const hintOf = (id: string) => (id === '1' ? 'gqk_…aaaa' : undefined)

describe('a chart', () => {
  const shown = {
    granularity: 'hour' as const,
    buckets: [0, 3_600_000],
    bands: [band('1', 'app', [1, 2]), band('2', 'app', [0, 4]), band(null, 'Other', [0, 0])],
  }

  test('has the bands in which there is something, and tells two of one name apart', () => {
    expect(chartBandsOf(shown, 'requests', hintOf)).toEqual([
      { name: 'app gqk_…aaaa', values: [1, 2], isRest: false },
      { name: 'app 2', values: [0, 4], isRest: false },
    ])
    expect(chartBandsOf(shown, 'refused', hintOf).at(-1)).toEqual({
      name: 'All others',
      values: [0, 1],
      isRest: true,
    })
    expect(chartBandsOf(shown, 'credits', hintOf)).toEqual([])
  })

  test('is the same as a file', () => {
    expect(bandsCsv(shown, [{ name: '=evil()', values: [1, 2] }])).toBe(
      "hour,'=evil()\r\n1970-01-01T00:00:00.000Z,1\r\n1970-01-01T01:00:00.000Z,2\r\n",
    )
    const compared = bandsCsv(shown, [{ name: 'app', values: [1, 2] }], [7, 8]).split('\r\n')
    expect(compared.slice(0, 2)).toEqual(['hour,app,period before', '1970-01-01T00:00:00.000Z,1,7'])
  })

  test('has the sums of all bands to compare with', () => {
    expect(sumsOf(shown, 'requests', 3)).toEqual([1, 6, 0])
  })
})

test.each([
  [114, 100, '+14%'],
  [97, 100, '−3%'],
  [2_500, 100, '+2,400%'],
  [100, 100, 'as before'],
  [5, 0, ''],
  [null, 3, ''],
])('%p after %p is %p', (now, before, words) => expect(comparedText(now, before)).toBe(words))

describe('a file', () => {
  const line: KeyStatistics = {
    ...numbers({ requests: 3, credits: 60, ok: 2, errors: 1, p50Ms: 0.5, p99Ms: 12 }),
    keyId: 'qkey_1',
    name: '@SUM(A1), "mine"',
    keyHint: 'gqk_…abcd',
    endpoint: 'testnet',
    lastUsedAt: null,
  }

  test('holds numbers as they are, and no name that a spreadsheet would calculate', () => {
    const [, row] = keysCsv([line]).split('\r\n')
    expect(row).toBe(`qkey_1,"'@SUM(A1), ""mine""",gqk_…abcd,testnet,3,60,2,1,0,0,0,0,0.5,12,`)
    const [titles, method] = methodsCsv([
      { ...numbers({ requests: 1 }), method: '=eth_call', lastUsedAt: '2026-01-01T00:00:00.000Z' },
    ]).split('\r\n')
    expect(titles).toStartWith('method,requests,credits,ok,errors,rate limited')
    expect(method).toBe("'=eth_call,1,0,0,0,0,0,0,0,,,2026-01-01T00:00:00.000Z")
  })

  test('is read to its end, page by page', async () => {
    const pages: Record<string, { items: number[]; nextCursor: string | null }> = {
      '': { items: [1, 2], nextCursor: 'b' },
      b: { items: [3], nextCursor: 'c' },
      c: { items: [], nextCursor: null },
    }
    const told: number[] = []
    const read = async ({ cursor = '' }) => pages[cursor] ?? { items: [], nextCursor: null }
    expect(await everyPage(read, (count) => told.push(count))).toEqual([1, 2, 3])
    expect(told).toEqual([2, 3, 3])
  })
})

test('numbers are written for people', () => {
  expect([0, 1_234_567].map(usageCountText)).toEqual(['0', '1,234,567'])
  expect([null, 0, 0.0004, 0.1234, 1].map(shareText)).toEqual(['–', '0%', '< 0.1%', '12.3%', '100%'])
  expect([null, 0.5, 9.46, 38.4, 1_240].map(latencyText)).toEqual(['–', '0.5 ms', '9.5 ms', '38 ms', '1.2 s'])
})
