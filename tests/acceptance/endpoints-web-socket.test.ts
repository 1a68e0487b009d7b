import { afterEach, beforeEach, describe, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'

/** WebSocket addresses of services, in the section `endpoints:` of the file. */

let installation: TestInstallation
beforeEach(async () => {
  installation = await createTestInstallation()
})
afterEach(() => installation.remove())

const chains = { testnet: { family: 'evm', chainId: 31337, blockMs: 1_000 } }
const node = (id: string, endpoint = 'http://127.0.0.1:9/node') => ({
  id,
  name: id,
  chain: 'testnet',
  provider: 'acme',
  endpoint,
})
const fileWith = (upstream: object, endpoint?: string) => ({
  chains,
  services: [node('of-file', endpoint)],
  endpoints: [{ name: 'testnet', chain: 'testnet', upstreams: [upstream] }],
})

describe('a file is refused, with the line and the field', () => {
  test.each([
    [
      'for a service that has nothing but a WebSocket address',
      fileWith({ service: 'of-file' }, 'ws://127.0.0.1:9'),
      'services[0].endpoint: expected an http or https address',
    ],
    [
      'for an upstream that is nothing but one',
      fileWith({ url: 'wss://127.0.0.1:9' }),
      'endpoints[0].upstreams[0].url: expected an http or https address',
    ],
    [
      'for one that is none',
      fileWith({ service: 'of-file', ws: 'http://127.0.0.1:9' }),
      'endpoints[0].upstreams[0].ws: expected a ws or wss address',
    ],
    [
      'for one that is not on the host of the service',
      fileWith({ service: 'of-file', ws: 'ws://127.0.0.2:9' }),
      'endpoints[0].upstreams[0].ws: must be on the host of the service',
    ],
  ])('%s', async (_title, file, problem) => {
    installation.writeFile(file)
    const refused = installation.launch()
    expect(await refused.exited).toBe(1)
    expect(refused.output()).toMatch(/gatehouse\.yaml:\d+: /)
    expect(refused.output()).toContain(problem)
  })
})

test('a service of the console stays on the host of such an address, so that the next start reads the file', async () => {
  installation.writeFile({ chains })
  let server = await installation.start()
  await server.operator.services.add.mutate({ ...node('of-console'), policy: {} })
  await server.stop()
  installation.writeFile({
    chains,
    endpoints: [
      {
        name: 'testnet',
        chain: 'testnet',
        upstreams: [{ service: 'of-console', ws: 'ws://127.0.0.1:9/node' }],
      },
    ],
  })
  server = await installation.start()
  const move = (endpoint: string) => server.operator.services.update.mutate({ id: 'of-console', endpoint })
  await expect(move('http://127.0.0.2:9/node')).rejects.toThrow(
    'endpoint: the endpoint "testnet" of the file has a ws address on the host of this service',
  )
  await move('http://127.0.0.1:10/node')
  await server.stop()
  server = await installation.start()
  expect(await server.operator.endpoints.list.query()).toMatchObject([{ name: 'testnet', problem: null }])
  await server.stop()
})
