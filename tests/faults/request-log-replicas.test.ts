import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import type { GatehouseProcess } from '../../scripts/world/gatehouse-process.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { answerTo, startRawUpstream } from '../../scripts/world/raw-upstream.ts'
import { type Replicas, startReplicas } from '../../scripts/world/replicas.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { isGap, type LiveRequests, type RequestPage, type RequestQuery } from '../../shared/request-log.ts'
import { commandLineOf } from '../support/command-line.ts'
import { newestFirst } from '../../shared/record-position.ts'
import { type ConsoleClient, consoleClient } from '../support/console-client.ts'

/** The request log of several processes, whichever of them is asked. They share PostgreSQL alone. */

const upstream = startRawUpstream((request) => request.write(answerTo(request, '"result":"0x5"')))
const wallets = { operator: createTestWallet(), owner: createTestWallet() }
let database: TestDatabase
let replicas: Replicas
let key: string
afterAll(async () => {
  await replicas?.remove()
  await database?.drop()
  upstream.stop()
}, 60_000)

beforeAll(async () => {
  database = await testDatabase()
  replicas = await startReplicas({
    count: 2,
    file: {
      verifiers: { builtIn: false },
      endpoints: [
        {
          name: 'testnet',
          chain: 'ethereum',
          upstreams: [{ url: upstream.url }],
          methods: { unknown: 'allow' },
        },
      ],
    },
    databaseUrl: database.url,
    redisUrl: null,
    environment: { GATEHOUSE_LOG_LEVEL: 'error', GATEHOUSE_OPERATORS: wallets.operator.address },
  })
  const owner = await signInAt(processAt(0).url, wallets.owner)
  const [made] = await makeQueryKeys(owner, processAt(0).url, [{ name: 'app', endpoint: 'testnet' }])
  key = made?.key ?? ''
}, 120_000)

function processAt(replica: number): GatehouseProcess {
  const found = replicas.servers[replica]
  if (found === undefined) throw new RangeError(`there is no replica ${replica}`)
  return found
}

async function callAt(replica: number, method: string): Promise<void> {
  const call = async () => {
    const response = await fetch(`${processAt(replica).url}/rpc/testnet/${key}`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
    })
    await response.text()
    return response.status === 200
  }
  await waitUntil('a call is answered', call, 10_000)
}

const requestsAt = async (replica: number, who: keyof typeof wallets = 'owner') =>
  consoleClient(await signInAt(processAt(replica).url, wallets[who])).requests

const methodsOf = ({ requests }: Pick<RequestPage, 'requests'>): (string | null)[] =>
  requests.map((each) => (isGap(each) ? 'gap' : each.method))

/** Reads page after page, each at another process. */
async function readInTurns(clients: readonly ConsoleClient['requests'][], query: RequestQuery) {
  const pages: RequestPage[] = []
  let before: string | null = null
  do {
    const client = clients[pages.length % clients.length]
    if (client === undefined) throw new RangeError('no process to ask')
    const page: RequestPage = await client.list.query({ ...query, ...(before !== null && { before }) })
    pages.push(page)
    before = page.nextCursor
  } while (before !== null)
  return pages
}

const together = (count: number) =>
  waitUntil(
    `${count} processes tell what they logged`,
    async () => {
      const all = Array.from({ length: count }, async (_, replica) =>
        (await requestsAt(replica, 'operator')).list.query({ all: true, limit: 1 }),
      )
      return (await Promise.all(all)).every(
        ({ processes, silent }) => processes === count && silent.length === 0,
      )
    },
    20_000,
  )

/** Names that say at which process a call was made, and which it was. */
const methodsAt = (count: number, each: number, prefix: string): string[] =>
  Array.from({ length: count * each }, (_, index) => `eth_${prefix}${index}at${index % count}`)

async function expectOneLog(count: number): Promise<void> {
  const from = Date.now()
  const methods = methodsAt(count, 9, `of${count}n`)
  for (const [index, method] of methods.entries()) await callAt(index % count, method)
  const clients = await Promise.all(Array.from({ length: count }, (_, replica) => requestsAt(replica)))
  for (const client of clients) {
    const page = await client.list.query({ from })
    expect(page).toMatchObject({ processes: count, silent: [], nextCursor: null })
    expect(methodsOf(page).toSorted()).toEqual(methods.toSorted())
    expect(page.requests).toEqual(page.requests.toSorted(newestFirst))
    const { counts, silent } = await client.counts.query({ from })
    expect(silent).toEqual([])
    expect(counts.reduce((sum, one) => sum + one.answered + one.refused, 0)).toBe(methods.length)
  }
  const pages = await readInTurns(clients, { from, limit: 4 })
  expect(pages.flatMap(methodsOf).toSorted()).toEqual(methods.toSorted())
  expect(pages).toHaveLength(Math.ceil(methods.length / 4))
  const wanted = methods.at(-1)
  const found = await clients[0]?.list.query({ from, method: wanted })
  expect(found?.requests).toHaveLength(1)
}

test('two processes tell the requests of both, in pages that each of them goes on with', async () => {
  await together(2)
  await expectOneLog(2)
}, 60_000)

describe('a third process', () => {
  beforeAll(async () => {
    await replicas.add()
    await together(3)
  }, 60_000)

  test('three processes tell the requests of all', async () => {
    await expectOneLog(3)
  }, 60_000)

  test('owners see their own, operators those of all accounts, and a stranger none', async () => {
    const mine = (await (await requestsAt(1)).list.query({})).requests.length
    expect(mine).toBeGreaterThan(40)
    expect((await (await requestsAt(2, 'operator')).list.query({ all: true })).requests).toHaveLength(mine)
    expect((await (await requestsAt(2, 'operator')).list.query({})).requests).toEqual([])
    const stranger = consoleClient(await signInAt(processAt(1).url)).requests
    expect((await stranger.list.query({})).requests).toEqual([])
    const refused = await stranger.list.query({ before: 'x' }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ data: { fault: 'invalid_request' } })
  }, 30_000)

  test('who follows at one process sees what the others answer, and when one is back that was gone', async () => {
    const [seen, processes] = [new Set<string | null>(), [] as number[]]
    const stream = (await requestsAt(0)).live.subscribe(
      { endpoint: 'testnet' },
      {
        onData({ data }: { readonly data: LiveRequests }) {
          for (const method of methodsOf(data)) seen.add(method)
          processes.push(data.processes)
        },
      },
    )
    try {
      await waitUntil('all are followed', () => processes.at(-1) === 3, 10_000)
      await expectSeen(['eth_live0', 'eth_live1', 'eth_live2'], seen)
      await processAt(2).kill9()
      await waitUntil('it is gone', () => processes.at(-1) === 2, 20_000)
      await replicas.restart(2)
      await waitUntil('it is followed again', () => processes.at(-1) === 3, 20_000)
      await expectSeen(['eth_again0', 'eth_again1', 'eth_again2'], seen)
      // What it logged before it was killed is read again.
      const found = await (await requestsAt(1)).list.query({ method: 'eth_live2' })
      expect(found.requests).not.toEqual([])
    } finally {
      stream.unsubscribe()
    }
  }, 60_000)

  test('a process that does not answer is named: its address for operators alone, and on the command line', async () => {
    await together(3)
    const [owner, operator] = [await requestsAt(0), await requestsAt(0, 'operator')]
    const commands = commandLineOf(processAt(0).dataDir)
    processAt(2).program.signal('SIGSTOP')
    try {
      const [own, all, told] = await Promise.all([
        owner.list.query({}),
        operator.counts.query({ all: true, from: Date.now() - 60_000 }),
        commands.run(['requests', '--limit', '1']),
      ])
      expect(own).toMatchObject({ processes: 3, silent: [expect.stringMatching(/^[0-9a-f]{16}$/)] })
      expect(own.requests.length).toBeGreaterThan(20)
      expect(all.silent).toEqual([expect.stringMatching(/^[0-9a-f]{16} at http:\/\/127\.0\.0\.1:\d+$/)])
      expect(told.stderr).toBe(
        `Requests of one of 3 processes are missing, which did not answer: ${all.silent[0]}.\n`,
      )
      expect(told.exitCode).toBe(0)
    } finally {
      processAt(2).program.signal('SIGCONT')
    }
    await together(3)
  }, 60_000)
})

/** Calls at each process in turn until all were seen: those that follow one may not be there yet. */
const expectSeen = (methods: readonly string[], seen: ReadonlySet<string | null>): Promise<void> =>
  waitUntil(
    `${methods.join(', ')} are seen`,
    async () => {
      for (const [replica, method] of methods.entries()) if (!seen.has(method)) await callAt(replica, method)
      return methods.every((method) => seen.has(method))
    },
    20_000,
  )
