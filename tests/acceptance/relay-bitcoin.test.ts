import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { type Litecoin, startLitecoin } from '../../scripts/world/litecoin.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { needs } from '../support/needs.ts'

const basic = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`

async function ask(url: string, authorization: string, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(url, { method: 'POST', headers: { authorization }, body: text })
  return { status: response.status, body: await response.text() }
}
/**
 * What clients of the Bitcoin family see of a running server before a real litecoind: the forms of JSON-RPC 1.0 and 1.1,
 * the statuses and Basic authentication are those of the node itself.
 */
describe.skipIf(!needs('litecoind'))('an endpoint of litecoind', () => {
  let node: Litecoin
  let installation: TestInstallation
  let server: GatehouseProcess
  let key: string

  beforeAll(async () => {
    node = await startLitecoin()
    await node.mine(7)
    installation = await createTestInstallation({
      verifiers: { builtIn: false },
      chains: { litecoin: { family: 'bitcoin', chainId: 'regtest', blockMs: 150_000 } },
      endpoints: [{ name: 'ltc', chain: 'litecoin', upstreams: [{ url: node.url }] }],
    })
    server = await installation.start()
    const owner = await signInAt(server.url)
    const [made] = await makeQueryKeys(owner, server.url, [{ name: 'cli', endpoint: 'ltc' }])
    key = made?.key ?? ''
  }, 60_000)
  afterAll(async () => {
    await installation?.remove()
    await node?.stop()
  })

  const atNode = (body: unknown) => {
    const { username, password, origin } = new URL(node.url)
    return ask(origin, basic(username, password), body)
  }
  const here = (body: unknown) => ask(`${server.url}/rpc/ltc`, basic('anyone', key), body)

  test.each([
    [{ method: 'getblockcount' }],
    [{ method: 'getblockcount', params: [], id: 1 }],
    [{ jsonrpc: '1.0', id: 'curltest', method: 'getblockcount', params: [] }],
    [{ version: '1.1', method: 'getblockhash', params: [3], id: 2 }],
    [{ version: '1.1', method: 'getblockhash', params: { height: 3 }, id: 2 }],
    [{ jsonrpc: null, method: 'getblockcount', params: null, id: null }],
    [{ method: 'getblockcount', id: { an: ['object'] } }],
    [{ method: 'getblockhash', params: [99], id: 3 }],
    [{ method: 'getblockhash', params: ['x'], id: 3 }],
    [{ method: 'getblock', params: ['00'.repeat(32)], id: true }],
    [{ method: 'getrawtransaction', params: ['00'.repeat(32)], id: 5 }],
    [{ method: 'getmempoolentry', params: ['00'.repeat(32)], id: 5 }],
    [{ method: 'sendrawtransaction', params: ['00'], id: 5 }],
    [{ method: 'verifytxoutproof', params: ['00'], id: 5 }],
    [[{ method: 'getblockcount' }, { method: 'getblockhash', params: [99], id: 2 }]],
  ])('%j gets the very answer of the node', async (body) => {
    const [theirs, ours] = [await atNode(body), await here(body)]
    expect({ ...ours, body: ours.body.trim() }).toEqual({ ...theirs, body: theirs.body.trim() })
  })

  test('what the endpoint does not relay has the statuses of the node, too', async () => {
    const refused = await here({ method: 'stop', id: 1 })
    expect(refused.status).toBe(404)
    expect(JSON.parse(refused.body)).toMatchObject({
      result: null,
      error: { code: -32_601, data: { reason: 'method_controls_node' } },
      id: 1,
    })
    const wrong = await here({ method: 7, id: [1] })
    expect([wrong.status, JSON.parse(wrong.body)]).toMatchObject([
      400,
      { result: null, error: { code: -32_600 }, id: [1] },
    ])
    expect(await here('{')).toMatchObject({ status: 400, body: expect.stringContaining('"result":null') })
  })

  test('JSON-RPC 2.0 stays as strict as it is', async () => {
    expect(await here({ jsonrpc: '2.0', id: 1, method: 'getblockhash', params: [99] })).toMatchObject({
      status: 200,
      body: expect.stringMatching(/^\{"jsonrpc":"2.0","id":1,"error":\{"code":-8/),
    })
    expect(await here({ jsonrpc: '2.0', method: 'getblockcount' })).toEqual({ status: 204, body: '' })
    expect((await here({ jsonrpc: '2.0', id: {}, method: 'getblockcount' })).status).toBe(400)
  })

  test('a password that is no key, and a key as the user name, are refused as everywhere', async () => {
    const call = { method: 'getblockcount' }
    for (const authorization of [
      basic('anyone', 'wrong'),
      basic('anyone', `${key}x`),
      basic(key, ''),
      'Basic',
    ]) {
      expect((await ask(`${server.url}/rpc/ltc`, authorization, call)).status).toBe(401)
    }
    expect((await ask(`${server.url}/rpc/btc`, basic('anyone', key), call)).status).toBe(401)
    expect((await ask(server.url, basic('ltc', 'wrong'), call)).status).toBe(401)
    expect((await ask(server.url, 'Bearer x', call)).status).toBe(404)
  })

  async function cli(...args: string[]) {
    const { port } = new URL(server.url)
    const place = [
      '-regtest',
      `-datadir=${installation.dataDir}`,
      '-rpcconnect=127.0.0.1',
      `-rpcport=${port}`,
    ]
    const child = Bun.spawn(['litecoin-cli', ...place, '-rpcuser=me', '-stdinrpcpass', ...args], {
      stdin: new Blob([`${key}\n`]),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr] = [
      await new Response(child.stdout).text(),
      await new Response(child.stderr).text(),
    ]
    return { code: await child.exited, stdout: stdout.trim(), stderr: stderr.trim() }
  }

  test('litecoin-cli is a client, which is told no path', async () => {
    expect(await cli('getblockcount')).toEqual({ code: 0, stdout: '7', stderr: '' })
    expect(await cli('getblockhash', '99')).toEqual({
      code: 8,
      stdout: '',
      stderr: 'error code: -8\nerror message:\nBlock height out of range',
    })
    expect((await cli('-named', 'getblockhash', 'height=3')).stdout).toBe(
      String(await node.rpc('getblockhash', [3])),
    )
    expect(JSON.parse((await cli('-getinfo')).stdout)).toMatchObject({ blocks: 7 })
    expect((await cli('stop')).stderr).toContain('stop controls the node')
    expect((await cli('-rpcwallet=savings', 'getbalance')).stderr).toContain(
      'no wallet of the node can be chosen',
    )
  })
})
