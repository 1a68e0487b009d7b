// Mostly waits: for pings of open streams.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { makeGatewayKey } from '../support/gateway-keys.ts'
import { connectClient } from '../../scripts/world/mcp-clients.ts'
import { covers } from '../support/covers.ts'

/** Streams that stay open, and what ends them. */

let installation: TestInstallation
let server: GatehouseProcess

beforeAll(async () => {
  installation = await createTestInstallation()
  server = await installation.start()
}, 60_000)

afterAll(() => installation?.remove())

const openStream = (headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}/sse`, { headers })

test('a silent stream outlives the time-out of the server, and an API key that is disabled ends it', async () => {
  covers('gateway-authentication')
  const key = await makeGatewayKey(server.url)
  const silent = await openStream()
  const owned = await openStream({ authorization: `Bearer ${key.value}` })
  const { data: listed } = await key.owner.query('gateway.sessions')
  expect(listed).toEqual({
    sessions: [expect.objectContaining({ kind: 'sse', keyId: key.id, isOpen: true })],
    processes: 1,
    silent: 0,
  })

  const startedAt = performance.now()
  const reader = silent.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  // The server's own time-out is ten seconds.
  while (performance.now() - startedAt < 13_000) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    expect(done).toBe(false)
    text += decoder.decode(value)
  }
  expect(text.match(/: keep-alive/g)?.length).toBeGreaterThanOrEqual(2)
  await reader?.cancel()

  expect((await key.owner.mutate('apiKeys.setEnabled', { id: key.id, isEnabled: false })).status).toBe(200)
  expect(await owned.text()).toContain('event: endpoint')
}, 30_000)

test('open streams do not keep the server from stopping', async () => {
  const client = await connectClient('v1 sse', server.url)
  const stream = await openStream()
  const startedAt = performance.now()
  expect(await server.stop()).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(8_000)
  await stream.body?.cancel().catch((error: unknown) => expect(error).toBeInstanceOf(Error))
  await client.close()
}, 30_000)
