import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { readDeclarativeFile } from '../../server/config/declarative-file.ts'
import { commandLineOf } from '../support/command-line.ts'
import type { CommandLine } from '../support/command-line.ts'

/**
 * Endpoints of paths on a running server, before scripted nodes that answer as the OpenAPI of the Beacon API
 * (ethereum/beacon-APIs, v3.0), of Cosmos SDK's gRPC gateway (cosmos/cosmos-sdk, client/docs/swagger-ui) and of Algorand's
 * algod (algorand/go-algorand, daemon/algod/api/algod.oas3.yml) say.
 */

const genesis = {
  data: {
    genesis_time: '1606824023',
    genesis_validators_root: `0x${'4b'.repeat(32)}`,
    genesis_fork_version: '0x00000000',
  },
}
const spec = { data: { SECONDS_PER_SLOT: '12' } }
const syncing = {
  code: 503,
  message: 'Beacon node is currently syncing and not serving request on that endpoint',
}
const balances = { balances: [{ denom: 'uatom', amount: '42' }], pagination: { next_key: null, total: '1' } }
const notFound = { code: 5, message: 'account cosmos1x not found', details: [] }
const algod = { genesis_id: 'testnet-v1.0', genesis_hash_b64: 'SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=' }

function startNode(routes: Readonly<Record<string, () => Response>>) {
  const paths: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      paths.push(pathname + search)
      return routes[pathname]?.() ?? Response.json({ code: 404, message: 'no such route' }, { status: 404 })
    },
  })
  return { url: server.url.origin, paths, stop: () => server.stop(true) }
}

const outOfStep = (): Response => Response.json(syncing, { status: 503 })
const behind = startNode({
  '/eth/v1/beacon/genesis': outOfStep,
  '/eth/v1/node/health': outOfStep,
  '/eth/v1/events': outOfStep,
  '/eth/v1/config/spec': outOfStep,
})
const good = startNode({
  '/eth/v1/beacon/genesis': () => Response.json(genesis),
  '/eth/v1/node/health': () => new Response(null, { status: 206 }),
  '/eth/v1/events': () =>
    new Response(
      new ReadableStream({ start: (controller) => controller.enqueue('event: head\ndata: {}\n\n') }),
      { headers: { 'content-type': 'text/event-stream' } },
    ),
  '/eth/v1/config/spec': () => Response.json(spec),
})
const gaia = startNode({
  '/lcd/cosmos/bank/v1beta1/balances/cosmos1a': () => Response.json(balances),
  '/lcd/cosmos/auth/v1beta1/accounts/cosmos1x': () => Response.json(notFound, { status: 404 }),
})
const algorand = startNode({ '/versions': () => Response.json(algod) })
const rippled = startNode({ '/': () => Response.json({ result: { status: 'success' } }) })

/** The example of the manual, before these nodes. */
function readExample() {
  const manual = readFileSync('deploy/README.md', 'utf8')
  const [, text = ''] = /## Endpoints of paths[^]*?```yaml\n([^]*?)```/.exec(manual) ?? []
  const reading = readDeclarativeFile(
    text
      .replace('http://beacon-1.example:5052', behind.url)
      .replace('http://beacon-2.example:5052', good.url)
      .replace('http://gaia.example:1317', gaia.url),
  )
  if (reading.kind === 'problems') throw new Error(JSON.stringify(reading.problems))
  return reading.content
}

let installation: TestInstallation
let server: GatehouseProcess
let commands: CommandLine
let owner: SignedInClient
const keys = new Map<string, string>()

const ask = (endpoint: string, path: string, init: RequestInit = {}) =>
  fetch(`${server.url}/rpc/${endpoint}/${keys.get(endpoint)}${path}`, init)

beforeAll(async () => {
  const example = readExample()
  installation = await createTestInstallation({
    ...example,
    verifiers: { builtIn: false },
    chains: { ...example.chains, algo: { family: 'algorand', blockMs: 3_000 } },
  })
  server = await installation.start()
  commands = commandLineOf(installation.dataDir)
  await server.operator.endpoints.create.mutate({
    name: 'algo',
    chain: 'algo',
    upstreams: [{ url: algorand.url, weight: 1 }],
    methods: { allow: ['GET /v2/status'], deny: [], unknown: 'refuse' },
    credits: { 'GET /v2/status': 7 },
  })
  await server.operator.endpoints.create.mutate({
    name: 'xrp',
    chain: 'xrpl',
    upstreams: [{ url: rippled.url, weight: 1 }],
    methods: { allow: ['POST /'], deny: [], unknown: 'refuse' },
    credits: {},
  })
  owner = await signInAt(server.url)
  const names = ['beacon', 'hub-lcd', 'algo', 'xrp']
  const wishes = names.map((name) => ({ name, endpoint: name }))
  const made = await makeQueryKeys(owner, server.url, wishes)
  for (const [index, { key }] of made.entries()) keys.set(names[index] ?? '', key)
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  for (const node of [behind, good, gaia, algorand, rippled]) await node.stop()
})

describe('the Beacon API', () => {
  test('is answered by the node that is in step, at the price of the pattern', async () => {
    for (let count = 0; count < 5; count++) {
      const answer = await ask('beacon', '/eth/v1/beacon/genesis')
      expect([answer.status, answer.headers.get('x-rpc-credits')]).toEqual([200, '3'])
      expect(await answer.json()).toEqual(genesis)
    }
  })

  test('keeps a status that says something, and passes event streams on until their key is disabled', async () => {
    expect((await ask('beacon', '/eth/v1/node/health')).status).toBe(206)
    const events = await ask('beacon', '/eth/v1/events?topics=head')
    expect([events.status, events.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const decoder = new TextDecoder()
    let text = ''
    const reader = events.body?.getReader()
    const readMore = async () => {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      text += decoder.decode(value, { stream: true })
      return !done
    }
    while (!text.includes('head')) await readMore()
    const listed = (await owner.query('queryKeys.list')).data as { id: string; name: string }[]
    const id = listed.find(({ name }) => name === 'beacon')?.id
    await owner.mutate('queryKeys.setEnabled', { id, isEnabled: false })
    while (await readMore());
    expect(text.replaceAll(/^:\n\n/gm, '')).toBe('event: head\ndata: {}\n\n')
    await owner.mutate('queryKeys.setEnabled', { id, isEnabled: true })
  })

  test('is asked once for what never changes, if its operator says so', async () => {
    expect((await ask('beacon', '/eth/v1/config/spec')).headers.get('x-gatehouse-cache')).toBe('miss')
    const again = await ask('beacon', '/eth/v1/config/spec')
    expect([again.headers.get('x-gatehouse-cache'), await again.json()]).toEqual(['hit', spec])
    expect(good.paths.filter((path) => path === '/eth/v1/config/spec')).toHaveLength(1)
  })

  test('stands in statistics and in the request log by pattern', async () => {
    const { data } = await owner.mutate('apiKeys.create', {
      name: 'reader',
      permissions: ['statistics_read'],
    })
    const authorization = `Bearer ${(data as { value: string }).value}`
    await waitUntil('the calls are counted', async () => {
      const answer = await fetch(`${server.url}/account/statistics/methods`, { headers: { authorization } })
      const text = await answer.text()
      return text.includes('GET /eth/v1/beacon/**') && text.includes('GET /eth/v1/node/*')
    })
    await waitUntil('the request is logged', async () => {
      const { stdout } = await commands.run(['requests'])
      expect(stdout).not.toContain('topics')
      return stdout.includes('GET /eth/v1/beacon/**')
    })
  })
})

describe('the REST API of a Cosmos chain', () => {
  test('stands below the path of its node, and 404 is an answer', async () => {
    const answer = await ask('hub-lcd', '/cosmos/bank/v1beta1/balances/cosmos1a?pagination.limit=1')
    expect([answer.status, await answer.json()]).toEqual([200, balances])
    expect(gaia.paths).toEqual(['/lcd/cosmos/bank/v1beta1/balances/cosmos1a?pagination.limit=1'])
    const again = await ask('hub-lcd', '/cosmos/bank/v1beta1/balances/cosmos1a?pagination.limit=1')
    expect(again.headers.get('x-gatehouse-cache')).toBe('hit')
    const missing = await ask('hub-lcd', '/cosmos/auth/v1beta1/accounts/cosmos1x')
    expect([missing.status, await missing.json()]).toEqual([404, notFound])
    expect((await ask('hub-lcd', '/cosmos/tx/v1beta1/txs/AB')).status).toBe(403)
  })
})

test.each(['', '/'])(
  'calls to the root of a node go to the address of the key, with "%s" at its end',
  async (end) => {
    const body = JSON.stringify({ method: 'server_info', params: [{}] })
    const answer = await ask('xrp', end, { method: 'POST', body })
    expect([answer.status, await answer.json()]).toEqual([200, { result: { status: 'success' } }])
  },
)

describe('an endpoint of the console', () => {
  const method = ['endpoints', 'methods', 'algo']

  test('is changed at the command line, and has its prices and patterns after a restart', async () => {
    expect((await ask('algo', '/versions')).status).toBe(403)
    const { stdout } = await commands.run([...method, '--allow', 'GET /versions'])
    expect(stdout).toStartWith('Opened: GET /versions\nalgo relays requests to paths, and no others')
    expect((await commands.run(method)).stdout).not.toContain('ordinary methods')
    expect(await (await ask('algo', '/versions')).json()).toEqual(algod)
    expect(await commands.refusalOf(...method, '--allow', 'GET /../versions')).toContain('methods.allow')
    expect(await commands.refusalOf(...method, '--allow', 'eth_call')).toContain('no methods beside them')

    await server.stop()
    server = await installation.start()
    expect(await (await ask('algo', '/versions')).json()).toEqual(algod)
    expect((await ask('algo', '/v2/status')).headers.get('x-rpc-credits')).toBe('7')
  })

  test('is tested like any other', async () => {
    expect(await server.operator.endpoints.test.mutate({ name: 'algo' })).toMatchObject([
      { ok: false, message: 'it answers HTTP 404 at /v2/status' },
    ])
  })
})
