import { expect, test } from 'bun:test'

import type { NodeRequest } from '../../platform/internal-http/node-client.ts'
import { NodeError } from '../../platform/internal-http/internal-http.ts'
import { systemClock } from '../../platform/clock.ts'
import type { GatewayRequest } from '../authentication.ts'
import { createRequestForwarder } from './forward-requests.ts'

/** A process that says nothing: it is waited for while it lives, as it may be under load, and no longer. */

const incoming = {
  request: new Request('http://gatehouse.test/messages', { method: 'POST' }),
  caller: { kind: 'anonymous', address: '192.0.2.1' },
  facts: { requestId: 'req_1', caller: () => ({ address: '192.0.2.1', origin: null }) },
} as unknown as GatewayRequest

function worldOf() {
  const world = { living: ['owner'], beat: () => {}, waited: 0, sent: Promise.withResolvers<void>() }
  const forwarder = createRequestForwarder({
    clock: systemClock,
    registry: {
      others: () => world.living.map((id) => ({ id, url: '', version: '', startedAt: 0 })),
      isSettled: () => true,
      onBeat: (callback: () => void) => void (world.beat = callback),
    } as unknown as Parameters<typeof createRequestForwarder>[0]['registry'],
    send(_node: string, { headMs, signal }: NodeRequest) {
      const { promise, reject } = Promise.withResolvers<Response>()
      world.waited = headMs
      signal?.addEventListener('abort', () => reject(new NodeError('aborted')))
      world.sent.resolve()
      return promise
    },
  })
  return { world, forwarder }
}

test('a process that is slow is waited for until its heartbeats stop', async () => {
  const { world, forwarder } = worldOf()
  const forwarded = forwarder.forward('owner', 'gws_1', incoming, {}).catch((error: unknown) => error)
  await world.sent.promise
  expect(world.waited).toBeGreaterThanOrEqual(10_000)
  world.beat()
  expect(forwarder.activeCount()).toBe(1)
  world.living = []
  world.beat()
  expect(await forwarded).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('may or may not have been carried out'),
  })
  expect(forwarder.activeCount()).toBe(0)
})
