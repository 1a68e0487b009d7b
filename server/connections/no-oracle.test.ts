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

function pageOf(request: Request): Response {
  switch (new URL(request.url).pathname) {
    case '/failing':
      return new Response('later', { status: 503 })
    case '/moved':
      return Response.redirect('http://10.0.0.1/mcp', 302)
    case '/broken':
      return new Response('{"jsonrpc":', { headers: { 'content-type': 'application/json' } })
    default:
      return new Response('<p>It works!</p>')
  }
}

beforeAll(() => {
  walled = Bun.listen({
    hostname: '127.0.0.2',
    port: 0,
    socket: { open: () => void accepted++, data: ignored },
  })
  page = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: pageOf })
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

test('of an address that may not be reached nothing is told but that: whatever fails there is told in the same words', async () => {
  covers('threat-56')
  const answers = [
    await told('walled', `http://127.0.0.2:${walled.port}/mcp`),
    await told('walled-closed', `http://127.0.0.2:${await findFreePort()}/mcp`),
    await told('metadata', 'http://169.254.169.254/latest/meta-data/'),
    await told('private', 'http://10.0.0.1/mcp'),
  ]
  expect([...new Set(answers)]).toEqual([
    JSON.stringify({ outcome: 'unreachable', serviceId: 'the service' }),
  ])
})

test('of a tool server that is listed, and may be reached, it is told what went wrong', async () => {
  const silentUrl = `http://127.0.0.1:${silent.port}/mcp`
  const at = (path: string) => `http://127.0.0.1:${page.port}${path}`
  const expected: [name: string, url: string, why: object][] = [
    ['closed', `http://127.0.0.1:${await findFreePort()}/mcp`, { why: 'refused' }],
    ['nameless', 'http://nowhere.invalid/mcp', { why: 'dns' }],
    ['not-tools', at('/'), { why: 'not_mcp' }],
    ['broken-json', at('/broken'), { why: 'not_mcp' }],
    ['moved', at('/moved'), { why: 'redirected' }],
    ['failing', at('/failing'), { why: 'status', httpStatus: 503 }],
    ['not-tls', `https://127.0.0.1:${page.port}/`, { why: 'tls' }],
    ['silent', silentUrl, { why: 'timed_out' }],
  ]
  for (const [name, url, why] of expected) {
    const outcome = { outcome: 'unreachable', serviceId: 'the service', ...why }
    expect({ name, outcome: JSON.parse(await told(name, url)) }).toEqual({ name, outcome })
  }
  const failing = shared.logged.filter((line) => line.includes('once an hour') && line.includes('failing'))
  expect(failing).toHaveLength(1)
  await told('failing', at('/failing'))
  expect(
    shared.logged.filter((line) => line.includes('once an hour') && line.includes('failing')),
  ).toHaveLength(1)
})

test('what may not be reached is refused before anybody connects, so that no time is to be measured', () => {
  covers('threat-56')
  expect(accepted).toBe(0)
})
