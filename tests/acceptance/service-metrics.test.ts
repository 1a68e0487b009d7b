import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { startAnvilChain } from '../../scripts/world/anvil-chain.ts'
import type { AnvilChain } from '../../scripts/world/anvil-chain.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { healthClient } from '../support/health-client.ts'

let chain: AnvilChain
let installation: TestInstallation
let token: string

const policy = { intervalMs: 500, timeoutMs: 200, freshMs: 5_000, downForMs: 1_000, upForMs: 1_000 }
const provider = 'A "quoted" \\ one'

beforeAll(async () => {
  chain = await startAnvilChain(1)
  const endpoint = chain.nodes[0]?.url ?? ''
  installation = await createTestInstallation({
    chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000 } },
    services: [
      { id: 'node-a', name: 'A', chain: 'testnet', provider, endpoint, policy },
      { id: 'gone', name: 'Gone', family: 'http', provider: 'B', endpoint: 'http://127.0.0.1:1', policy },
    ],
  })
  await healthClient((await installation.start()).url).until({ 'node-a': 'UP', gone: 'DOWN' })
  token = (await readFile(join(installation.dataDir, 'private', 'metrics-token'), 'utf8')).trim()
})
afterAll(async () => {
  await installation?.remove()
  await chain?.stop()
})

const scrape = (authorization: string): Promise<Response> =>
  fetch(`${installation.url}/metrics/services`, { headers: { authorization } })

test('the metrics of services want the token of /metrics', async () => {
  expect((await fetch(`${installation.url}/metrics/services`)).status).toBe(401)
  expect((await scrape('Bearer wrong')).status).toBe(401)
  const response = await scrape(`Bearer ${token}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('each service shows what its verifiers say', async () => {
  let text = ''
  await waitUntil('a fresh response time', async () => {
    text = await (await scrape(`Bearer ${token}`)).text()
    return text.includes('gatehouse_service_response_seconds{service="node-a"')
  })
  const labels = String.raw`{service="node-a",chain="testnet",provider="A \"quoted\" \\ one"}`
  const valueOf = (name: string): number => {
    const prefix = `gatehouse_service_${name}${labels} `
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(prefix))
        ?.slice(prefix.length),
    )
  }
  expect([valueOf('decision'), valueOf('live_verifiers')]).toEqual([1, 1])
  expect(valueOf('lag_blocks')).toBeWithin(0, 5)
  expect(valueOf('lag_seconds')).toBeWithin(0, 30)
  expect(valueOf('response_seconds')).toBeWithin(0, 0.2)
  expect(Math.abs(valueOf('last_change_timestamp_seconds') - Date.now() / 1000)).toBeLessThan(120)
  expect(text.split('\n').filter((line) => line.includes('service="gone"'))).toEqual([
    'gatehouse_service_decision{service="gone",chain="",provider="B"} 2',
    'gatehouse_service_live_verifiers{service="gone",chain="",provider="B"} 1',
    expect.stringMatching(/^gatehouse_service_last_change_timestamp_seconds\S+ \d{10}$/),
  ])
})

test('/metrics itself names no service', async () => {
  const all = await fetch(`${installation.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  expect(await all.text()).not.toContain('gatehouse_service_')
})
