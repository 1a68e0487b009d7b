import { afterAll, beforeAll, expect, test } from 'bun:test'

import { runClient } from './run-client.ts'

let peer: Bun.Server<undefined>
let proxy: Bun.Server<undefined>
let target = ''
let environment: Record<string, string> = {}

beforeAll(() => {
  peer = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('direct') })
  proxy = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('through the proxy') })
  target = `http://127.0.0.1:${peer.port}/`
  const address = `http://127.0.0.1:${proxy.port}`
  environment = { HTTP_PROXY: address, http_proxy: address, ALL_PROXY: address }
})

afterAll(async () => {
  await peer.stop(true)
  await proxy.stop(true)
})

test('without proxy variables the request goes directly', async () => {
  const report = await runClient({ how: 'guarded', url: target, maxBytes: 100, env: {} })
  expect(report.outcome).toBe('direct')
})

test('with proxy variables, which hijack a bare fetch, the guarded one still goes directly', async () => {
  const bare = await runClient({ how: 'bare', url: target, maxBytes: 100, env: environment })
  expect(bare.outcome).toBe('through the proxy')
  const guarded = await runClient({ how: 'guarded', url: target, maxBytes: 100, env: environment })
  expect(guarded.outcome).toBe('direct')
})
