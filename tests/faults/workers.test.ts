import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import http from 'node:http'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import type { GatehouseProcess } from '../../scripts/world/gatehouse-process.ts'
import { makeQueryKeys, type QueryKeyWish } from '../../scripts/world/made-query-keys.ts'
import { connectClient } from '../../scripts/world/mcp-clients.ts'
import { aliveOf, descendants } from '../../scripts/world/process-tree.ts'
import { type ReplayNode, startReplayNode } from '../../scripts/world/replay-node.ts'
import { type SignedInClient, signInAt } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createWorkers, workerPids, type WorkersUnderTest } from '../../scripts/world/workers-under-test.ts'

/** Several workers on one machine, as `GATEHOUSE_WORKERS` starts them: real processes on the embedded database, without Redis. */

let node: ReplayNode
let file: object
beforeAll(() => {
  node = startReplayNode({ eth_blockNumber: '0x10' })
  file = {
    verifiers: { builtIn: false },
    endpoints: [{ name: 'testnet', chain: 'ethereum', upstreams: [{ url: node.url }] }],
  }
})
afterAll(() => node?.stop())

/** Without a connection kept, so that the kernel deals each call anew; rejects when it is refused or cut off. */
function callOnce(url: string, agent: http.Agent | false = false): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** So many callers that call again as soon as they are answered: each second one keeps its connection. */
function startCallers(url: string, count: number) {
  const statuses = new Map<number | 'cut off', number>()
  const over = new AbortController()
  const note = (status: number | 'cut off') => void statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const callers = Array.from({ length: count }, async (_, caller) => {
    const agent = caller % 2 === 0 ? new http.Agent({ keepAlive: true, maxSockets: 1 }) : false
    while (!over.signal.aborted) note(await callOnce(url, agent).catch((): 'cut off' => 'cut off'))
    if (agent !== false) agent.destroy()
  })
  const all = () => [...statuses.values()].reduce((sum, each) => sum + each, 0)
  return {
    statuses,
    all,
    untilMore: (more: number, target = all() + more) =>
      waitUntil(`${more} more calls`, () => all() >= target, 60_000),
    async stop() {
      over.abort()
      await Promise.all(callers)
    },
  }
}

async function makeKey(owner: SignedInClient, url: string, limits: Partial<QueryKeyWish> = {}) {
  const [made] = await makeQueryKeys(owner, url, [{ name: 'key', endpoint: 'testnet', ...limits }])
  if (made === undefined) throw new Error('no key was made')
  return { id: made.id, url: `${url}/rpc/testnet/${made.key}` }
}

/** Returns the headers of a program that reads statistics. */
async function makeReader(owner: SignedInClient): Promise<{ authorization: string }> {
  const { data } = await owner.mutate('apiKeys.create', { name: 'reader', permissions: ['statistics_read'] })
  return { authorization: `Bearer ${(data as { value: string }).value}` }
}

async function countedCalls(headers: { authorization: string }, url: string, keyId: string): Promise<number> {
  const response = await fetch(`${url}/account/statistics/keys?keyId=${keyId}`, { headers })
  const { items } = (await response.json()) as { items: { keyId: string; requests: number }[] }
  return items.find((item) => item.keyId === keyId)?.requests ?? 0
}

describe('two workers', () => {
  let workers: WorkersUnderTest
  let server: GatehouseProcess
  let owner: SignedInClient
  let reader: { authorization: string }

  beforeAll(async () => {
    workers = await createWorkers(2, file)
    server = await workers.startAll()
    owner = await signInAt(workers.url)
    reader = await makeReader(owner)
  }, 90_000)
  afterAll(() => workers?.remove(), 60_000)
  afterEach(async () => {
    await waitUntil('two workers serve', async () => (await server.metric('workers')) === 2, 30_000)
  }, 40_000)

  /** Those of another worker are seen within a second. */
  const untilCounted = (keyId: string, calls: number): Promise<void> =>
    waitUntil(`${calls} calls are counted`, async () => {
      return (await countedCalls(reader, workers.url, keyId)) >= calls
    })

  test('serve one port together, and /metrics is that of both', async () => {
    expect(workerPids(server.pid)).toHaveLength(2)
    const key = await makeKey(owner, workers.url, { rateLimit: 1_000, rateLimitPeriod: 'hour' })
    const admitted = 'limiter_decisions_total{outcome="admitted",backend="shared"}'
    const before = await server.metric(admitted)
    for (let call = 0; call < 60; call++) expect(await callOnce(key.url)).toBe(200)
    expect((await server.metric(admitted)) - before).toBe(60)
    expect(await server.metric('health_owned{work="health"}')).toBeLessThanOrEqual(1)
    expect(await server.metric('database_away')).toBe(0)
  }, 60_000)

  test('refuse a key that was disabled, both, before the call returns', async () => {
    const key = await makeKey(owner, workers.url)
    await waitUntil('both accept it', async () => {
      const statuses = await Promise.all(Array.from({ length: 20 }, () => callOnce(key.url)))
      return statuses.every((status) => status === 200)
    })
    const { data } = await owner.mutate('queryKeys.setEnabled', { id: key.id, isEnabled: false })
    expect(data).toMatchObject({ propagated: true })
    const after = await Promise.all(Array.from({ length: 50 }, () => callOnce(key.url)))
    expect(after.filter((status) => status === 200)).toEqual([])
  }, 60_000)

  test('one is killed under load: it is replaced, calls are counted, no limit is exceeded, sessions go on', async () => {
    const free = await makeKey(owner, workers.url)
    const limited = await makeKey(owner, workers.url, { rateLimit: 900, rateLimitPeriod: 'hour' })
    const client = await connectClient('v2 2025 http', workers.url)
    expect(await client.toolNames()).toHaveLength(5)
    const callers = startCallers(free.url, 8)
    const limitedCallers = startCallers(limited.url, 8)
    await Promise.all([callers.untilMore(300), limitedCallers.untilMore(300)])
    const [victim = 0, survivor = 0] = workerPids(server.pid)
    process.kill(victim, 'SIGKILL')
    await waitUntil('another one is there', () => {
      const now = workerPids(server.pid)
      return now.length === 2 && now.includes(survivor) && !now.includes(victim)
    })
    await waitUntil('it serves', async () => (await server.metric('workers')) === 2, 20_000)
    await limitedCallers.untilMore(900)
    await Promise.all([callers.stop(), limitedCallers.stop()])
    expect(await client.toolNames()).toHaveLength(5)
    await client.close()

    const accepted = limitedCallers.statuses.get(200) ?? 0
    expect(accepted).toBeWithin(600, 901)
    expect([...limitedCallers.statuses.keys()].filter((status) => status !== 'cut off').toSorted()).toEqual([
      200, 429,
    ])
    // A call that was cut off may have been counted.
    for (const [key, { statuses }] of [
      [free, callers],
      [limited, limitedCallers],
    ] as const) {
      const answered = statuses.get(200) ?? 0
      const cutOff = statuses.get('cut off') ?? 0
      await untilCounted(key.id, answered)
      expect(await countedCalls(reader, workers.url, key.id)).toBeWithin(answered, answered + cutOff + 1)
      // A caller may be cut off in its call, and once more where its next connection waited to be accepted.
      expect(cutOff).toBeLessThanOrEqual(16)
    }
    expect(server.output()).toContain('"reason":"it ended by SIGKILL"')
  }, 120_000)

  test('SIGHUP replaces both, one by one, and no call is refused', async () => {
    const key = await makeKey(owner, workers.url, { rateLimit: 1_000_000, rateLimitPeriod: 'hour' })
    const olds = workerPids(server.pid)
    const callers = startCallers(key.url, 8)
    await callers.untilMore(100)
    server.program.signal('SIGHUP')
    await waitUntil('all are replaced', () => server.output().includes('all workers are replaced'), 60_000)
    await callers.untilMore(200)
    await callers.stop()
    expect(aliveOf(olds)).toEqual([])
    expect(workerPids(server.pid)).toHaveLength(2)
    expect([...callers.statuses.keys()]).toEqual([200])
    await untilCounted(key.id, callers.all())
    expect(await countedCalls(reader, workers.url, key.id)).toBe(callers.all())
  }, 120_000)

  test('one that stands still is killed and replaced, and does not hold up the others', async () => {
    const timesReplaced = () => server.output().split('all workers are replaced').length
    const before = timesReplaced()
    const [victim = 0] = workerPids(server.pid)
    process.kill(victim, 'SIGSTOP')
    server.program.signal('SIGHUP')
    await waitUntil('all are replaced', () => timesReplaced() > before, 90_000)
    expect(aliveOf([victim])).toEqual([])
    expect(server.output()).toContain('a worker stands still and is killed')
    await waitUntil('two serve', async () => (await server.metric('workers')) === 2, 60_000)
    expect(workerPids(server.pid)).toHaveLength(2)
  }, 180_000)

  test('the supervisor is killed: its workers end, the next one starts at once, and limits are as they were', async () => {
    const key = await makeKey(owner, workers.url, { rateLimit: 40, rateLimitPeriod: 'hour' })
    for (let call = 0; call < 30; call++) expect(await callOnce(key.url)).toBe(200)
    const all = descendants(server.pid)
    await server.kill9()
    server = await workers.startAll()
    expect(aliveOf(all)).toEqual([])
    const statuses: number[] = []
    for (let call = 0; call < 20; call++) statuses.push(await callOnce(key.url))
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    await untilCounted(key.id, 40)
    expect(await countedCalls(reader, workers.url, key.id)).toBe(40)
  }, 90_000)

  test('commands reach a worker, and SIGTERM ends all of them', async () => {
    const services = await server.operator.services.list.query()
    expect(services).toBeArray()
    const all = descendants(server.pid)
    expect(await server.stop()).toBe(0)
    expect(aliveOf(all)).toEqual([])
    server = await workers.startAll()
  }, 90_000)
})

test('a worker that cannot start says why once, and the others serve', async () => {
  const workers = await createWorkers(2, file)
  try {
    mkdirSync(join(workers.dataDir, 'workers'), { recursive: true })
    writeFileSync(join(workers.dataDir, 'workers', '2'), 'in the way')
    const server = await workers.startAll()
    const owner = await signInAt(workers.url)
    const key = await makeKey(owner, workers.url)
    for (let call = 0; call < 10; call++) expect(await callOnce(key.url)).toBe(200)
    await waitUntil(
      'it was tried again',
      async () => (await server.metric('worker_restarts_total')) >= 3,
      20_000,
    )
    expect(server.output().split('a worker ended and is started again')).toHaveLength(2)
    expect(server.output()).toMatch(/"worker":2,"reason":"[^"]*workers\/2/)
    expect(await server.stop()).toBe(0)
  } finally {
    await workers.remove()
  }
}, 90_000)

test('auto starts one for each core, and one is a server without a supervisor', async () => {
  const workers = await createWorkers('auto', file)
  try {
    const server = await workers.startAll()
    const expected = availableParallelism() === 1 ? [] : Array.from({ length: availableParallelism() })
    expect(workerPids(server.pid)).toHaveLength(expected.length)
    expect(await server.stop()).toBe(0)
    const alone = await workers.start({ GATEHOUSE_WORKERS: '1' })
    expect(workerPids(alone.pid)).toEqual([])
    expect(await alone.stop()).toBe(0)
  } finally {
    await workers.remove()
  }
}, 120_000)

test.each(['0', 'x', '65', '1.5'])(
  'GATEHOUSE_WORKERS=%s is refused with what is allowed',
  async (setting) => {
    const workers = await createWorkers(2, file)
    try {
      const program = workers.launch({ GATEHOUSE_WORKERS: setting })
      expect(await program.exited).toBe(1)
      expect(program.output()).toContain('GATEHOUSE_WORKERS: expected auto, or a whole number from 1 to 64')
    } finally {
      await workers.remove()
    }
  },
  30_000,
)
