import { afterEach, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { keyValue, type RelayScenario, testPrice } from '../test-support/relay-under-test.ts'
import { startRestRelay } from './test-support/rest-relay.ts'

const opened: (() => unknown)[] = []

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

const pattern = 'GET /eth/v1/events'
const head = 'event: head\ndata: {"slot":"10"}\n\n'

/** A node with `GET /eth/v1/events`, whose streams say what the test has them say. */
function startNode() {
  const streams: ReadableStreamDefaultController<string>[] = []
  const counts = { asked: 0, gone: 0, pulled: 0 }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch(request) {
      counts.asked++
      if (!request.url.includes('/events')) return Response.json({})
      const body = new ReadableStream<string>(
        {
          start(controller) {
            streams.push(controller)
            controller.enqueue(': hello\n\n') // the head of its answer comes with it
          },
          pull: () => void counts.pulled++,
          cancel: () => void counts.gone++,
        },
        { highWaterMark: 1 },
      )
      return new Response(body, { headers: { 'content-type': 'text/event-stream', 'set-cookie': 'a=b' } })
    },
  })
  const stop = () => server.stop(true)
  opened.push(stop)
  return { url: server.url.origin, streams, counts, stop }
}

const asItIs: NonNullable<RelayScenario['findEndpoint']> = (endpoint) => endpoint

const stateOf = new Map<string, 'DOWN' | 'UP'>()

function relayTo(nodes: readonly { readonly url: string }[], world: Partial<RelayScenario> = {}) {
  const relay = startRestRelay(nodes, [pattern, 'GET /eth/v1/node/*'], {
    settings: { recheckMs: 10 },
    ...world,
  })
  opened.push(relay.stop)
  const streamsOpen = async () =>
    Number(/^gatehouse_relay_event_streams (\d+)$/m.exec(await relay.metrics.render())?.[1])
  return { relay, streamsOpen }
}

const accept = { accept: 'text/event-stream' }

/**
 * Opens a stream, and collects what comes. `text` leaves comments out, and ends with `|` when the response has ended as it
 * should.
 */
async function listen(relay: { readonly url: string }, headers: Record<string, string> = accept) {
  const controller = new AbortController()
  const response = await fetch(`${relay.url}/eth/v1/events?topics=head`, {
    headers,
    signal: controller.signal,
  })
  const heard = {
    all: '',
    get text() {
      return this.all.replaceAll(/^:.*\n\n/gm, '')
    },
  }
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const piece of response.body ?? []) heard.all += decoder.decode(piece, { stream: true })
    heard.all += '|'
  })().catch(() => undefined)
  const leave = () => controller.abort()
  opened.push(leave)
  return { response, heard, leave, reading }
}

const hears = (heard: { readonly text: string }, text: string) =>
  waitUntil(`the caller has heard ${JSON.stringify(text)}`, () => heard.text === text)

describe('an event stream', () => {
  test('is passed on as it comes; each event is counted and charged, comments are not', async () => {
    const node = startNode()
    const { relay } = relayTo([node])
    const { response, heard } = await listen(relay)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(response.headers.get('x-rpc-credits')).toBe(String(testPrice))
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('set-cookie')).toBeNull()
    node.streams[0]?.enqueue(': more\n\nevent: head\nda')
    await waitUntil('the comments have come', () => heard.all === ':\n\n: hello\n\n: more\n\n')
    node.streams[0]?.enqueue('ta: {"slot":"10"}\n\n')
    await hears(heard, head)
    const one = { calls: [{ method: pattern, credits: testPrice }], outcomes: ['ok'], creditsBack: [0] }
    expect(relay.metered).toMatchObject([one, one])
    expect(relay.logged).toEqual([])

    node.streams[0]?.close()
    await hears(heard, `${head}|`)
    expect(relay.logged).toMatchObject([
      {
        method: pattern,
        class: 'answer',
        status: 200,
        credits: 2 * testPrice,
        attempts: [{ class: 'answer' }],
      },
    ])
    expect(relay.logged[0]?.bytesOut).toBe(heard.all.length - 1)
  })

  test('ends at the node when the caller goes, and for the caller as a whole response when the node goes', async () => {
    const [first, second] = [startNode(), startNode()]
    const { relay, streamsOpen } = relayTo([first, second])
    const gone = await listen(relay)
    gone.leave()
    await waitUntil('the node is told', () => first.counts.gone === 1)
    expect(await streamsOpen()).toBe(0)

    const left = await listen(relay)
    first.streams[1]?.enqueue(head)
    await hears(left.heard, head)
    await first.stop()
    await hears(left.heard, `${head}|`)
  })

  test('is not read ahead of a caller who does not read', async () => {
    const node = startNode()
    const { relay } = relayTo([node])
    const response = await fetch(`${relay.url}/eth/v1/events`, { headers: accept })
    const reader = response.body?.getReader()
    opened.push(() => reader?.cancel())
    const flood = `data: ${'x'.repeat(65_000)}\n\n`
    let sent = 0
    // The buffers of three sockets hold some MB; what is beyond waits at the node.
    const isFull = () => (node.streams[0]?.desiredSize ?? 0) <= -50
    while (!isFull() && sent < 1_000) {
      node.streams[0]?.enqueue(flood)
      sent++
      await Bun.sleep(0)
    }
    expect(isFull()).toBe(true)
    const admitted = relay.metered.length
    expect(admitted).toBeLessThan(sent - 40)
    const all = sent * flood.length + ':\n\n: hello\n\n'.length
    let read = 0
    while (read < all) read += (await reader?.read())?.value?.byteLength ?? Number.NaN
    expect(read).toBe(all)
    expect(relay.metered).toHaveLength(sent + 1)
  })

  test('that is quiet gets comments; a node that says nothing at all is given up', async () => {
    const node = startNode()
    const { relay } = relayTo([node], { settings: { recheckMs: 10, streamQuietMs: 50, streamIdleMs: 400 } })
    const { heard } = await listen(relay)
    await waitUntil('it has ended', () => heard.all.endsWith('|'))
    expect(heard.all).toMatch(/^:\n\n: hello\n\n(?::\n\n){2,8}\|$/)
    expect(relay.metered).toHaveLength(1)
    await waitUntil('the node is told', () => node.counts.gone === 1)
  })

  test('is asked of the next node where one fails, and by a caller who names no type', async () => {
    const node = startNode()
    const { relay } = relayTo([{ url: 'http://127.0.0.1:1' }, node])
    const { response, heard } = await listen(relay, {})
    expect(response.status).toBe(200)
    node.streams[0]?.enqueue(head)
    await hears(heard, head)
  })
})

describe('an event stream ends when', () => {
  test('its key may not be used any more', async () => {
    const node = startNode()
    let isValid = true
    const { relay } = relayTo([node], {
      authorize: (value) =>
        isValid && value === keyValue ? { kind: 'allowed', key: relay.key } : { kind: 'invalid' },
    })
    const { heard } = await listen(relay)
    isValid = false
    await hears(heard, '|')
    await waitUntil('the node is told', () => node.counts.gone === 1)
  })

  test('the endpoint is gone, offers it no more, or its node is DOWN while another is not', async () => {
    const [first, second] = [startNode(), startNode()]
    let change = asItIs
    const { relay } = relayTo([first, second], {
      findEndpoint: (endpoint) => change(endpoint),
      decisionOf: (id) => (id === 'service-0' ? (stateOf.get(id) ?? 'UP') : 'LATENCY'),
    })
    opened.push(() => stateOf.clear())
    const one = await listen(relay)
    change = () => undefined
    await hears(one.heard, '|')
    change = asItIs
    const two = await listen(relay)
    change = (endpoint) => ({ ...endpoint, methods: { ...endpoint.methods, allow: ['GET /eth/v1/node/*'] } })
    await hears(two.heard, '|')
    change = asItIs
    const three = await listen(relay)
    stateOf.set('service-0', 'DOWN')
    await hears(three.heard, '|')
    const four = await listen(relay)
    second.streams[0]?.enqueue(head)
    await hears(four.heard, head)
  })

  test('a limit is reached, after the last event that it admits', async () => {
    const node = startNode()
    const { relay } = relayTo([node], { rate: { units: 3, period: 'minute' } })
    const { heard } = await listen(relay)
    node.streams[0]?.enqueue(head.repeat(3))
    await hears(heard, `${head.repeat(2)}|`)
    expect(relay.refused).toEqual([{ calls: 1, limit: 'rate' }])
  })

  test('the server shuts down', async () => {
    const node = startNode()
    const { relay } = relayTo([node])
    const { heard } = await listen(relay)
    await relay.relay.drainSockets()
    await hears(heard, '|')
    const late = await listen(relay)
    expect(late.response.status).toBe(503)
  })
})

test('there are only so many of a key and of an account; one too many is free of charge', async () => {
  const node = startNode()
  const { relay, streamsOpen } = relayTo([node], { settings: { recheckMs: 10, eventStreamsPerKey: 2 } })
  const first = await listen(relay)
  await listen(relay)
  const third = await fetch(`${relay.url}/eth/v1/events`, { headers: accept })
  expect([third.status, third.headers.get('x-rpc-credits')]).toEqual([429, '0'])
  expect(await third.json()).toMatchObject({ error: { code: 'too_many_streams' } })
  expect(relay.metered[2]).toMatchObject({ outcomes: ['unanswered'], creditsBack: [testPrice] })
  await waitUntil('the node is told', () => node.counts.gone === 1)
  first.leave()
  await waitUntil('there is room', async () => (await streamsOpen()) === 1)
  expect((await listen(relay)).response.status).toBe(200)

  const ofAccount = relayTo([node], { settings: { recheckMs: 10, eventStreamsPerAccount: 1 } })
  await listen(ofAccount.relay)
  expect((await fetch(`${ofAccount.relay.url}/eth/v1/events`)).status).toBe(429)
})

test('HEAD of a stream is one call that opens none', async () => {
  const node = startNode()
  const { relay, streamsOpen } = relayTo([node])
  const answer = await fetch(`${relay.url}/eth/v1/events`, { method: 'HEAD', headers: accept })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect(await answer.text()).toBe('')
  await waitUntil('the node is told that nobody listens', () => node.counts.gone === 1)
  expect(await streamsOpen()).toBe(0)
  expect(relay.metered).toMatchObject([{ outcomes: ['ok'] }])
  expect(relay.logged).toMatchObject([{ class: 'answer', status: 200, credits: testPrice, bytesOut: 0 }])
})
