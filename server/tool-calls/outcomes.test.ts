import { afterAll, beforeAll, expect, test } from 'bun:test'

import { silentLog } from '../../scripts/world/database.ts'
import { type ToolCallOutcome, toolCallOutcomeNames } from '../../shared/tool-calls.ts'
import type { CallLink, ConnectionTarget, DownstreamService } from '../connections/connections.ts'
import {
  type ConnectionsUnderTest,
  link,
  nothingOffered,
  passedRequest,
  testAuthor,
  toConnection,
  toService,
} from '../connections/test-support/connections-under-test.ts'
import { sharedConnections } from '../connections/test-support/shared-connections.ts'
import { createMetrics } from '../platform/metrics.ts'
import { manualClock, removeFolder, temporaryFolder } from '../usage/test-support/usage-under-test.ts'
import { createUsage } from '../usage/usage.ts'
import { createToolCalls, type ToolCalls } from './tool-calls.ts'

/** Each outcome that the record knows, by a real call to a real tool server. */

const accountId = 'acc_caller'
const scope = { accountId, keyId: 'key_1', sessionId: 'session-1' }
const vaultKey = Buffer.alloc(32, 3)
const record: { calls?: ToolCalls } = {}
const folder = temporaryFolder()
const clock = manualClock()
const subject = sharedConnections({
  vaultKey,
  limits: { callMs: 300, bodyBytes: 64 << 10 },
  toolCalls: {
    admit(call) {
      if (call.tool === 'forbidden')
        return { admitted: false, rule: 'deny', message: 'a rule forbids it', retryAfterSec: null }
      record.calls?.begin(call, 0)
      return { admitted: true, credits: 0 }
    },
    finished: (call, outcome) => record.calls?.finished(call, outcome),
  },
})

/** What the tool server answers to calls of these tools, whatever it would have said. */
const answers: Readonly<Record<string, () => Response>> = {
  page: () => new Response('<h1>no MCP</h1>', { headers: { 'content-type': 'text/html' } }),
  long: () => Response.json({ jsonrpc: '2.0', id: 1, result: { text: 'a'.repeat(128 << 10) } }),
  short: () => new Response('', { headers: { 'content-type': 'text/event-stream' } }),
}
let url = ''
let counted: ReturnType<typeof createUsage>

beforeAll(async () => {
  const core = { database: subject.database, clock, log: silentLog, metrics: createMetrics() }
  counted = createUsage({ ...core, tables: 'tool_usage', folder, keysOf: async () => [] })
  record.calls = createToolCalls({
    ...core,
    now: clock.now,
    counted,
    namesOf: async () => new Map(),
    written: () => undefined,
  })
  const tools = await subject.startServer()
  const front = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = request.method === 'POST' ? await request.text() : ''
      if (request.headers.get('authorization') === 'Bearer wrong') return new Response(null, { status: 401 })
      const called = body.includes('"tools/call"') ? /"name":"(\w+)"/.exec(body)?.[1] : undefined
      const special = called === undefined ? undefined : answers[called]
      if (special !== undefined) return special()
      const { method, headers, signal } = request
      return fetch(tools.url, { method, headers, signal, ...(body !== '' && { body }) })
    },
  })
  subject.opened({ stop: () => front.stop(true) })
  url = `http://127.0.0.1:${front.port}/mcp`
})
afterAll(async () => {
  await counted?.stop()
  removeFolder(folder)
})

const put = (slug: string, more: Partial<DownstreamService> = {}, at = subject): DownstreamService =>
  at.registry.put({ serviceId: `mcpservers:${slug}`, url, ...more })

async function saved(service: DownstreamService, secret: string | null): Promise<ConnectionTarget> {
  const form = { service, secret, headerName: null, label: null }
  return toConnection((await subject.connections.create(testAuthor(accountId), form)).id)
}

const call = (
  target: ConnectionTarget,
  name: string,
  parts: Partial<CallLink> = {},
  { connections }: Pick<ConnectionsUnderTest, 'connections'> = subject,
) => connections.callTool(scope, target, { name, arguments: { message: 'hi' } }, nothingOffered, link(parts))

/** One way to each outcome. */
const ways: Readonly<Record<ToolCallOutcome, (service: DownstreamService) => Promise<unknown>>> = {
  ok: (service) => call(toService(service), 'echo'),
  input_required: (service) =>
    call(toService(service), 'ask', { clientCapabilities: { elicitation: { form: {} } } }),
  tool_error: (service) => call(toService(service), 'fail'),
  refused: (service) => call(toService(service), 'nothing'),
  denied: (service) => call(toService(service), 'forbidden'),
  async unanswered(service) {
    const target = await saved(service, 'good')
    const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'short', arguments: {} } }
    const request = new Request('http://gate.example/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(message),
    })
    const id = target.kind === 'connection' ? target.connectionId : ''
    const answer = await subject.connections.passThrough(
      scope,
      id,
      nothingOffered,
      await passedRequest(request),
    )
    await answer.text()
  },
  /** Its secret cannot be opened: the master key is another one than when it was saved. */
  async failed(service) {
    const target = await saved(service, 'good')
    const other = subject.opened(subject.another({ vaultKey: Buffer.alloc(32, 4) }))
    put('failed', { authType: 'api_key' }, { ...subject, registry: other.registry })
    await call(target, 'echo', {}, other).catch(() => undefined)
  },
  async service_gone(service) {
    const target = await saved(service, 'good')
    subject.registry.remove(service.serviceId)
    await call(target, 'echo')
  },
  async origin_changed(service) {
    const target = await saved(service, 'good')
    put('origin_changed', { authType: 'api_key', url: 'http://127.0.0.1:9/mcp' })
    await call(target, 'echo')
  },
  async auth_required(service) {
    await call(toService(service), 'echo')
    await call(await saved(service, 'wrong'), 'echo')
  },
  consent_needed: async (service) => call(await saved(service, null), 'echo'),
  unreachable: () => call(toService(put('unreachable', { url: 'http://127.0.0.1:1/mcp' })), 'echo'),
  timed_out: (service) => call(toService(service), 'hang'),
  too_large: (service) => call(toService(service), 'long'),
  protocol_error: (service) => call(toService(service), 'page'),
  async busy() {
    const away = toService(put('busy', { url: 'http://127.0.0.1:2/mcp' }))
    for (let tries = 0; tries < 5; tries++) await call(away, 'echo')
    // The reason is its failures, not that too much is under way.
    expect(await call(away, 'echo')).toMatchObject({ outcome: 'busy', isFailing: true })
  },
  async cancelled(service) {
    const abort = new AbortController()
    const hanging = call(toService(service), 'hang', { signal: abort.signal })
    setTimeout(() => abort.abort(), 50)
    await hanging
  },
}

const wantsCredentials: ReadonlySet<string> = new Set([
  'unanswered',
  'failed',
  'service_gone',
  'origin_changed',
  'auth_required',
])

test.each(toolCallOutcomeNames)('%s is recorded, and counted in its group', async (outcome) => {
  const authType = outcome === 'consent_needed' ? 'oauth' : wantsCredentials.has(outcome) ? 'api_key' : 'none'
  await ways[outcome](put(outcome, { authType }))
  const server = `mcpservers:${outcome}`
  const { calls } = (await record.calls?.list(accountId, { server })) ?? { calls: [] }
  const seen = calls.map((entry) => entry.outcome)
  expect(seen).toContain(outcome)
  expect(seen.filter((name) => name !== outcome && name !== 'unreachable')).toEqual([])
  expect(calls[0]).toMatchObject({
    accountId,
    keyId: 'key_1',
    server,
    serverName: 'Fixture',
    chain: 'ethereum',
  })
  const { totals } = (await record.calls?.statistics.table(accountId, { by: 'server', server })) ?? {}
  expect(totals).toMatchObject({ calls: seen.length, underWay: 0 })
})
