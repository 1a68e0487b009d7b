import { expect, onTestFinished, test } from 'bun:test'

import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import { createEgress, EgressError, type EgressErrorCode, type EgressRequest } from '../../platform/egress.ts'
import { probeTargetOf } from '../../../tests/support/probing.ts'
import { type ProbeRunnerOptions, createProbeRunner } from './run.ts'

/** A network in which time passes only when the test says so. */
function createNetwork(answer: (request: EgressRequest, nth: number) => { body: unknown; tookMs: number }) {
  let now = 1000
  const requests: EgressRequest[] = []
  const egress: ProbeRunnerOptions['egress'] = {
    resolve: () => Promise.resolve({ addresses: ['127.0.0.1'], port: 80, tls: null }),
    async request(request) {
      requests.push(request)
      const { body, tookMs } = answer(request, requests.length)
      now += tookMs
      if (body instanceof Error) throw body
      const text = JSON.stringify(body)
      return { status: 200, headers: new Headers(), text, bytes: text.length, certificateExpiresAt: null }
    },
    greet: () => Promise.reject(new EgressError('CONNECT')),
    close() {},
  }
  return { runner: createProbeRunner({ egress, monotonic: () => now }), requests }
}

const expected: Record<Exclude<EgressErrorCode, 'ABORTED'>, ProbeError> = {
  ADDRESS: 'BLOCKED_ADDRESS',
  SCHEME: 'BLOCKED_ADDRESS',
  USERINFO: 'BLOCKED_ADDRESS',
  PORT: 'BLOCKED_ADDRESS',
  URL: 'BLOCKED_ADDRESS',
  DNS: 'DNS',
  DNS_TIMEOUT: 'DNS',
  CONNECT: 'CONNECT',
  TLS: 'TLS',
  TIMEOUT: 'TIMEOUT',
  TOO_LARGE: 'TOO_LARGE',
  REDIRECT: 'HTTP_4XX',
  PROTOCOL: 'NOT_JSON',
}

test.each(Object.entries(expected))('%s of the guarded fetch is %s', async (code, error) => {
  const { runner } = createNetwork(() => ({ body: new EgressError(code as EgressErrorCode), tookMs: 5 }))
  expect(await runner.probeHead(probeTargetOf('near', 'http://node'), null)).toEqual({
    ok: false,
    error,
    rttMs: 0,
    ...(error === 'TLS' && { facts: { certificateProblem: 'UNTRUSTED' } }),
  })
  expect(await runner.probeGenesis(probeTargetOf('near', 'http://node'))).toBeNull()
})

test('an answer that is too large for the many is asked for again, and may be larger then', async () => {
  const asked: number[] = []
  const { runner } = createNetwork(({ maxBytes }) => {
    asked.push(maxBytes)
    const body =
      maxBytes > 2 << 20 ? { jsonrpc: '2.0', id: 1, result: 'large' } : new EgressError('TOO_LARGE')
    return { body, tookMs: 5 }
  })
  expect(await runner.probeHead(probeTargetOf('near', 'http://node'), null)).toMatchObject({
    error: 'RPC_ERROR',
  })
  expect(asked).toEqual([2 << 20, 16 << 20])
})

test('what is not the fault of the service is no finding', async () => {
  const aborted = new EgressError('ABORTED')
  const mistake = new TypeError('Header has invalid value')
  for (const failure of [aborted, mistake]) {
    const { runner } = createNetwork(() => ({ body: failure, tookMs: 0 }))
    await expect(runner.probeHead(probeTargetOf('near', 'http://node'), null)).rejects.toBe(failure)
    await expect(runner.probeCheckpoint(probeTargetOf('near', 'http://node'), 1)).rejects.toBe(failure)
  }
})

const epoch = { id: 1, result: { absoluteSlot: 5 } }
const blockTime = { id: 1, result: 7 }

test('the round trip is that of the last exchange, in whole milliseconds', async () => {
  const { runner } = createNetwork((_, nth) =>
    nth === 1 ? { body: epoch, tookMs: 400 } : { body: blockTime, tookMs: 20.6 },
  )
  expect(await runner.probeHead(probeTargetOf('solana', 'http://node'), null)).toMatchObject({
    ok: true,
    rttMs: 21,
  })
})

/** A runner over the real guarded fetch, whose clock moves only while names are looked up. */
function slowResolver(lookUpMs: number) {
  const clock = { at: 1000, now: () => clock.at, monotonic: () => clock.at }
  const egress = createEgress({
    clock,
    schemes: ['http'],
    allowPrivate: ['127.0.0.0/8'],
    async resolve() {
      clock.at += lookUpMs
      return ['127.0.0.1']
    },
  })
  onTestFinished(egress.close)
  return createProbeRunner({ egress, monotonic: clock.monotonic })
}

test('the look-up of the name is no part of the round trip, but of the deadline', async () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('well') })
  onTestFinished(() => server.stop(true))
  const target = probeTargetOf('http', `http://node.test:${server.port}/`)
  expect(await slowResolver(700).probeHead(target, null)).toEqual({
    ok: true,
    head: null,
    error: null,
    rttMs: 0,
  })
  expect(await slowResolver(5000).probeHead(target, null)).toMatchObject({ error: 'TIMEOUT', rttMs: 0 })
})

test('all exchanges of an attempt share one deadline, and the body is capped', async () => {
  const { runner, requests } = createNetwork((_, nth) =>
    nth === 1 ? { body: epoch, tookMs: 4000 } : { body: blockTime, tookMs: 1 },
  )
  await runner.probeHead(probeTargetOf('solana', 'http://node'), null)
  expect(requests.map(({ timeoutMs }) => timeoutMs)).toEqual([5000, 1000])
  expect(requests.map(({ maxBytes }) => maxBytes)).toEqual([2 << 20, 2 << 20])
})

test('no exchange begins after the deadline', async () => {
  const { runner, requests } = createNetwork(() => ({ body: epoch, tookMs: 5000 }))
  expect(await runner.probeHead(probeTargetOf('solana', 'http://node'), null)).toMatchObject({
    ok: false,
    error: 'TIMEOUT',
  })
  expect(requests).toHaveLength(1)
})

test('families without hashes are not asked for any', async () => {
  const { runner, requests } = createNetwork(() => ({ body: {}, tookMs: 0 }))
  expect(await runner.probeCheckpoint(probeTargetOf('subgraph', 'http://node'), 1)).toBeNull()
  expect(await runner.probeGenesis(probeTargetOf('cosmos', 'http://node'))).toBeNull()
  expect(requests).toHaveLength(0)
})
