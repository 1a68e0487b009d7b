import { afterAll, describe, expect, test } from 'bun:test'

import { systemClock } from '../../../server/platform/clock.ts'
import { createEgress, EgressError } from '../../../server/platform/egress.ts'
import { createAuthority } from '../../../scripts/world/certificates.ts'
import type { ServerCertificate } from '../../../scripts/world/certificates.ts'

const hasOpenssl = Bun.which('openssl') !== null
const generous = { timeoutMs: 5_000, maxBytes: 1_000 }
const opened: (() => unknown)[] = []

afterAll(async () => {
  for (const close of opened) await close()
})

/** A server that tells by which certificate it was reached and over how many connections. */
function serve(tls: ServerCertificate | (ServerCertificate & { serverName: string })[]) {
  const ports = new Set<number>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls,
    fetch(request, self) {
      ports.add(self.requestIP(request)?.port ?? 0)
      return new Response(request.headers.get('host'))
    },
  })
  opened.push(() => server.stop(true))
  return { port: server.port, connections: () => ports.size }
}

/** `null`: the built-in authorities. */
function egressTrusting(ca: string | null) {
  const egress = createEgress({
    clock: systemClock,
    allowPrivate: ['127.0.0.0/8'],
    resolve: async () => ['127.0.0.1'],
    ...(ca === null ? {} : { ca }),
  })
  opened.push(() => egress.close())
  return egress
}

if (hasOpenssl) {
  describe('certificates', () => {
    const authority = createAuthority()
    const good = serve(authority.issue(['DNS:good.test']))

    async function outcome(url: string, ca: string | null = authority.ca) {
      try {
        return (await egressTrusting(ca).request({ ...generous, url })).text
      } catch (error) {
        if (error instanceof EgressError) return { code: error.code, reason: error.reason }
        throw error
      }
    }

    test('the right name passes, and its connection is used again', async () => {
      const egress = egressTrusting(authority.ca)
      const url = `https://good.test:${good.port}/`
      for (let round = 0; round < 4; round += 1) {
        expect((await egress.request({ ...generous, url })).text).toBe(`good.test:${good.port}`)
      }
      expect(good.connections()).toBe(1)
    })

    test('another name fails', async () => {
      expect(await outcome(`https://other.test:${good.port}/`)).toEqual({
        code: 'TLS',
        reason: 'ERR_TLS_CERT_ALTNAME_INVALID',
      })
    })

    test('a connection opened for one name is not used for another', async () => {
      const egress = egressTrusting(authority.ca)
      await egress.request({ ...generous, url: `https://good.test:${good.port}/` })
      await expect(egress.request({ ...generous, url: `https://other.test:${good.port}/` })).rejects.toThrow(
        'TLS',
      )
    })

    test('a certificate of an authority nobody trusts fails', async () => {
      const stranger = createAuthority()
      expect(await outcome(`https://good.test:${good.port}/`, stranger.ca)).toMatchObject({ code: 'TLS' })
      expect(await outcome(`https://good.test:${good.port}/`, null)).toMatchObject({ code: 'TLS' })
    })

    test('an expired certificate fails', async () => {
      const expired = serve(authority.issue(['DNS:good.test'], { expired: true }))
      expect(await outcome(`https://good.test:${expired.port}/`)).toEqual({
        code: 'TLS',
        reason: 'CERT_HAS_EXPIRED',
      })
    })

    test('an address in the URL is checked against the addresses in the certificate', async () => {
      const byAddress = serve(authority.issue(['IP:127.0.0.1']))
      expect(await outcome(`https://127.0.0.1:${byAddress.port}/`)).toBe(`127.0.0.1:${byAddress.port}`)
      expect(await outcome(`https://127.0.0.1:${good.port}/`)).toMatchObject({ code: 'TLS' })
    })

    test('names that share an address each get their own certificate', async () => {
      const shared = serve([
        { serverName: 'one.test', ...authority.issue(['DNS:one.test']) },
        { serverName: 'two.test', ...authority.issue(['DNS:two.test']) },
      ])
      const egress = egressTrusting(authority.ca)
      for (const name of ['one.test', 'two.test', 'one.test', 'two.test']) {
        const { text } = await egress.request({ ...generous, url: `https://${name}:${shared.port}/` })
        expect(text).toBe(`${name}:${shared.port}`)
      }
      expect(shared.connections()).toBe(2)
    })
  })
} else {
  test.skipIf(process.env['CI'] !== 'true')('certificates: install openssl', () => {
    throw new Error('certificates must be checked in CI: install openssl')
  })
}
