import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { type Anvil, startAnvil } from '../../../scripts/world/anvil.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import {
  type TestRelay,
  startTestRelay,
  testPrice,
  type RelayScenario,
} from '../test-support/relay-under-test.ts'
import {
  notificationText,
  resultText,
  type ScriptedNode,
  startScriptedNode,
} from './test-support/scripted-node.ts'
import { closeSocketClients, connectSocket } from './test-support/socket-client.ts'
import { covers } from '../../../tests/support/covers.ts'

let anvil: Anvil
const relays: TestRelay[] = []
const nodes: ScriptedNode[] = []
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_337, timestamp: 1_700_000_000, blocks: 'on-demand' })
})
afterAll(() => anvil?.stop())
afterEach(async () => {
  closeSocketClients()
  await Promise.all(relays.splice(0).map((relay) => relay.stop()))
  await Promise.all(nodes.splice(0).map((node) => node.stop()))
})

function start(world: Partial<RelayScenario> = {}): TestRelay {
  const relay = startTestRelay({ upstreams: [{ url: anvil.url }], ...world })
  relays.push(relay)
  return relay
}

function startNode(...script: Parameters<typeof startScriptedNode>): ScriptedNode {
  const node = startScriptedNode(...script)
  nodes.push(node)
  return node
}

const anvilOfItsOwn = () => startAnvil({ chainId: 31_337, timestamp: 1_700_000_000, blocks: 'on-demand' })

let mined = 1_700_000_100
const mine = () => anvil.mine([mined++])

describe('subscriptions', () => {
  test('are told of what happens, by a real node, and cost credits', async () => {
    const relay = start()
    const socket = await connectSocket(relay.webSocketUrl)
    const { result: id } = await socket.call('eth_subscribe', ['newHeads'])
    expect(id).toMatch(/^0x/)
    await mine()
    await mine()
    await waitUntil('two are told', () => socket.notifications().length === 2)
    const [first, second] = socket.notifications()
    expect([first?.params?.subscription, second?.params?.subscription]).toEqual([id, id] as string[])
    expect(first?.params?.result).toMatchObject({ number: expect.stringMatching(/^0x/) })
    expect(relay.metered.map(({ calls, outcomes }) => [calls[0]?.method, outcomes])).toEqual([
      ['eth_subscribe', ['ok']],
      ['eth_subscription', ['ok']],
      ['eth_subscription', ['ok']],
    ])
    expect(await socket.call('eth_unsubscribe', [id])).toMatchObject({ result: true })
    await mine()
    expect(await socket.call('eth_unsubscribe', [id])).toMatchObject({
      error: { message: expect.stringContaining('no such subscription') },
    })
    expect(socket.notifications()).toHaveLength(2)
  })

  test('of several connections do not meet, also in one message with other calls', async () => {
    const relay = start()
    const [one, other] = [await connectSocket(relay.webSocketUrl), await connectSocket(relay.webSocketUrl)]
    one?.send(
      '[{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}]',
    )
    await waitUntil('it is answered', () => one?.received.length === 1)
    expect(JSON.parse(one?.received[0] ?? '')).toMatchObject([
      { id: 1, result: expect.any(String) },
      { id: 2 },
    ])
    await mine()
    await waitUntil('it is told', () => one?.notifications().length === 1)
    expect(other?.received).toEqual([])
  })

  test('that the node refuses are answered as it says', async () => {
    const socket = await connectSocket(start().webSocketUrl)
    expect(await socket.call('eth_subscribe', ['nonsense'])).toMatchObject({ error: { code: -32602 } })
    expect(await socket.call('eth_unsubscribe', ['0x1'])).toMatchObject({ error: { code: -32002 } })
    expect(await socket.call('eth_unsubscribe', {})).toMatchObject({ error: { code: -32002 } })
  })

  test('are at most so many', async () => {
    const socket = await connectSocket(start({ settings: { subscriptions: 1 } }).webSocketUrl)
    await socket.call('eth_subscribe', ['newHeads'])
    expect(await socket.call('eth_subscribe', ['newHeads'])).toMatchObject({ error: { code: -32005 } })
  })

  test('end with a reason when notifications are beyond the limit, and none is lost without a sign', async () => {
    const relay = start({ credits: { units: 2 * testPrice, period: 'hour' } })
    const socket = await connectSocket(relay.webSocketUrl)
    await socket.call('eth_subscribe', ['newHeads'])
    await mine()
    await waitUntil('one is told', () => socket.notifications().length === 1)
    await mine()
    expect(await socket.untilClosed()).toMatchObject({
      code: 1008,
      reason: expect.stringContaining('credits'),
    })
    expect(relay.refused).toEqual([{ calls: 1, limit: 'credits' }])
  })
})

test('what is told of a subscription comes after its answer, whatever the order of the node', async () => {
  const node = startNode((socket, id) => {
    socket.cork(() => {
      const tell = (told: number) => socket.send(notificationText(`0x${id}`, told))
      tell(0)
      tell(1)
      socket.send(resultText(id, `0x${id}`))
      for (let told = 2; told < 5; told++) tell(told)
      socket.send(notificationText('0xffff', 'of nobody'))
    })
  })
  const socket = await connectSocket(start({ upstreams: [{ url: node.url }] }).webSocketUrl)
  for (let id = 1; id <= 20; id++)
    socket.send(`{"jsonrpc":"2.0","id":${id},"method":"eth_subscribe","params":["newPendingTransactions"]}`)
  await waitUntil('all are told', () => socket.received.length === 120)
  const seen = new Map<string, number[]>()
  for (const text of socket.received) {
    const { result, params } = JSON.parse(text)
    if (params === undefined) seen.set(result, [])
    else seen.get(params.subscription)?.push(params.result)
  }
  expect(seen.size).toBe(20)
  for (const told of seen.values()) expect(told).toEqual([0, 1, 2, 3, 4])
})

describe('an upstream', () => {
  test('that hangs without a sign is given up; with no other one the connection ends with 1012', async () => {
    const hanging = await anvilOfItsOwn()
    const settings = { heartbeatMs: 100, resubscribeMs: 300, connectMs: 100 }
    const relay = start({ upstreams: [{ url: hanging.url }], settings })
    const [socket, idle] = [await connectSocket(relay.webSocketUrl), await connectSocket(relay.webSocketUrl)]
    await socket?.call('eth_subscribe', ['newHeads'])
    hanging.pause()
    try {
      expect(await socket?.untilClosed()).toMatchObject({
        code: 1012,
        reason: expect.stringContaining('subscribe again'),
      })
      expect(idle?.ending()).toBeNull()
    } finally {
      hanging.resume()
      await hanging.stop()
    }
  })

  test('that has nothing to tell is well as long as it answers pings', async () => {
    const node = startNode((socket, id) => void socket.send(resultText(id, '0xa')))
    const relay = start({ upstreams: [{ url: node.url }], settings: { heartbeatMs: 20 } })
    const socket = await connectSocket(relay.webSocketUrl)
    await socket.call('eth_subscribe', ['newHeads'])
    await waitUntil('it is pinged again and again', () => node.pings() > 5)
    expect(socket.ending()).toBeNull()
  })

  test('that does not answer is given up; the call costs nothing, and the connection stays', async () => {
    const node = startNode(() => undefined)
    const relay = start({ upstreams: [{ url: node.url }], settings: { firstByteMs: 100 } })
    const socket = await connectSocket(relay.webSocketUrl)
    expect(await socket.call('eth_subscribe', ['newHeads'])).toMatchObject({ error: { code: -32002 } })
    expect(relay.metered).toMatchObject([{ outcomes: ['unanswered'], creditsBack: [testPrice] }])
    expect(await socket.call('eth_chainId')).toMatchObject({ result: '0x1' })
    expect(socket.ending()).toBeNull()
  })

  test('that sends a message without end is given up', async () => {
    const opened: { send(text: string): unknown }[] = []
    const node = startNode((socket, id) => {
      opened.push(socket)
      socket.send(resultText(id, '0xa'))
    })
    const settings = { notificationChars: 1_000, resubscribeMs: 100 }
    const socket = await connectSocket(start({ upstreams: [{ url: node.url }], settings }).webSocketUrl)
    await socket.call('eth_subscribe', ['newHeads'])
    opened[0]?.send(notificationText('0xa', 'x'.repeat(10_000)))
    expect(await socket.untilClosed()).toMatchObject({ code: 1012 })
  })

  test('gets its own path and headers, and nothing of the caller', async () => {
    const node = startNode((socket, id) => void socket.send(resultText(id, '0xa')))
    const upstream = {
      url: node.url,
      webSocketUrl: `${node.url.replace('http', 'ws')}/ws/secret`,
      headers: { 'x-key': 'k' },
    }
    const socket = await connectSocket(start({ upstreams: [upstream] }).webSocketUrl, {
      'x-caller': 'caller',
    })
    await socket.call('eth_subscribe', ['newHeads'])
    expect(node.upgrades).toHaveLength(1)
    expect(node.upgrades[0]).toStartWith(`${node.url}/ws/secret `)
    expect(node.upgrades[0]).toContain('"x-key":"k"')
    expect(node.upgrades[0]).not.toContain('caller')
  })

  test('that repeats its address and headers in an error does not give them away', async () => {
    covers('threat-19')
    const node = startNode((socket, id) => {
      const message = `no project at ${node.url}/v3/secret-project with top-secret-key`
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message } }))
    })
    const webSocketUrl = `${node.url.replace('http', 'ws')}/v3/secret-project`
    const relay = start({
      upstreams: [{ url: node.url, webSocketUrl, headers: { 'x-key': 'top-secret-key' } }],
    })
    const socket = await connectSocket(relay.webSocketUrl)
    const { error } = await socket.call('eth_subscribe', ['newHeads'])
    expect(error).toMatchObject({ code: -32000, message: expect.stringContaining('no project at') })
    for (const secret of [new URL(node.url).host, 'secret-project', 'top-secret-key'])
      expect(JSON.stringify(error)).not.toContain(secret)
  })
})
