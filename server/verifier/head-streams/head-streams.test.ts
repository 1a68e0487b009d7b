import { describe, expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { closedAfterEach } from '../../../tests/support/closed-after-each.ts'
import type { Assignments, Target } from '../../../shared/verifier-protocol.ts'
import { systemClock } from '../../platform/clock.ts'
import { type StreamingEgress, createEgress } from '../../platform/egress.ts'
import { assignments, target } from '../test-support/fixtures.ts'
import { createDialFor } from './dial.ts'
import { type HeadStreams, createHeadStreams } from './head-streams.ts'

type NodeSocket = Bun.ServerWebSocket<undefined>

const opened = closedAfterEach()

/** A node that pushes what a test says. */
function startNode(
  answer: (socket: NodeSocket, request: string) => void = subscribe,
  hostname = '127.0.0.1',
) {
  const sockets = new Set<NodeSocket>()
  const requests: string[] = []
  const headers: Headers[] = []
  const server = Bun.serve({
    hostname,
    port: 0,
    fetch(request, bun) {
      headers.push(request.headers)
      return bun.upgrade(request) ? undefined : new Response(null, { status: 400 })
    },
    websocket: {
      open: (socket: NodeSocket) => void sockets.add(socket),
      close: (socket: NodeSocket) => void sockets.delete(socket),
      message(socket: NodeSocket, text) {
        requests.push(String(text))
        answer(socket, String(text))
      },
    },
  })
  opened.push(() => server.stop(true))
  return {
    ws: `ws://${hostname.includes(':') ? `[${hostname}]` : hostname}:${server.port}/`,
    requests,
    headers,
    open: () => sockets.size,
    push: (height: number) => sockets.forEach((socket) => socket.send(headOf(height))),
    cut: () => sockets.forEach((socket) => socket.terminate()),
    stop: () => server.stop(true),
  }
}

const subscribe = (socket: NodeSocket): void => void socket.send('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
const headOf = (height: number): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'eth_subscription',
    params: { subscription: '0x1', result: { number: `0x${height.toString(16)}` } },
  })

function listen(allowPrivate = ['127.0.0.1/32', '::1/128']) {
  const egress: StreamingEgress = createEgress({
    clock: systemClock,
    allowPrivate,
    schemes: ['http', 'https'],
  })
  const behind: string[] = []
  const unreachable: string[] = []
  const streams: HeadStreams = createHeadStreams({
    dialFor: createDialFor(egress.resolve),
    clock: systemClock,
    random: () => 0.1,
    onBehind: (chain) => void behind.push(chain),
    onUnreachable: (serviceId) => void unreachable.push(serviceId),
  })
  opened.push(() => egress.close(), streams.close)
  const assign = (targets: Target[], changes: Partial<Assignments> = {}) =>
    streams.assign(assignments(targets, changes))
  return { assign, close: streams.close, behind, unreachable }
}

const streamOf = (serviceId: string, ws: string, changes: Partial<Target> = {}) =>
  target(serviceId, { ws, ...changes })

describe('a service with a WebSocket address', () => {
  test('has one subscription, which outlives new thresholds and ends with the service', async () => {
    const node = startNode()
    const { assign } = listen()
    assign([streamOf('a', node.ws), target('b')])
    await waitUntil('the node is asked', () => node.requests.length === 1)
    expect(JSON.parse(node.requests[0] ?? '')).toMatchObject({
      method: 'eth_subscribe',
      params: ['newHeads'],
    })
    const { policy } = target('a')
    assign([streamOf('a', node.ws, { policy: { ...policy, enterBlocks: 7 } })])
    assign([])
    await waitUntil('the stream is closed', () => node.open() === 0)
    expect(node.headers).toHaveLength(1)
  })

  test('over IPv6 is listened to like every other', async () => {
    const node = startNode(subscribe, '::1')
    listen().assign([streamOf('a', node.ws)])
    await waitUntil('the node is asked', () => node.requests.length === 1)
  })

  test('is sent its headers where it is on the host of the endpoint, and nowhere else', async () => {
    const node = startNode()
    const headers = { authorization: 'Bearer s3cret' }
    const { assign } = listen()
    assign([
      streamOf('a', node.ws, { headers }),
      streamOf('b', node.ws, { headers, endpoint: 'http://elsewhere.example/' }),
    ])
    await waitUntil('both streams are open', () => node.headers.length === 2)
    expect(node.headers.map((sent) => sent.get('authorization')).toSorted()).toEqual(['Bearer s3cret', null])
  })

  test('is not dialled where the guard forbids it', async () => {
    const [forbidden, allowed] = [startNode(), startNode(subscribe, '::1')]
    const { assign } = listen(['::1/128'])
    assign([streamOf('a', forbidden.ws), streamOf('b', allowed.ws)])
    await waitUntil('the allowed node is asked', () => allowed.requests.length === 1)
    expect(forbidden.headers).toEqual([])
  })

  test('that has no such subscription, or floods, is left alone for a long time', async () => {
    const refusal = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}'
    const refusing = startNode((socket) => void socket.send(refusal))
    const flooding = startNode((socket) => {
      for (let height = 0; height < 1_001; height++) socket.send(headOf(height))
    })
    const { assign, unreachable } = listen()
    assign([streamOf('a', refusing.ws), streamOf('b', flooding.ws)])
    await waitUntil(
      'both nodes are asked',
      () => refusing.requests.length === 1 && flooding.requests.length === 1,
    )
    await waitUntil('both streams are closed', () => refusing.open() === 0 && flooding.open() === 0)
    const other = startNode()
    assign([streamOf('a', refusing.ws), streamOf('b', flooding.ws), streamOf('c', other.ws)])
    for (let loss = 1; loss <= 3; loss++) {
      await waitUntil('the other node is asked again', () => other.requests.length === loss)
      other.cut()
    }
    expect([refusing.headers.length, flooding.headers.length, unreachable.length]).toEqual([1, 1, 0])
  })
})

describe('a chain is probed sooner', () => {
  test('once, when a node falls behind; and again only after it has caught up', () => {
    const received = new Map<string, (text: string) => void>()
    const behind: string[] = []
    const streams = createHeadStreams({
      dialFor: ({ serviceId }) => {
        return (listener) => {
          received.set(serviceId, listener.received)
          return Promise.resolve({ send: () => undefined, close: () => undefined })
        }
      },
      clock: systemClock,
      random: () => 0,
      onBehind: (chain) => void behind.push(chain),
      onUnreachable: () => undefined,
    })
    opened.push(streams.close)
    streams.assign(assignments(['a', 'b'].map((id) => streamOf(id, 'ws://127.0.0.1/'))))
    const counts = (...pushed: [string, number][]) =>
      pushed.map(([id, height]) => {
        received.get(id)?.(headOf(height))
        return behind.length
      })
    expect(counts(['b', 100], ['a', 105], ['a', 106], ['a', 110], ['b', 104])).toEqual([0, 0, 1, 1, 1])
    expect(counts(['b', 105], ['a', 111], ['b', 111], ['b', 117], ['a', 117])).toEqual([1, 2, 2, 3, 3])
    expect(new Set(behind)).toEqual(new Set(['testnet']))
  })

  test('when the only node of a chain pushes no more blocks', async () => {
    const node = startNode()
    const { assign, behind } = listen()
    const { policy } = target('a')
    const silent = streamOf('a', node.ws, { policy: { ...policy, enterSec: 0 } })
    const [chain] = assignments([]).chains
    assign([silent], { chains: chain ? [{ ...chain, blockMs: 100 }] : [] })
    await waitUntil('the node is asked', () => node.requests.length === 1)
    node.push(5)
    await waitUntil('the node is behind', () => behind.length === 1)
  })
})

test('a node that is gone is suspected once its connection cannot be opened again', async () => {
  const node = startNode()
  const { assign, unreachable } = listen()
  assign([streamOf('a', node.ws)])
  await waitUntil('the node is asked', () => node.requests.length === 1)
  node.push(1)
  await node.stop()
  await waitUntil('the node is unreachable', () => unreachable.length === 1)
  expect(unreachable).toEqual(['a'])
})

test('a connection that is lost is opened again, and nothing is suspected', async () => {
  const node = startNode()
  const { assign, unreachable } = listen()
  assign([streamOf('a', node.ws)])
  for (let loss = 1; loss <= 3; loss++) {
    await waitUntil('the node is asked again', () => node.requests.length === loss)
    node.cut()
  }
  expect(unreachable).toEqual([])
})
