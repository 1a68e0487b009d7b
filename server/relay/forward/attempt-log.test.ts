import { defaultCache } from '../../../shared/cache-settings.ts'
import { expect, test } from 'bun:test'

import { closedAfterEach } from '../../../tests/support/closed-after-each.ts'
import {
  answerTo,
  okAnswer,
  type RawRequest,
  type RawUpstream,
  startRawUpstream,
} from '../../../scripts/world/raw-upstream.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { systemClock } from '../../platform/clock.ts'
import { createEgress } from '../../platform/egress.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { createRelayMetrics } from '../relay-metrics.ts'
import { RpcCall } from '../rpc-call.ts'
import { relaySettings } from '../settings.ts'
import type { AttemptRecord } from './attempt-class.ts'
import { forward } from './forward.ts'
import { createRoutes } from './routes.ts'

const opened = closedAfterEach()

function node(answer: (request: RawRequest) => void): RawUpstream {
  const raw = startRawUpstream(answer)
  opened.push(raw.stop)
  return raw
}

const good = (request: RawRequest): void => request.write(answerTo(request, '"result":"0x5"'))
const says = (code: number, message: string) => (request: RawRequest) =>
  request.write(answerTo(request, `"error":${JSON.stringify({ code, message })}`))

/** The nodes are called in their order. */
function routeTo(nodes: readonly RawUpstream[]) {
  const egress = createEgress({ clock: systemClock, allowPrivate: ['127.0.0.0/8'], schemes: ['http'] })
  const routes = createRoutes({
    egress,
    clock: systemClock,
    random: () => 0,
    decisionOf: () => 'UP',
    monitored: {
      suspect: () => undefined,
      boundsOf: () => ({ lowestState: () => null, logBlocks: () => null }),
    },
    serviceHeads: { of: () => null, ofChain: () => null },
    budgets: { of: () => null },
    sharedTips: null,
    cache: { settings: () => defaultCache, store: null },
    metrics: createMetrics(),
    relayMetrics: createRelayMetrics(createMetrics(), () => 0),
    settings: { ...relaySettings, hedgeAfterMs: null },
  })
  opened.push(egress.close, routes.close)
  return routes.of({
    name: 'testnet',
    chain: undefined,
    family: 'evm',
    upstreams: nodes.map(({ url }, index) => ({
      id: `node-${index}`,
      url,
      headers: {},
      webSocketUrl: null,
      weight: 1,
      tier: 0,
      budget: null,
      identity: 'upstream-1',
      compression: false,
      serviceId: null,
    })),
    methods: { allow: [], deny: [], unknown: 'refuse' },
    settings: { byMethod: {} },
    bodyBounds: { all: 1_000, some: 1_000 },
    priceOf: () => 1,
    conditionalPrices: { cached: null, logsPer1000Blocks: 0 },
    pricesVersion: '1',
    isRest: false,
  })
}

async function attemptsFor(nodes: readonly RawUpstream[], methods: readonly string[]) {
  const route = routeTo(nodes)
  const calls = methods.map(
    (method) =>
      new RpcCall({ kind: 'call', id: '1', method, params: '[]', isLegacy: false }, route.factsOf(method)),
  )
  const attemptLog: AttemptRecord[] = []
  const deadlineAt = systemClock.monotonic() + 5_000
  await forward(calls, route, { keyId: 'key', deadlineAt, waiter: null, attemptLog })
  for (const { ms } of attemptLog) expect(ms).toBeWithin(0, 5_000)
  return attemptLog.map(({ upstream, class: attemptClass }) => [upstream, attemptClass])
}

test('whoever wants to know is told every attempt for a call, in order, with its class', async () => {
  const nodes = [
    node(says(-32_005, 'rate limit')),
    node(says(-32_000, 'header not found')),
    node(({ reset }) => reset()),
    node(good),
  ]
  expect(await attemptsFor(nodes, ['eth_call'])).toEqual([
    ['node-0', 'limit'],
    ['node-1', 'missing-data'],
    ['node-2', 'unreachable'],
    ['node-3', 'answer'],
  ])
})

test('a call that waits for the answer to an equal one is told the attempts of that one, as shared', async () => {
  const waiting: RawRequest[] = []
  const route = routeTo([node((request) => void waiting.push(request)), node(good)])
  const forwardOne = async () => {
    const facts = route.factsOf('eth_call')
    const call = new RpcCall(
      { kind: 'call', id: '1', method: 'eth_call', params: '[]', isLegacy: false },
      facts,
    )
    const attemptLog: AttemptRecord[] = []
    const deadlineAt = systemClock.monotonic() + 5_000
    await forward([call], route, { keyId: 'key', deadlineAt, waiter: null, attemptLog })
    return attemptLog.map(({ upstream, class: attemptClass, isShared = false }) => [
      upstream,
      attemptClass,
      isShared,
    ])
  }
  const [first, second] = [forwardOne(), forwardOne()]
  await waitUntil('the node has the call', () => waiting.length > 0)
  expect(waiting).toHaveLength(1)
  waiting[0]?.reset()
  expect(await first).toEqual([
    ['node-0', 'unreachable', false],
    ['node-1', 'answer', false],
  ])
  expect(await second).toEqual([
    ['node-0', 'unreachable', true],
    ['node-1', 'answer', true],
  ])
})

test('and those for the entries of a batch that were asked elsewhere', async () => {
  const partial = node((request) => {
    const [first] = JSON.parse(request.body) as { id: number }[]
    request.write(okAnswer(`[{"jsonrpc":"2.0","id":${first?.id},"result":"0x5"}]`))
  })
  expect(await attemptsFor([partial, node(good)], ['eth_call', 'eth_gasPrice'])).toEqual([
    ['node-0', 'answer'],
    ['node-1', 'answer'],
  ])
})
