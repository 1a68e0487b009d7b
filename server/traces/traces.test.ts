import { expect, test } from 'bun:test'

import type { RequestEntry } from '../../shared/request-log.ts'
import { silentLog } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { systemClock } from '../platform/clock.ts'
import { createEgress } from '../platform/egress.ts'
import { createMetrics } from '../platform/metrics.ts'
import { exportRequest } from './export-request.ts'
import { spanOfToolCall, spansOfRequest } from './spans.ts'
import { createTraces } from './traces.ts'

const at = 1_790_000_000_000
const requestId = '0af76519-16cd-43dd-8448-eb211c80319c'

const request = (changes: Partial<RequestEntry> = {}): RequestEntry => ({
  id: 'run-1',
  at,
  keyId: 'key-1',
  endpoint: 'mainnet',
  method: 'eth_call',
  calls: 1,
  class: 'answer',
  status: 200,
  ms: 30.25,
  attempts: [
    { upstream: 'upstream-1', class: 'node-failure', ms: 10, from: 1 },
    { upstream: 'upstream-2', class: 'answer', ms: 15.25, from: 12 },
  ],
  bytesIn: 80,
  bytesOut: 120,
  credits: 20,
  requestId,
  weight: 1,
  ...changes,
})

const process = { serviceName: 'gatehouse', version: '1.2.3', nodeId: 'node-1' }

test('a request is a span with one for each attempt, in the trace that its id names', () => {
  const [whole, first, second] = spansOfRequest(request())
  expect(whole).toMatchObject({
    traceId: requestId.replaceAll('-', ''),
    parentSpanId: null,
    name: 'eth_call',
    kind: 'server',
    from: at - 30.25,
    to: at,
    isError: false,
  })
  expect(first).toMatchObject({
    parentSpanId: whole?.spanId,
    name: 'upstream-1',
    from: at - 29.25,
    isError: true,
  })
  expect(second).toMatchObject({
    traceId: whole?.traceId,
    kind: 'client',
    to: at - 30.25 + 12 + 15.25,
    isError: false,
  })
  expect(new Set([whole, first, second].map((span) => span?.spanId)).size).toBe(3)
})

test.each([
  [
    'of a proxy before us',
    '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331',
    '0af7651916cd43dd8448eb211c80319c',
    'b7ad6b7169203331',
  ],
  ['of a proxy with ids of its own', 'edge:2026-000017', '8e8c3eca4b8f8a1d7c9a0d5f1b6a2c3d', null],
  ['of nobody', '00000000-0000-0000-0000-000000000000', null, null],
])('the id %s is a valid trace', (_, id, traceId, parentSpanId) => {
  const [span] = spansOfRequest(request({ requestId: id }))
  const [same] = spansOfRequest(request({ requestId: id }))
  expect(span?.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
  expect(span?.traceId).toBe(same?.traceId ?? '')
  if (parentSpanId !== null) expect(span).toMatchObject({ traceId, parentSpanId })
})

test('spans are written as receivers of OTLP read them', () => {
  const [span] = spansOfRequest(request({ class: 'no-answer', status: 502, attempts: [], credits: 0.5 }))
  const written = span === undefined ? null : exportRequest([span], process)
  expect(written).toEqual({
    resourceSpans: [
      {
        resource: {
          attributes: [
            { key: 'service.name', value: { stringValue: 'gatehouse' } },
            { key: 'service.version', value: { stringValue: '1.2.3' } },
            { key: 'service.instance.id', value: { stringValue: 'node-1' } },
          ],
        },
        scopeSpans: [
          {
            scope: { name: 'gatehouse', version: '1.2.3' },
            spans: [
              expect.objectContaining({
                kind: 2,
                startTimeUnixNano: '1789999999969750000',
                endTimeUnixNano: '1790000000000000000',
                status: { code: 2 },
              }),
            ],
          },
        ],
      },
    ],
  })
  const attributes = written?.resourceSpans[0]?.scopeSpans[0]?.spans[0]?.attributes
  expect(attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 502 } })
  expect(attributes).toContainEqual({ key: 'gatehouse.credits', value: { doubleValue: 0.5 } })
})

test('a tool call is a span, and one that failed is an error', () => {
  const call = {
    id: 'call-1',
    at,
    accountId: 'acc',
    keyId: 'key-1',
    session: '',
    server: 'mcpservers:one',
    serverName: 'One',
    chain: 'base',
    connectionId: 'public::base::mcpservers:one',
    tool: 'echo',
    door: 'execute',
    outcome: 'timed_out',
    deniedBy: null,
    ms: 5,
    bytesSent: 1,
    bytesReceived: 0,
    credits: 0,
    weight: 10,
  } as const
  expect(spanOfToolCall(call)).toMatchObject({ name: 'tools/call echo', from: at - 5, to: at, isError: true })
})

test('a collector that takes connections and never answers does not hold up the end', async () => {
  const silent = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Promise<Response>(() => undefined),
  })
  const egress = createEgress({ clock: systemClock, allowPrivate: ['127.0.0.0/8'], schemes: ['http'] })
  const traces = createTraces({
    endpoint: `http://127.0.0.1:${silent.port}`,
    headers: {},
    process,
    egress,
    clock: systemClock,
    log: silentLog,
    metrics: createMetrics(),
  })
  traces.start()
  traces.requests([request()])
  const startedAt = performance.now()
  await traces.stop()
  expect(performance.now() - startedAt).toBeLessThan(6_000)
  egress.close()
  await silent.stop(true)
})

/** A collector that answers as it is told. */
function collector() {
  const seen: { spans: number; authorization: string | null }[] = []
  const answers = { status: 200 }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(asked) {
      const { resourceSpans } = JSON.parse(await asked.text())
      seen.push({
        spans: resourceSpans[0].scopeSpans[0].spans.length,
        authorization: asked.headers.get('authorization'),
      })
      return Response.json({}, { status: answers.status })
    },
  })
  return { seen, answers, url: `http://127.0.0.1:${server.port}/`, stop: () => server.stop(true) }
}

async function withTraces(
  work: (given: {
    traces: ReturnType<typeof createTraces>
    receiver: ReturnType<typeof collector>
    shown: () => Promise<string>
  }) => Promise<void>,
): Promise<void> {
  const receiver = collector()
  const metrics = createMetrics()
  const egress = createEgress({ clock: systemClock, allowPrivate: ['127.0.0.0/8'], schemes: ['http'] })
  const traces = createTraces({
    endpoint: receiver.url,
    headers: { authorization: 'Bearer token' },
    process,
    egress,
    clock: systemClock,
    log: silentLog,
    metrics,
  })
  try {
    await work({ traces, receiver, shown: metrics.render })
  } finally {
    egress.close()
    receiver.stop()
  }
}

test('what a collector cannot take now waits for it, and goes in parts', () =>
  withTraces(async ({ traces, receiver, shown }) => {
    receiver.answers.status = 503
    traces.requests(Array.from({ length: 400 }, () => request()))
    await traces.stop()
    expect(receiver.seen).toEqual([{ spans: 512, authorization: 'Bearer token' }])
    receiver.answers.status = 200
    await traces.stop()
    expect(receiver.seen.slice(1).map(({ spans }) => spans)).toEqual([512, 512, 176])
    expect(await shown()).toContain('gatehouse_trace_spans_sent_total 1200')
  }))

test('what it refuses, and what is too much to hold, is dropped and counted', () =>
  withTraces(async ({ traces, receiver, shown }) => {
    receiver.answers.status = 400
    traces.requests([request({ attempts: [] })])
    await traces.stop()
    await traces.stop()
    expect(receiver.seen).toHaveLength(1)
    traces.requests(Array.from({ length: 9_000 }, () => request({ attempts: [] })))
    expect(await shown()).toContain(`gatehouse_trace_spans_dropped_total ${1 + 9_000 - 8_192}`)
  }))

test('they go by themselves', () =>
  withTraces(async ({ traces, receiver }) => {
    traces.start()
    traces.requests([request()])
    await waitUntil('the collector has them', () => receiver.seen.length === 1)
    await traces.stop()
  }))
