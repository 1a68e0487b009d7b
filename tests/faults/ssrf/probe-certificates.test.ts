import { afterAll, expect, test } from 'bun:test'

import { systemClock } from '../../../server/platform/clock.ts'
import { createEgress } from '../../../server/platform/egress.ts'
import { dialWebSocket } from '../../../server/platform/http-client/web-socket-client.ts'
import { createProbeRunner } from '../../../server/verifier/probes/run.ts'
import { probeTargetOf } from '../../support/probing.ts'
import { createAuthority, selfSigned } from '../../../scripts/world/certificates.ts'

/** Endpoints with certificates of private authorities, good and bad, over real TLS. */

const egress = createEgress({
  clock: systemClock,
  schemes: ['http', 'https'],
  allowPrivate: ['127.0.0.0/8', '::1/128'],
  resolve: async () => ['127.0.0.1'],
})
const runner = createProbeRunner({ egress, monotonic: systemClock.monotonic })
const authority = createAuthority()
const other = createAuthority()
const serve = (tls: { key: string; cert: string }) =>
  Bun.serve({ hostname: '127.0.0.1', port: 0, tls, fetch: () => new Response('ok') })
const good = serve(authority.issue(['DNS:good.test']))
const alone = serve(selfSigned('good.test'))
const plain = Bun.serve({ hostname: '::1', port: 0, fetch: () => new Response('ok') })
const expired = serve(authority.issue(['DNS:good.test'], { expired: true }))
afterAll(async () => {
  egress.close()
  await Promise.all([good, expired, alone, plain].map((server) => server.stop(true)))
})

const probe = (port: number | undefined, ca?: string, host = 'good.test') =>
  runner.probeHead(probeTargetOf('http', `https://${host}:${port}/`, ca === undefined ? {} : { ca }), null)

test('a private authority is trusted where the service gives its certificate, and nowhere else', async () => {
  expect(await probe(good.port, authority.ca)).toMatchObject({ ok: true })
  expect(await probe(good.port, `${other.ca}\n${authority.ca}`)).toMatchObject({ ok: true })
  // Not even over the connection that is still open to the same address.
  expect(await probe(good.port)).toMatchObject({ ok: false, error: 'TLS' })
  expect(await probe(good.port, other.ca)).toMatchObject({ ok: false, error: 'TLS' })
  expect(await probe(good.port, authority.ca)).toMatchObject({ ok: true })
})

test('a good certificate tells when it ends', async () => {
  const { facts } = await probe(good.port, authority.ca)
  const days = ((facts?.certificateExpiresAt ?? 0) * 1000 - Date.now()) / 86_400_000
  expect(facts?.certificateProblem).toBeNull()
  expect(days).toBeGreaterThan(1.9)
  expect(days).toBeLessThan(2.1)
})

const refused = (certificateProblem: string) => ({ ok: false, error: 'TLS', facts: { certificateProblem } })

test('an expired certificate, one of another name and one that nobody signed are TLS, each with its reason', async () => {
  expect(await probe(expired.port, authority.ca)).toMatchObject(refused('EXPIRED'))
  expect(await probe(good.port, authority.ca, 'other.test')).toMatchObject(refused('WRONG_NAME'))
  expect(await probe(alone.port)).toMatchObject(refused('SELF_SIGNED'))
})

const overIpv6 = Bun.serve({
  hostname: '::1',
  port: 0,
  tls: authority.issue(['IP:::1']),
  fetch: (request, bun) => (bun.upgrade(request) ? undefined : new Response('ok')),
  websocket: { message: () => undefined },
})
afterAll(() => overIpv6.stop(true))

test('an address of IPv6 is probed over TLS, and its certificate must be for it', async () => {
  const of = (port: number | undefined) =>
    runner.probeHead(probeTargetOf('http', `https://[::1]:${port}/`, { ca: authority.ca }), null)
  const finding = await of(overIpv6.port)
  expect(finding).toMatchObject({ ok: true, facts: { certificateProblem: null } })
  const stranger = Bun.serve({
    hostname: '::1',
    port: 0,
    tls: authority.issue(['DNS:good.test']),
    fetch: () => new Response('ok'),
  })
  try {
    expect(await of(stranger.port)).toMatchObject(refused('WRONG_NAME'))
  } finally {
    await stranger.stop(true)
  }
})

const dial = async (url: string, ca: string) => {
  const options = { url, ca, headers: {}, resolve: egress.resolve, connectMs: 5_000 }
  const socket = await dialWebSocket(
    { ...options, heartbeatMs: 1_000, maxChars: 1_000 },
    { received: () => undefined, ended: () => undefined },
  )
  socket?.close()
  return socket !== null
}

test('a WebSocket is opened over TLS to an address of IPv6 whose certificate is good, and to no other', async () => {
  const url = `wss://[::1]:${overIpv6.port}/`
  expect(await dial(url, authority.ca)).toBe(true)
  expect(await dial(url, other.ca)).toBe(false)
})

const factsOf = async (port: number | undefined) => {
  const ws = `wss://good.test:${port}/key`
  const target = probeTargetOf('http', plain.url.href, { ws, ca: authority.ca })
  await runner.probeFacts(target, 1)
  const finding = await runner.probeHead(target, null)
  expect(finding).toMatchObject({ ok: true })
  return finding.facts
}

test('the certificate of a wss address counts as that of the endpoint, by a handshake alone', async () => {
  let requests = 0
  const [goodSocket, expiredSocket] = [false, true].map((isExpired) =>
    Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: authority.issue(['DNS:good.test'], { expired: isExpired }),
      fetch: () => new Response(String(requests++)),
    }),
  )
  try {
    const facts = await factsOf(goodSocket?.port)
    const days = ((facts?.certificateExpiresAt ?? 0) * 1000 - Date.now()) / 86_400_000
    expect(facts?.certificateProblem).toBeNull()
    expect(days).toBeGreaterThan(1.9)
    expect(await factsOf(expiredSocket?.port)).toEqual({ certificateProblem: 'EXPIRED' })
    expect(requests).toBe(0)
  } finally {
    await Promise.all([goodSocket, expiredSocket].map((server) => server?.stop(true)))
  }
})

test('nobody is greeted where the guard forbids it', async () => {
  let greeted = 0
  const forbidden = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { open: () => void greeted++, data: () => undefined },
  })
  const strict = createEgress({ clock: systemClock, schemes: ['https'], allowPrivate: [] })
  try {
    const url = `https://127.0.0.1:${forbidden.port}/`
    await expect(strict.greet({ url, timeoutMs: 5_000 })).rejects.toMatchObject({ code: 'ADDRESS' })
    expect(greeted).toBe(0)
  } finally {
    forbidden.stop(true)
    strict.close()
  }
})

test('without TLS there is no certificate, and the address may be one of IPv6', async () => {
  const finding = await runner.probeHead(probeTargetOf('http', plain.url.href), null)
  expect(plain.url.hostname).toBe('[::1]')
  expect(finding).toMatchObject({ ok: true })
  expect(finding.facts).toBeUndefined()
})
