import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import type { Permission } from '../../shared/api-keys.ts'
import type { ErrorResponse } from '../../shared/faults.ts'
import type { QueryKeyView } from '../../shared/query-keys.ts'
import {
  KeyMethodStatisticsAnswer,
  KeyStatisticsAnswer,
  MethodStatisticsAnswer,
  type UsageSeries,
  type UsageTable,
  type KeyUsage,
  type Traffic,
} from '../../shared/usage.ts'
import { ClassStatisticsAnswer, UpstreamStatisticsAnswer } from '../../shared/usage-splits.ts'
import { testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { makePastUsage, type PastUse } from '../support/past-usage.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'
import { dayMs, hourMs } from '../../shared/durations.ts'
import { covers } from '../support/covers.ts'

/** `GET /account/statistics/…` and the console's view of usage, of a whole running server with a past. */

const upstreams = [{ url: 'http://127.0.0.1:8545' }]
const file = {
  endpoints: [
    { name: 'testnet', chain: 'ethereum', upstreams },
    { name: 'mainnet', chain: 'ethereum', upstreams },
  ],
}
const seconds = (at: number): number => at / 1_000
const hour = Math.floor(Date.now() / hourMs) * hourMs

let testbed: TestDatabase
let installation: TestInstallation
let server: GatehouseProcess
let owner: SignedInClient
let stranger: SignedInClient
let apiKey: string
let wallet: QueryKeyView
let backend: QueryKeyView
let strangers: QueryKeyView

beforeAll(async () => {
  testbed = await testDatabase()
  installation = await createTestInstallation(file)
  server = await installation.start({ DATABASE_URL: testbed.url })
  owner = await signInAt(server.url)
  stranger = await signInAt(server.url)
  apiKey = await makeApiKey(owner, ['statistics_read'])
  wallet = await makeQueryKey(owner, 'wallet', 'testnet')
  backend = await makeQueryKey(owner, 'backend', 'mainnet')
  strangers = await makeQueryKey(stranger, 'not yours', 'testnet')
  await makePastUsage(testbed.database, [
    use(wallet, owner.accountId, 'eth_call', hour, 100),
    use(wallet, owner.accountId, 'eth_chainId', hour - hourMs, 10),
    use(wallet, owner.accountId, 'eth_call', hour - 3 * dayMs, 1_000),
    use(backend, owner.accountId, 'eth_call', hour - 3 * dayMs, 20),
    use(backend, owner.accountId, 'eth_getLogs', hour - 40 * dayMs, 5_000),
    use(strangers, stranger.accountId, 'secret_method', hour, 7),
  ])
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  await testbed?.drop()
})

const use = (
  key: QueryKeyView,
  accountId: string,
  method: string,
  at: number,
  requests: number,
): PastUse => ({
  accountId,
  keyId: key.id,
  endpoint: key.endpoint,
  method,
  at,
  requests,
})

async function makeApiKey(client: SignedInClient, permissions: Permission[]): Promise<string> {
  const { data } = await client.mutate('apiKeys.create', { name: 'CI', permissions })
  return (data as { value: string }).value
}

async function makeQueryKey(client: SignedInClient, name: string, endpoint: string): Promise<QueryKeyView> {
  const { data, status } = await client.mutate('queryKeys.create', { name, endpoint })
  expect(status).toBe(200)
  return (data as { key: QueryKeyView }).key
}

const ask = (question: string, value = apiKey, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}/account/statistics/${question}`, {
    headers: { authorization: `Bearer ${value}`, ...headers },
  })

async function keys(question = ''): Promise<KeyStatisticsAnswer> {
  const response = await ask(`keys${question}`)
  expect(response.status).toBe(200)
  return KeyStatisticsAnswer.parse(await response.json())
}

async function keyMethods(question = ''): Promise<KeyMethodStatisticsAnswer> {
  const response = await ask(`key-methods${question}`)
  expect(response.status).toBe(200)
  return KeyMethodStatisticsAnswer.parse(await response.json())
}

async function methods(question = ''): Promise<MethodStatisticsAnswer> {
  const response = await ask(`methods${question}`)
  expect(response.status).toBe(200)
  return MethodStatisticsAnswer.parse(await response.json())
}

async function refusal(question: string): Promise<[status: number, code: string, message: string]> {
  const response = await ask(question)
  const { error } = (await response.json()) as ErrorResponse
  return [response.status, error.code, error.message]
}

const requestsBy = (items: readonly { method: string; requests: number }[]) =>
  items.map(({ method, requests }) => [method, requests])

describe('by key and by method', () => {
  test('the last 30 days, exactly as they were counted', async () => {
    covers(
      'statistics-keys-path',
      'statistics-methods-path',
      'statistics-bearer',
      'statistics-permission',
      'statistics-answer',
    )
    const answer = await keys()
    expect(Date.parse(answer.to) - Date.parse(answer.from)).toBe(30 * dayMs)
    const byName = new Map(answer.items.map((item) => [item.name, item]))
    expect([...byName.keys()].sort()).toEqual(['backend', 'wallet'])
    expect(byName.get('wallet')).toEqual({
      keyId: wallet.id,
      name: 'wallet',
      keyHint: wallet.hint,
      endpoint: 'testnet',
      requests: 1_110,
      credits: 1_110 * 26,
      ok: 999,
      errors: 111,
      rateLimited: 0,
      creditLimited: 0,
      bytesIn: 1_110 * 120,
      bytesOut: 1_110 * 300,
      p50Ms: 4.07,
      p99Ms: 4.07,
      lastUsedAt: new Date(hour).toISOString(),
    })
    expect(answer.totals).toMatchObject({ requests: 1_130, credits: 1_130 * 26 })
    const all = await methods()
    expect(requestsBy(all.items)).toEqual([['eth_call', 1_120], ['eth_chainId', 10]]) // prettier-ignore
    expect(all.totals).toEqual(answer.totals)
  })

  test('by key and method in one answer, page by page', async () => {
    const all = await keyMethods()
    expect(all.items.map(({ name, method, requests }) => [name, method, requests]).sort()).toEqual([
      ['backend', 'eth_call', 20],
      ['wallet', 'eth_call', 1_100],
      ['wallet', 'eth_chainId', 10],
    ])
    expect(all.totals).toEqual((await keys()).totals)
    const first = await keyMethods('?limit=2')
    const rest = await keyMethods(`?limit=2&cursor=${first.nextCursor}`)
    expect([...first.items, ...rest.items]).toEqual(all.items)
    expect(rest.nextCursor).toBeNull()
    const days = await keyMethods('?granularity=day&limit=1')
    expect(days.items).toEqual([expect.objectContaining({ method: 'eth_call', bucket: expect.any(String) })])
  })

  test('as CSV, whose pages lead on to each other', async () => {
    const asCsv = (question: string) => ask(question, apiKey, { accept: 'text/csv' })
    const page = await asCsv('keys?limit=1')
    expect(page.headers.get('content-type')).toStartWith('text/csv')
    const [names, row, end] = (await page.text()).split('\r\n')
    expect(names).toStartWith('keyId,name,keyHint,endpoint,bucket,requests,credits,ok,errors,')
    const { items } = await keys('?limit=1')
    expect(row?.split(',').slice(0, 6)).toEqual([
      items[0]?.keyId ?? '',
      items[0]?.name ?? '',
      items[0]?.keyHint ?? '',
      items[0]?.endpoint ?? '',
      '',
      String(items[0]?.requests),
    ])
    expect(end).toBe('')
    const next = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    const last = await asCsv(next.replace('/account/statistics/', ''))
    expect((await last.text()).split('\r\n')).toHaveLength(3)
    expect(last.headers.has('link')).toBe(false)
    expect(await (await asCsv('key-methods')).text()).toContain(',eth_chainId,')
    const json = await ask('keys', apiKey, { accept: 'application/json, text/csv;q=0.5' })
    expect(json.headers.get('content-type')).toStartWith('application/json')
  })

  test('every parameter', async () => {
    covers('statistics-parameters')
    const past = new Date(hour - 41 * dayMs).toISOString()
    expect(requestsBy((await methods(`?from=${past}`)).items)).toEqual([['eth_call', 1_120], ['eth_chainId', 10], ['eth_getLogs', 5_000]]) // prettier-ignore
    const threeDaysAgo = await methods(
      `?from=${seconds(hour - 3 * dayMs)}&to=${seconds(hour - 3 * dayMs + hourMs)}`,
    )
    expect(requestsBy(threeDaysAgo.items)).toEqual([['eth_call', 1_020]])
    expect(requestsBy((await methods(`?keyId=${wallet.id}`)).items)).toEqual([['eth_call', 1_100], ['eth_chainId', 10]]) // prettier-ignore
    expect((await keys('?endpoint=mainnet')).items.map(({ name }) => name)).toEqual(['backend'])
    expect((await keys('?method=eth_chainId')).totals.requests).toBe(10)
    const byHour = await keys(`?granularity=hour&keyId=${wallet.id}`)
    expect(byHour.items.map(({ bucket, requests }) => [bucket, requests])).toEqual([
      [new Date(hour - 3 * dayMs).toISOString(), 1_000],
      [new Date(hour - hourMs).toISOString(), 10],
      [new Date(hour).toISOString(), 100],
    ])
    const byDay = await keys('?granularity=day')
    expect(byDay.items.every(({ bucket }) => bucket?.endsWith('T00:00:00.000Z'))).toBe(true)
    expect(byDay.items.reduce((sum, { requests }) => sum + requests, 0)).toBe(1_130)
  })

  test('by five minutes, by the days of a time zone, and by what became of calls', async () => {
    const fine = await keys(`?granularity=5m&keyId=${wallet.id}`)
    expect(fine.items.map(({ bucket, requests }) => [bucket, requests])).toEqual([
      [new Date(hour - hourMs).toISOString(), 10],
      [new Date(hour).toISOString(), 100],
    ])
    const days = await keys('?granularity=day&timeZone=Asia/Kolkata')
    expect(days.items.every(({ bucket }) => bucket?.endsWith('T18:30:00.000Z'))).toBe(true)
    expect(days.items.reduce((sum, { requests }) => sum + requests, 0)).toBe(1_130)
    const classes = ClassStatisticsAnswer.parse(await (await ask('classes?granularity=day')).json())
    expect(classes.totals).toMatchObject({ answered: 1_017, cached: 0, underWay: 0 })
    expect(classes.items.reduce((sum, { answered }) => sum + answered, 0)).toBe(1_017)
    const attempts = UpstreamStatisticsAnswer.parse(await (await ask('upstreams')).json())
    expect(attempts.items).toEqual([])
    const csv = await (await ask('classes', apiKey, { accept: 'text/csv' })).text()
    expect(csv).toBe('bucket,answered,cached,nodeErrors,unanswered,rateLimited,creditLimited,underWay\r\n')
  })

  test.each(['keys', 'methods'])('pages of %s together are the whole, each item once', async (path) => {
    for (const granularity of ['total', 'hour', 'day']) {
      const read = async (question: string) => (await (await ask(`${path}?granularity=${granularity}&${question}`)).json()) as KeyStatisticsAnswer // prettier-ignore
      const whole = await read('limit=1000')
      const paged: unknown[] = []
      let page = await read('limit=1')
      while (page.nextCursor !== null) {
        paged.push(...page.items)
        page = await read(`limit=1&cursor=${page.nextCursor}`)
      }
      expect([...paged, ...page.items]).toEqual(whole.items)
      expect(page.totals).toEqual(whole.totals)
    }
  })
})

describe('what is refused', () => {
  const limitText = 'query parameter limit: expected a whole number from 1 to 1000'
  test("another account's key is not found, and nothing of it is counted", async () => {
    covers('statistics-own-keys-only')
    expect(await refusal(`keys?keyId=${strangers.id}`)).toEqual([404, 'not_found', 'There is no query key of this id']) // prettier-ignore
    expect(await refusal('methods?keyId=key_none')).toEqual([404, 'not_found', 'There is no query key of this id']) // prettier-ignore
    expect(JSON.stringify([await keys(), await methods()])).not.toMatch(/secret_method|not yours/)
    expect((await methods('?method=secret_method')).items).toEqual([])
    const theirs = await ask('methods', await makeApiKey(stranger, ['statistics_read']))
    expect(requestsBy(((await theirs.json()) as MethodStatisticsAnswer).items)).toEqual([
      ['secret_method', 7],
    ])
    expect((await ask('keys', await makeApiKey(owner, ['token_create']))).status).toBe(403)
  })

  test.each([
    ['from=yesterday', 'query parameter from: expected an RFC 3339 instant from 1970 to 9999 such as 2026-01-31T12:00:00Z, or Unix seconds'],
    ['from=2026-02-30', 'query parameter from: expected an RFC 3339 instant from 1970 to 9999 such as 2026-01-31T12:00:00Z, or Unix seconds'],
    ['from=2000-01-01T00:00:00Z', 'query parameter from: expected at most 366 days before to'],
    ['from=1767225600&to=1767225600', 'query parameter to: expected an instant later than from'],
    ['granularity=week', 'query parameter granularity: expected one of "total", "5m", "hour", "day"'],
    ['timeZone=Mars/Olympus', 'query parameter timeZone: expected the IANA name of a time zone, such as Europe/Berlin'],
    [`granularity=5m&from=${(hour - 3 * dayMs) / 1_000}`, 'query parameter from: expected an instant within the last 48 hours, by five minutes'],
    [`timeZone=Asia/Kolkata&from=${(hour - 95 * dayMs) / 1_000}`, 'query parameter from: expected an instant within the last 90 days, in a time zone'],
    ['limit=0', limitText],
    ['limit=many', limitText],
    ['limit=1001', limitText],
    ['cursor=abc', 'query parameter cursor: expected nextCursor of an answer to the same question'],
    [`granularity=hour&from=${(hour - 40 * dayMs) / 1_000}`, 'query parameter from: expected at most 31 days before to, by the hour'],
    ['month=1', 'query parameter: unknown field month'],
  ])('%s is a 422 that says what is allowed', async (question, message) => {
    expect(await refusal(`keys?${question}`)).toEqual([422, 'invalid_request', message])
  }) // prettier-ignore
})

const query = async <Answer>(client: SignedInClient, name: string, input?: object): Promise<Answer> => {
  const question = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  const { status, data } = await client.query(`usage.${name}${question}`)
  expect(status).toBe(200)
  return data as Answer
}

describe('in the console', () => {
  test('tables, charts and the traffic of the last day say the same', async () => {
    const table = await query<UsageTable<KeyUsage>>(owner, 'keys', {})
    expect(table.rows.map(({ name, requests }) => [name, requests])).toEqual([['wallet', 1_110], ['backend', 20]]) // prettier-ignore
    expect(table.totals.requests).toBe(1_130)
    const series = await query<UsageSeries>(owner, 'series', { by: 'key', granularity: 'day', top: 1 })
    expect(series.bands.map(({ label, requests }) => [label, requests.reduce((a, b) => a + b)])).toEqual([
      ['wallet', 1_110],
      ['Other', 20],
    ])
    expect(series.bands.every(({ requests }) => requests.length === series.buckets.length)).toBe(true)
    const traffic = await query<Traffic>(owner, 'traffic')
    expect(traffic.hours).toHaveLength(24)
    expect(traffic.hours.slice(-2).map(({ requests }) => requests)).toEqual([10, 100])
    expect(traffic.totals.requests).toBe(110)
    const all = (await server.operator.usage.installationTraffic.query()).totals.requests
    expect(all).toBe(117)
    expect((await owner.query('usage.installationTraffic')).status).toBe(403)
  })

  test('a deleted key keeps its statistics', async () => {
    expect((await owner.mutate('queryKeys.delete', { id: backend.id })).status).toBe(200)
    expect((await keys(`?keyId=${backend.id}`)).items).toMatchObject([{ keyId: backend.id, requests: 20 }])
  })
})
