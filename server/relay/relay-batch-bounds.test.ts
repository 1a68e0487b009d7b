import { afterEach, describe, expect, test } from 'bun:test'

import { okAnswer, type RawRequest, startRawUpstream } from '../../scripts/world/raw-upstream.ts'
import { type RelayScenario, startTestRelay, testPrice } from './test-support/relay-under-test.ts'

const opened: (() => unknown)[] = []

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

interface SentCall {
  readonly id: number
  readonly params: readonly unknown[]
}

const sentBy = ({ body }: RawRequest): SentCall | SentCall[] => JSON.parse(body)
const answerTo = ({ id, params }: SentCall) => ({ jsonrpc: '2.0', id, result: params[0] })
const say = (request: RawRequest, body: unknown): void => request.write(okAnswer(JSON.stringify(body)))
const errorOf = (message: string, code: number) => ({ jsonrpc: '2.0', id: null, error: { code, message } })

/** A node that takes so many calls at once, and answers others as `refuse` says. */
function nodeTaking(most: number, refuse: (request: RawRequest) => void) {
  const node = startRawUpstream((request) => {
    const sent = sentBy(request)
    if (!Array.isArray(sent)) say(request, answerTo(sent))
    else if (sent.length > most) refuse(request)
    else say(request, sent.map(answerTo).toReversed())
  })
  opened.push(node.stop)
  /** How many calls each request held; 0 for one that was no batch. */
  const sizes = (from = 0) =>
    node.requests.slice(from).map((request) => {
      const sent = sentBy(request)
      return Array.isArray(sent) ? sent.length : 0
    })
  return { url: node.url, sizes }
}

function relayTo(urls: readonly string[], world: Partial<RelayScenario> = {}) {
  const relay = startTestRelay({
    upstreams: urls.map((url, tier) => ({ url, tier })),
    settings: { hedgeAfterMs: null },
    ...world,
  })
  opened.push(relay.stop)
  const send = async (count: number, method = 'eth_call') => {
    const body = Array.from({ length: count }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method,
      params: [`own-${id}`],
    }))
    const response = await fetch(relay.url, { method: 'POST', body: JSON.stringify(body) })
    const answers: unknown = await response.json()
    return { status: response.status, answers, credits: Number(response.headers.get('x-rpc-credits')) }
  }
  const retryAfter = async () =>
    (await fetch(relay.url, { method: 'POST', body: singleCall })).headers.get('retry-after')
  return { relay, send, retryAfter }
}

const singleCall = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: ['own'] })

/** What a caller is told of a batch of `count` of which every call was answered. */
const allAnswered = (count: number) => ({
  status: 200,
  answers: Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, result: `own-${id}` })),
  credits: count * testPrice,
})

const refusals: readonly (readonly [string, (request: RawRequest) => void])[] = [
  [
    'an error',
    (request) => say(request, errorOf('Batched requests are not supported by this server', -32_005)),
  ],
  [
    'an error that it has for what it does not understand',
    (request) => say(request, errorOf('Invalid Request', -32_600)),
  ],
  [
    'the answer to the first call',
    (request) => {
      const [first] = sentBy(request) as SentCall[]
      if (first !== undefined) say(request, answerTo(first))
    },
  ],
]

describe('a node that takes no batches', () => {
  test.each(refusals)(
    'and says so with %s gets the calls one by one, and no further batch',
    async (_name, refuse) => {
      const node = nodeTaking(1, refuse)
      const { relay, send } = relayTo([node.url])
      expect(await send(30)).toEqual(allAnswered(30))
      expect(node.sizes()).toEqual([30, ...Array<number>(30).fill(0)])
      expect(await send(12)).toEqual(allAnswered(12))
      expect(node.sizes(31)).toEqual(Array<number>(12).fill(0))
      expect(relay.metered.map(({ calls, outcomes }) => [calls.length, new Set(outcomes)])).toEqual([
        [30, new Set(['ok'])],
        [12, new Set(['ok'])],
      ])
    },
  )

  test('is not asked where another one does', async () => {
    const never = nodeTaking(1, (request) =>
      say(request, errorOf('Batched requests are not supported', -32_005)),
    )
    const other = nodeTaking(1_000, () => undefined)
    const { send } = relayTo([never.url, other.url])
    for (let count = 0; count < 3; count++) expect(await send(30)).toEqual(allAnswered(30))
    expect([never.sizes(), other.sizes()]).toEqual([[30], [30, 30, 30]])
  })

  test('gets the calls one by one when the other one fails', async () => {
    const never = nodeTaking(1, (request) =>
      say(request, errorOf('Batched requests are not supported', -32_005)),
    )
    const broken = startRawUpstream(({ reset }) => reset())
    opened.push(broken.stop)
    const { send } = relayTo([never.url, broken.url])
    for (let count = 0; count < 3; count++) expect(await send(5)).toEqual(allAnswered(5))
  })

  test('and has carried out the first call of what is no read is not asked again', async () => {
    const sent: unknown[] = []
    const node = nodeTaking(1, (request) => {
      const [first] = sentBy(request) as SentCall[]
      sent.push(first)
      if (first !== undefined) say(request, answerTo(first))
    })
    const { send } = relayTo([node.url])
    const { answers, credits } = await send(3, 'eth_sendBundle')
    expect([node.sizes(), credits]).toEqual([[3], 0])
    expect(answers).toMatchObject([1, 2, 3].map(() => ({ error: { code: -32_002 } })))
  })

  test('has the calls of what is no read one by one, unless another node may have carried them out', async () => {
    const never = nodeTaking(1, (request) =>
      say(request, errorOf('Batched requests are not supported', -32_005)),
    )
    const hangsUp = startRawUpstream(({ end }) => end())
    opened.push(hangsUp.stop)
    const { send } = relayTo([never.url, hangsUp.url])
    expect(await send(3, 'eth_sendBundle')).toMatchObject({ status: 502, credits: 0 })
    expect([never.sizes(), hangsUp.requests.length]).toEqual([[3], 1])
  })
})

/** As nginx does with a body of more than 1 MiB. */
const tooLong = '<html><head><title>413 Request Entity Too Large</title></head></html>'
const refuseBySize = (request: RawRequest): void =>
  request.write(
    `HTTP/1.1 413 Payload Too Large\r\nContent-Type: text/html\r\nContent-Length: ${tooLong.length}\r\n\r\n${tooLong}`,
  )

describe('a node in front of which requests are refused by their size', () => {
  test('gets smaller parts of a batch', async () => {
    const node = nodeTaking(12, refuseBySize)
    const { send } = relayTo([node.url])
    expect(await send(40)).toEqual(allAnswered(40))
    expect(await send(20, 'eth_sendBundle')).toEqual(allAnswered(20))
  })

  test('is the reason that is told where no other one takes the call', async () => {
    const node = startRawUpstream(refuseBySize)
    opened.push(node.stop)
    const { relay } = relayTo([node.url])
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}'
    const response = await fetch(relay.url, { method: 'POST', body })
    expect([response.status, response.headers.get('x-rpc-credits')]).toEqual([413, '0'])
    expect(await response.json()).toMatchObject({
      error: { code: -32_002, data: { reason: 'too_large_for_nodes' } },
    })
  })

  test('does not keep even a transaction from another one', async () => {
    const [small, large] = [startRawUpstream(refuseBySize), nodeTaking(1_000, () => undefined)]
    opened.push(small.stop)
    const { relay } = relayTo([small.url, large.url])
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_sendBundle","params":["own"]}'
    const response = await fetch(relay.url, { method: 'POST', body })
    expect(await response.json()).toMatchObject({ result: 'own' })
  })
})

describe('a node that takes short batches', () => {
  test('gets parts as long as it says, also of what is no read', async () => {
    const node = nodeTaking(20, (request) => say(request, errorOf('batch limit 20 exceeded', -32_000)))
    const { send } = relayTo([node.url])
    expect(await send(50, 'eth_sendBundle')).toEqual(allAnswered(50))
    expect(node.sizes()).toEqual([50, 20, 20, 10])
    expect(await send(20)).toEqual(allAnswered(20))
    expect(await send(21)).toEqual(allAnswered(21))
    expect(node.sizes(4)).toEqual([20, 20, 0])
  })

  test('gets halves where it does not say', async () => {
    const node = nodeTaking(12, (request) => {
      const [first] = sentBy(request) as SentCall[]
      // As geth says it: in an array, under the id of the first call.
      say(request, [{ ...errorOf('batch too large', -32_600), id: first?.id }])
    })
    const { send } = relayTo([node.url])
    expect(await send(40)).toEqual(allAnswered(40))
    expect(Math.max(...node.sizes().filter((size) => size <= 12))).toBe(10)
    const asked = node.sizes().length
    expect(await send(40)).toEqual(allAnswered(40))
    expect(node.sizes(asked)).toEqual([10, 10, 10, 10])
  })
})

const takesAll = () => nodeTaking(Number.POSITIVE_INFINITY, () => undefined)
const answered = ({ answers }: { readonly answers: unknown }): boolean[] =>
  (answers as readonly object[]).map((answer) => 'result' in answer)
const secondsToMidnight = (): number => 86_400 - Math.floor((Date.now() % 86_400_000) / 1_000)

describe('a budget that does not hold a batch', () => {
  test('gets parts that it holds, and the rest goes to the next node', async () => {
    const [one, other] = [takesAll(), takesAll()]
    const { send, retryAfter } = relayTo([], {
      upstreams: [
        { url: one.url, budget: { requests: 10, per: 'day' } },
        { url: other.url, tier: 1, budget: { requests: 6, per: 'day' } },
      ],
    })
    const { status, credits, ...batch } = await send(20)
    expect([status, credits]).toEqual([200, 16 * testPrice])
    expect(answered(batch).filter(Boolean).length).toBe(16)
    expect(Number(await retryAfter()) - secondsToMidnight()).toBeOneOf([0, 1])
  })

  test('of credits gets as many calls as they pay for, and says truly when it pays for the next', async () => {
    const node = takesAll()
    const budget = { credits: 2.5 * testPrice, per: 'day' } as const
    const { send, retryAfter } = relayTo([], { upstreams: [{ url: node.url, budget }] })
    expect(answered(await send(3))).toEqual([true, true, false])
    // Half a call is left of it.
    expect(Number(await retryAfter()) - secondsToMidnight()).toBeOneOf([0, 1])
  })
})
