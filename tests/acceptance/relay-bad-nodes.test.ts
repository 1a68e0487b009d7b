import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import {
  answerTo,
  okAnswer,
  type RawRequest,
  type RawUpstream,
  startRawUpstream,
} from '../../scripts/world/raw-upstream.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import type { KeyStatisticsAnswer } from '../../shared/usage.ts'

/**
 * A running server before two nodes, one of which has something wrong with it in a way of its own. Callers must not
 * notice it, nor pay twice, and calls have to move to the other one.
 */

const callsPerNode = 300
const price = 26

const error = (request: RawRequest, code: number, message: string): void =>
  request.write(answerTo(request, `"error":${JSON.stringify({ code, message })}`))
/** A JSON-RPC error to this very call, under another status. */
const withStatus =
  (line: string, code = -32_000, message = 'refused') =>
  (request: RawRequest) =>
    error({ ...request, write: (text) => request.write(String(text).replace('200 OK', line)) }, code, message)
const says = (code: number, message: string) => (request: RawRequest) => error(request, code, message)
const plain =
  (line: string, body: string, more = '') =>
  (request: RawRequest) =>
    request.write(`HTTP/1.1 ${line}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`)
const bomb = Bun.gzipSync(Buffer.alloc(10_000_000, 0x20))

/** What a bad node does with every call, and the class under which its attempts are counted. */
const badNodes: Readonly<
  Record<string, readonly [answer: (request: RawRequest) => void, attemptClass: string]>
> = {
  'json-401': [withStatus('401 Unauthorized', -32_600, 'Must be authenticated!'), 'node-failure'],
  'json-402': [withStatus('402 Payment Required'), 'node-failure'],
  'json-403': [withStatus('403 Forbidden'), 'node-failure'],
  'json-500': [withStatus('500 Internal Server Error'), 'node-failure'],
  'html-502': [plain('502 Bad Gateway', '<html>'), 'node-failure'],
  redirect: [plain('302 Found', '', 'location: http://127.0.0.1/\r\n'), 'node-failure'],
  internal: [says(-32_603, 'Internal error'), 'node-failure'],
  'bad-key': [says(-32_000, 'invalid api key'), 'node-failure'],
  billing: [says(-32_000, 'Monthly capacity limit exceeded'), 'node-failure'],
  syncing: [says(-32_000, 'the node is syncing'), 'node-failure'],
  'json-429': [withStatus('429 Too Many Requests', 429, 'slow down'), 'limit'],
  'bare-429': [plain('429 Too Many Requests', '', 'retry-after: 2\r\n'), 'limit'],
  'rate-limit': [says(-32_005, 'daily request count exceeded, request rate limited'), 'limit'],
  pruned: [says(-32_000, 'missing trie node 5d1f'), 'missing-data'],
  behind: [says(-32_000, 'header not found'), 'missing-data'],
  'no-method': [says(-32_601, 'the method eth_getBalance does not exist/is not available'), 'unsupported'],
  'not-listed': [says(-32_600, 'rpc method is not whitelisted'), 'unsupported'],
  'own-timeout': [says(-32_000, 'execution aborted (timeout = 5s)'), 'call-failure'],
  unheard: [says(-32_042, 'words that nobody knows'), 'call-failure'],
  'html-200': [plain('200 OK', '<html>Welcome</html>'), 'malformed'],
  'other-id': [plain('200 OK', '{"jsonrpc":"2.0","id":1,"result":"0xevil"}'), 'malformed'],
  'two-results': [
    (request) => request.write(answerTo(request, '"result":"0xevil","result":"0xworse"')),
    'malformed',
  ],
  'two-answers': [
    (request) => request.write(okAnswer(`${JSON.stringify({ id: 1, result: '0xevil' })}{}`)),
    'malformed',
  ],
  'gzip-bomb': [
    (request) => {
      request.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      request.write(bomb)
    },
    'malformed',
  ],
  'endless-head': [({ write }) => write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`), 'malformed'],
  resets: [({ reset }) => reset(), 'unreachable'],
  closes: [({ end }) => end(), 'unreachable'],
}
const names = Object.keys(badNodes)

const nodes = new Map<string, { bad: RawUpstream; good: RawUpstream }>()
const nodesOf = (name: string) => {
  const found = nodes.get(name)
  if (found === undefined) throw new Error(`no nodes were started for ${name}`)
  return found
}

let installation: TestInstallation
let serverUrl: string
let keys: ReadonlyMap<string, { readonly id: string; readonly key: string }>
let statistics: () => Promise<KeyStatisticsAnswer>
let metric: (line: string) => Promise<number>

beforeAll(async () => {
  for (const name of names) {
    const [answer] = badNodes[name] ?? []
    if (answer === undefined) continue
    nodes.set(name, {
      bad: startRawUpstream(answer),
      // The bad one is quicker, as failing often is.
      good: startRawUpstream(
        (request) => void setTimeout(() => request.write(answerTo(request, '"result":"0x5"')), 2),
      ),
    })
  }
  installation = await createTestInstallation({
    verifiers: { builtIn: false },
    chains: { testnet: { family: 'evm', chainId: 31_337, blockMs: 1_000 } },
    endpoints: names.map((name) => ({
      name,
      chain: 'testnet',
      upstreams: [{ url: nodesOf(name).bad.url }, { url: nodesOf(name).good.url }],
    })),
    creditPrices: { eth_getBalance: price },
  })
  const server = await installation.start()
  serverUrl = server.url
  metric = server.metric
  const owner = await signInAt(server.url)
  const made = await makeQueryKeys(
    owner,
    server.url,
    names.map((name) => ({ name, endpoint: name })),
  )
  keys = new Map(made.map((key, index) => [names[index] ?? '', key]))
  const reader = await owner.mutate('apiKeys.create', { name: 'reader', permissions: ['statistics_read'] })
  const headers = { authorization: `Bearer ${(reader.data as { value: string }).value}` }
  statistics = async () => {
    const response = await fetch(`${server.url}/account/statistics/keys?limit=100`, { headers })
    return (await response.json()) as KeyStatisticsAnswer
  }
}, 90_000)
afterAll(async () => {
  await installation?.remove()
  for (const { bad, good } of nodes.values()) for (const node of [bad, good]) node.stop()
})

const byName = (one: { name: string | null }, other: { name: string | null }): number =>
  (one.name ?? '').localeCompare(other.name ?? '')

/** Sends calls one after the other on four connections, each about an account of its own. Returns how many had the answer. */
async function rightAnswers(name: string): Promise<number> {
  const url = `${serverUrl}/rpc/${name}/${keys.get(name)?.key}`
  let right = 0
  let next = 0
  async function send(): Promise<void> {
    while (next < callsPerNode) {
      const id = next++
      const params = [`0x${id.toString(16).padStart(40, '0')}`, 'latest']
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_getBalance', params })
      const response = await fetch(url, { method: 'POST', body })
      if ((await response.text()) === `{"jsonrpc":"2.0","id":${id},"result":"0x5"}`) right++
    }
  }
  await Promise.all([send(), send(), send(), send()])
  return right
}

describe.each(names)('a node that is bad in the way of %s', (name) => {
  test('is not noticed, and calls move away from it', async () => {
    const { bad, good } = nodesOf(name)
    expect(await rightAnswers(name)).toBeGreaterThanOrEqual(callsPerNode - 1)
    expect(bad.requests.length).toBeGreaterThan(0)
    expect(bad.requests.length).toBeLessThan(callsPerNode / 10)
    expect(good.requests.length).toBe(callsPerNode)
    const attempts = `upstream_attempts_total{endpoint="${name}",upstream="upstream-1",class="${badNodes[name]?.[1]}"}`
    expect(await metric(attempts)).toBe(bad.requests.length)
  }, 30_000)
})

test('every call was charged once', async () => {
  const { items } = await statistics()
  const charged = items.map(({ name, requests, credits }) => ({ name, requests, credits }))
  expect(charged.toSorted(byName)).toEqual(
    names.map((name) => ({ name, requests: callsPerNode, credits: callsPerNode * price })).toSorted(byName),
  )
})
