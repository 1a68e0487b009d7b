import { expect, test } from 'bun:test'

import { decisions } from '../../shared/health.ts'
import { type ServiceSample, medianResponse, renderServiceMetrics } from './service-metrics.ts'
import { nextTurn } from '../platform/turns.ts'

const sampleOf = (over: Partial<ServiceSample> = {}): ServiceSample => ({
  service: { id: 'node-a', chain: 'ethereum', provider: 'Acme' },
  decision: 'UP',
  lagBlocks: 2,
  lagSec: 24,
  liveVerifiers: 3,
  changedAt: 1_700_000_000,
  responseMs: 125,
  certificateExpiresAt: 1_800_000_000,
  ...over,
})

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return new TextDecoder().decode(Buffer.concat(all))
}

const render = (...samples: ServiceSample[]): Promise<string> =>
  textOf(renderServiceMetrics(samples, (sample) => sample, performance.now))

const labels = '{service="node-a",chain="ethereum",provider="Acme"}'

test('each service has seven series, with a help text and a type once for each metric', async () => {
  const text = await render(sampleOf(), sampleOf({ service: { id: 'b', chain: null, provider: 'B' } }))
  expect(text.split('\n').filter((line) => line.startsWith('# HELP'))).toHaveLength(7)
  expect(text).toContain('# HELP gatehouse_service_decision Published decision of a service: 0 UNKNOWN, 1 UP, 2 DOWN, 3 LATENCY\n# TYPE gatehouse_service_decision gauge\n') // prettier-ignore
  expect(text.split('\n').filter((line) => line.includes(labels))).toEqual([
    `gatehouse_service_decision${labels} 1`,
    `gatehouse_service_lag_blocks${labels} 2`,
    `gatehouse_service_lag_seconds${labels} 24`,
    `gatehouse_service_live_verifiers${labels} 3`,
    `gatehouse_service_last_change_timestamp_seconds${labels} 1700000000`,
    `gatehouse_service_response_seconds${labels} 0.125`,
    `gatehouse_service_certificate_expiry_timestamp_seconds${labels} 1800000000`,
  ])
  expect(text).toContain('gatehouse_service_decision{service="b",chain="",provider="B"} 1\n')
  expect(text.endsWith('\n')).toBeTrue()
})

test('every decision has its number', async () => {
  const numbers = await Promise.all(
    decisions.map(async (decision) => {
      const [, number] =
        /^gatehouse_service_decision\S+ (\d)$/m.exec(await render(sampleOf({ decision }))) ?? []
      return [decision, number]
    }),
  )
  expect(numbers).toEqual([
    ['UNKNOWN', '0'],
    ['UP', '1'],
    ['DOWN', '2'],
    ['LATENCY', '3'],
  ])
})

test('what is not known is not there, and not 0', async () => {
  const unknown = {
    decision: 'UNKNOWN',
    lagBlocks: null,
    lagSec: null,
    changedAt: null,
    responseMs: null,
    certificateExpiresAt: null,
  } as const
  const text = await render(sampleOf({ ...unknown, liveVerifiers: 0 }))
  expect(text.split('\n').filter((line) => line.includes(labels))).toEqual([
    `gatehouse_service_decision${labels} 0`,
    `gatehouse_service_live_verifiers${labels} 0`,
  ])
})

test('a hostile name stays within its label', async () => {
  const provider = 'a"} 1\ngatehouse_forged{x="\\"\\\0é\u{1F600}'
  const text = await render(sampleOf({ service: { id: 'node-a', chain: null, provider } }))
  expect(text.split('\n').filter((line) => line.startsWith('gatehouse_forged'))).toEqual([])
  expect(text).toContain(
    String.raw`provider="a\"} 1\ngatehouse_forged{x=\"\\\"\\` + '\u{FFFD}é\u{1F600}"} 1\n',
  )
  expect(text).not.toContain('\0')
})

test('the response time is the lower median of the answers, without failures', () => {
  const report = { verifierId: 'v', at: 0, ok: true, error: null, lagBlocks: 0, lagSec: 0, rttMs: 0 }
  const answers = [400, 5, 90, 100].map((rttMs) => ({ ...report, rttMs }))
  expect(medianResponse(answers)).toBe(90)
  expect(medianResponse([...answers, { ...report, ok: false, error: 'TIMEOUT' as const, rttMs: 1 }])).toBe(90)
  expect(medianResponse([])).toBeNull()
})

test('other work runs while 10,000 services are rendered', async () => {
  const services = Array.from({ length: 10_000 }, (_, index) =>
    sampleOf({ service: { id: `service-${index}`, chain: 'ethereum', provider: `Provider ${index}` } }),
  )
  let now = 0
  let turns = 0
  const state = { isDone: false }
  // A clock that ticks at each reading makes the number of slices the same on any machine.
  const rendering = textOf(
    renderServiceMetrics(
      services,
      (sample) => sample,
      () => (now += 0.1),
    ),
  ).finally(() => {
    state.isDone = true
  })
  while (!state.isDone) {
    await nextTurn()
    turns++
  }
  expect(turns).toBeGreaterThan(1_000)
  const lines = (await rendering).trimEnd().split('\n')
  expect(lines.filter((line) => !line.startsWith('#'))).toHaveLength(70_000)
  expect(new Set(lines).size).toBe(lines.length)
})
