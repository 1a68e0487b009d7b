import { afterAll, beforeAll, expect, test } from 'bun:test'

import { findFreePort } from '../../scripts/world/free-port.ts'
import { anonymous, link, nothingOffered, toService } from './test-support/connections-under-test.ts'
import { sharedConnections } from './test-support/shared-connections.ts'
import { covers } from '../../tests/support/covers.ts'

/** Only the first of the machine's own addresses may be reached. */
const shared = sharedConnections({ allowPrivate: ['127.0.0.1/32'], limits: { connectMs: 500 } })
let accepted = 0
let walled: Bun.TCPSocketListener<undefined>
let page: Bun.Server<undefined>
let silent: Bun.TCPSocketListener<undefined>

const ignored = (): void => undefined

beforeAll(() => {
  walled = Bun.listen({
    hostname: '127.0.0.2',
    port: 0,
    socket: { open: () => void accepted++, data: ignored },
  })
  page = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('<p>It works!</p>') })
  silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: ignored } })
})

afterAll(async () => {
  walled.stop(true)
  silent.stop(true)
  await page.stop(true)
})

async function told(name: string, url: string): Promise<string> {
  const service = shared.registry.put({ serviceId: `mcpservers:${name}`, url })
  const outcome = await shared.connections.connect(
    anonymous(`session-${name}`),
    toService(service),
    nothingOffered,
    link(),
  )
  return JSON.stringify(outcome).replaceAll(service.serviceId, 'the service')
}

test('connecting does not tell what is in a network: whatever fails is told in the same words', async () => {
  covers('threat-56')
  const answers = [
    await told('closed', `http://127.0.0.1:${await findFreePort()}/mcp`),
    await told('walled', `http://127.0.0.2:${walled.port}/mcp`),
    await told('walled-closed', `http://127.0.0.2:${await findFreePort()}/mcp`),
    await told('metadata', 'http://169.254.169.254/latest/meta-data/'),
    await told('private', 'http://10.0.0.1/mcp'),
    await told('nameless', 'http://nowhere.invalid/mcp'),
    await told('not-tools', `http://127.0.0.1:${page.port}/`),
    await told('not-tls', `https://127.0.0.1:${page.port}/`),
    await told('silent', `http://127.0.0.1:${silent.port}/mcp`),
  ]
  expect([...new Set(answers)]).toEqual([
    JSON.stringify({ outcome: 'unreachable', serviceId: 'the service' }),
  ])
})

test('what may not be reached is refused before anybody connects, so that no time is to be measured', () => {
  covers('threat-56')
  expect(accepted).toBe(0)
})
