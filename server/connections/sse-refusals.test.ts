import { expect, test } from 'bun:test'

import { findFreePort } from '../../scripts/world/free-port.ts'
import { anonymous, link, nothingOffered, toService } from './test-support/connections-under-test.ts'
import { sharedConnections } from './test-support/shared-connections.ts'

/** A tool server of the older transport that does not open its stream is told of at once, not after the deadline. */

const shared = sharedConnections()
/** Far below `connectMs`, which stays at its default of ten seconds, and above what a busy machine takes. */
const atOnceMs = 3_000

const refusals: [title: string, outcome: 'auth_required' | 'unreachable', answer: () => Response][] = [
  ['401', 'auth_required', () => new Response('no', { status: 401 })],
  ['403', 'auth_required', () => new Response('no', { status: 403 })],
  ['404', 'unreachable', () => new Response('no', { status: 404 })],
  ['500', 'unreachable', () => new Response('no', { status: 500 })],
  ['a redirect', 'unreachable', () => Response.redirect('http://127.0.0.1:1/', 302)],
  ['a page', 'unreachable', () => new Response('<p>', { headers: { 'content-type': 'text/html' } })],
  ['no content', 'unreachable', () => new Response(null, { status: 204 })],
  [
    'a stream that ends before it says where to send',
    'unreachable',
    () => new Response(': nothing\n\n', { headers: { 'content-type': 'text/event-stream' } }),
  ],
]

async function connectTo(url: string) {
  const subject = shared.another()
  const service = subject.registry.put({ serviceId: 'mcpservers:older', transport: 'sse', url })
  const startedAt = performance.now()
  const { outcome } = await subject.connections.connect(
    anonymous('session-1'),
    toService(service),
    nothingOffered,
    link(),
  )
  const tookMs = performance.now() - startedAt
  subject.stop()
  return { outcome, tookMs }
}

test.each(refusals)('%s', async (_, outcome, answer) => {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })
  const connected = await connectTo(`http://127.0.0.1:${server.port}/sse`)
  await server.stop(true)
  expect(connected.tookMs).toBeLessThan(atOnceMs)
  expect(connected.outcome).toBe(outcome)
})

test('nobody listens', async () => {
  const connected = await connectTo(`http://127.0.0.1:${await findFreePort()}/sse`)
  expect(connected.tookMs).toBeLessThan(atOnceMs)
  expect(connected.outcome).toBe('unreachable')
})
