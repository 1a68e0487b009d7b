import { afterAll, expect, test } from 'bun:test'

import { systemClock } from '../../../server/platform/clock.ts'
import { createEgress } from '../../../server/platform/egress.ts'
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

test('without TLS there is no certificate, and the address may be one of IPv6', async () => {
  const finding = await runner.probeHead(probeTargetOf('http', plain.url.href), null)
  expect(plain.url.hostname).toBe('[::1]')
  expect(finding).toMatchObject({ ok: true })
  expect(finding.facts).toBeUndefined()
})
