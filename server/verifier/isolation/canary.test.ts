import { afterAll, expect, test } from 'bun:test'

import { systemClock } from '../../platform/clock.ts'
import { createEgress } from '../../platform/egress.ts'
import { createAddressCheck, createCanaryCheck } from './canary.ts'

const egress = createEgress({ clock: systemClock, schemes: ['http', 'https'], allowPrivate: ['127.0.0.0/8'] })
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url }) =>
    url.endsWith('/moved')
      ? Response.redirect('https://elsewhere.example/')
      : new Response('', { status: 500 }),
})
afterAll(async () => {
  egress.close()
  await server.stop(true)
})

test('whatever a host says, it is there', async () => {
  const checkCanary = createCanaryCheck(egress)
  expect(await checkCanary(`http://127.0.0.1:${server.port}/`)).toBe(true)
  expect(await checkCanary(`http://127.0.0.1:${server.port}/moved`)).toBe(true)
})

test('a bare host is asked over https; one that speaks no TLS is there as well', async () => {
  const checkCanary = createCanaryCheck(egress)
  expect(await checkCanary(`127.0.0.1:${server.port}`)).toBe(true)
})

test('a closed port, a refused address and nonsense are silence', async () => {
  const checkCanary = createCanaryCheck(egress)
  const closed = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const { port } = closed
  await closed.stop(true)
  expect(await checkCanary(`127.0.0.1:${port}`)).toBe(false)
  expect(await checkCanary('10.1.2.3')).toBe(false)
  expect(await checkCanary('not a host')).toBe(false)
})

test('an address answers by a connection or a refusal, is sent nothing, and is subject to the guard', async () => {
  const checkAddress = createAddressCheck(egress)
  let received = 0
  const listener = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (_, bytes) => void (received += bytes.length) },
  })
  const address = `127.0.0.1:${listener.port}`
  expect(await checkAddress(address)).toBe(true)
  listener.stop(true)
  expect(await checkAddress(address)).toBe(true)
  expect(received).toBe(0)
  expect(await checkAddress('10.1.2.3:53')).toBe(false)
  expect(await checkAddress('nonsense')).toBe(false)
})
