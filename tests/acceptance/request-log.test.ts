import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import type { MadeQueryKey } from '../../scripts/world/made-query-keys.ts'
import { answerTo, startRawUpstream } from '../../scripts/world/raw-upstream.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { QueryKeyResource } from '../../shared/query-key-resources.ts'
import type { LiveRequests, RequestPage } from '../../shared/request-log.ts'
import { commandLineOf } from '../support/command-line.ts'
import { consoleClient } from '../support/console-client.ts'
import type { ConsoleClient } from '../support/console-client.ts'

/**
 * The request log of a running server: what owners, operators and the command line see of calls that a bad node failed
 * and a good one answered, live and after kill -9.
 */

const bad = startRawUpstream((request) =>
  request.write(answerTo(request, '"error":{"code":-32000,"message":"invalid api key"}')),
)
const good = startRawUpstream((request) => request.write(answerTo(request, '"result":"0x5ec2e7a45"')))

interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
}

/** A collector of traces. */
const spans: ReceivedSpan[] = []
const collector = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    if (new URL(request.url).pathname !== '/v1/traces') return new Response(null, { status: 404 })
    const { resourceSpans } = JSON.parse(await request.text())
    spans.push(...resourceSpans[0].scopeSpans[0].spans)
    return Response.json({})
  },
})

const wallet = createTestWallet()
const environment = {
  GATEHOUSE_OPERATORS: wallet.address,
  GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
}
let installation: TestInstallation
let server: GatehouseProcess
let operator: SignedInClient
let owner: SignedInClient
let key: MadeQueryKey
let requests: ConsoleClient['requests']

const endpoint = (name: string, ...urls: string[]) => ({
  name,
  chain: 'testnet',
  upstreams: urls.map((url) => ({ url })),
})

beforeAll(async () => {
  installation = await createTestInstallation({
    verifiers: { builtIn: false },
    chains: { testnet: { family: 'evm', chainId: 31_337, blockMs: 1_000 } },
    endpoints: [endpoint('mixed', bad.url, good.url), endpoint('broken', bad.url)],
    creditPrices: { eth_call: 26 },
  })
  server = await installation.start(environment)
  operator = await signInAt(server.url, wallet)
  owner = await signInAt(server.url)
  const made = await makeQueryKeys(owner, server.url, [{ name: 'app', endpoint: 'mixed' }])
  const [first] = made
  if (first === undefined) throw new Error('no key')
  key = first
  requests = consoleClient(owner).requests
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  await collector.stop(true)
  bad.stop()
  good.stop()
})

const post = (value: string, params: unknown[], at = 'mixed', headers = {}) =>
  fetch(`${server.url}/rpc/${at}/${value}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params }),
  })

/** Calls until the bad node was asked first. */
async function callThroughBoth(): Promise<string> {
  const before = bad.requests.length
  for (let call = 0; call < 200; call++) {
    const response = await post(key.key, [`0x5ec4e7${call}`])
    expect(response.status).toBe(200)
    if (bad.requests.length > before) return response.headers.get('x-request-id') ?? ''
  }
  throw new Error('the bad node was never asked')
}

test('a collector is sent the trace of a call, which is that of the proxy before us', async () => {
  const requestId = await callThroughBoth()
  const traceId = requestId.replaceAll('-', '')
  const ofTrace = () => spans.filter((span) => span.traceId === traceId)
  await waitUntil('the trace is there', () => ofTrace().length > 0)
  const [whole, ...attempts] = ofTrace()
  expect(whole).toMatchObject({ name: 'eth_call' })
  expect(attempts.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
    ['upstream-1', whole?.spanId],
    ['upstream-2', whole?.spanId],
  ])
  const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  await post(key.key, [], 'mixed', { traceparent: `00-${trace}-${parent}-01` })
  await waitUntil('the trace goes on', () => spans.some((span) => span.traceId === trace))
  expect(spans.find((span) => span.traceId === trace)).toMatchObject({
    parentSpanId: parent,
    name: 'eth_call',
  })
})

test('a call that one node failed and the other answered: both attempts, charged once, no parameter', async () => {
  const requestId = await callThroughBoth()
  const page: RequestPage = await requests.list.query({ requestId })
  expect(page.requests).toMatchObject([
    {
      keyId: key.id,
      keyName: 'app',
      endpoint: 'mixed',
      method: 'eth_call',
      class: 'answer',
      status: 200,
      credits: 26,
      attempts: [
        { upstream: 'upstream-1', class: 'node-failure' },
        { upstream: 'upstream-2', class: 'answer' },
      ],
    },
  ])
  const everything = JSON.stringify(await requests.list.query({}))
  for (const secret of ['5ec4e7', '5ec2e7', key.key]) expect(everything).not.toContain(secret)
})

async function keptParams(): Promise<unknown[]> {
  const { requests: shown } = await requests.list.query({ method: 'eth_call' })
  return shown.flatMap((each) => ('params' in each ? [each.params] : []))
}

test('the owner has the parameters of one key kept, for an hour, also over kill -9', async () => {
  const [other] = await makeQueryKeys(owner, server.url, [{ name: 'other', endpoint: 'mixed' }])
  const reader = await owner.mutate('apiKeys.create', { name: 'admin', permissions: ['token_create'] })
  const change = async (debug: boolean) => {
    const response = await fetch(`${server.url}/account/query-keys/${key.id}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${(reader.data as { value: string }).value}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ debug }),
    })
    return ((await response.json()) as QueryKeyResource).debugEndsAt
  }
  const endsIn = Date.parse((await change(true)) ?? '') - Date.now()
  expect(Math.abs(endsIn - 3_600_000)).toBeLessThan(30_000)
  await server.kill9()
  server = await installation.start(environment)
  await post(other?.key ?? '', ['0xdeb06'])
  await post(key.key, ['0xdeb06', { password: 'hunter' }])
  expect(await keptParams()).toEqual(['["0xdeb06",{"password":"[redacted]"}]'])
  expect(await change(false)).toBeNull()
  await post(key.key, ['0xdeb06'])
  expect(await keptParams()).toHaveLength(1)
  const entries = await consoleClient(operator).audit.list.query({})
  expect(JSON.stringify(entries)).toContain('debugEndsAt')
  await owner.mutate('queryKeys.delete', { id: other?.id })
}, 30_000)

test('who follows sees a call within a second', async () => {
  const seen = Promise.withResolvers<LiveRequests>()
  const opened = Promise.withResolvers<void>()
  const stream = requests.live.subscribe(
    { group: 'refused' },
    {
      onConnectionStateChange: ({ state }) => state === 'pending' && opened.resolve(),
      onData: ({ data }) => seen.resolve(data),
      onError: seen.reject,
    },
  )
  await opened.promise
  await fetch(`${server.url}/rpc/mixed/${key.key}`, { method: 'POST', body: 'no json' })
  expect(await seen.promise).toMatchObject({ requests: [{ class: 'invalid', status: 400, keyName: 'app' }] })
  stream.unsubscribe()
})

test('a failure is kept over kill -9, and told by the command line', async () => {
  const [broken] = await makeQueryKeys(owner, server.url, [{ name: 'broken app', endpoint: 'broken' }])
  const response = await post(broken?.key ?? '', [], 'broken')
  expect(response.status).toBe(502)
  expect((await requests.list.query({ group: 'failed' })).requests).toHaveLength(1)
  await server.kill9()
  server = await installation.start(environment)
  const { run, answerOf, refusalOf } = commandLineOf(installation.dataDir)
  const table = await run(['requests', '--outcome', 'failed'])
  expect(table.stdout).toMatch(/502 +eth_call +broken app +broken +no-answer .* upstream-1 node-failure/)
  const id = response.headers.get('x-request-id') ?? ''
  expect(await answerOf('requests', '--request', id)).toMatchObject({ requests: [{ status: 502 }] })
  expect((await run(['requests', '--method', 'eth_none'])).stdout).toBe('No request matches.\n')
  expect(await refusalOf('requests', '--outcome', 'odd')).toContain('--outcome: expected one of')
  expect(await refusalOf('requests', '--before', 'x')).toContain('nextCursor')
}, 30_000)

const seenBy = async (who: SignedInClient, query: { all?: boolean; account?: string } = {}) =>
  (await consoleClient(who).requests.list.query(query)).requests.length

test('owners see their own, operators those of all, and nobody those of a deleted key', async () => {
  const mine = await seenBy(owner)
  expect(mine).toBeGreaterThan(1)
  expect(await seenBy(operator)).toBe(0)
  expect(await seenBy(operator, { all: true })).toBe(mine)
  expect(await seenBy(operator, { account: owner.wallet.address })).toBe(mine)
  await expect(seenBy(owner, { all: true })).rejects.toMatchObject({ data: { fault: 'forbidden' } })
  await expect(seenBy(owner, { account: operator.wallet.address })).rejects.toMatchObject({
    data: { fault: 'forbidden' },
  })
  const { counts } = await requests.counts.query({ from: Date.now() - 60_000, group: 'failed' })
  expect(counts.reduce((sum, { failed }) => sum + failed, 0)).toBe(1)
  expect((await owner.mutate('queryKeys.delete', { id: key.id })).status).toBe(200)
  expect(await seenBy(owner)).toBe(1)
})
