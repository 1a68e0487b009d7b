import { describe, expect, test } from 'bun:test'

import { closedAfterEach } from '../../../tests/support/closed-after-each.ts'
import { type RelayScenario, startTestRelay, testPrice } from '../test-support/relay-under-test.ts'

const opened = closedAfterEach()

function node(answer: (request: Request) => Response | Promise<Response> = good) {
  let asked = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      asked++
      return answer(request)
    },
  })
  opened.push(() => server.stop(true))
  return { url: server.url.origin, asked: () => asked }
}

const good = (): Response => Response.json({ data: 'good' })

/** The first node is called first. */
function relayTo(nodes: RelayScenario['upstreams'], world: Partial<RelayScenario> = {}) {
  const allow = ['GET /**', 'POST /**']
  const relay = startTestRelay({
    upstreams: nodes.map((upstream, index) => ({ ...upstream, serviceId: `service-${index}` })),
    decisionOf: (id) => (id === 'service-0' ? 'UP' : 'LATENCY'),
    ...world,
    endpoint: { family: 'beacon', methods: { allow, deny: [], unknown: 'refuse' } },
  })
  opened.push(relay.stop)
  return { relay, ask: (init: RequestInit = {}) => fetch(`${relay.url}/eth/v1/node/version`, init) }
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (): Response =>
    Response.json({ code, message: 'planted words' }, { status: code, headers })

describe('a node that fails', () => {
  test.each([
    [401, 'node-failure'],
    [402, 'node-failure'],
    [403, 'node-failure'],
    [429, 'limit'],
    [500, 'node-failure'],
    [503, 'node-failure'], // "Beacon node is currently syncing", apis/beacon/states/root.yaml
    [301, 'node-failure'],
    [304, 'node-failure'],
  ] as const)(
    'with %d is one of several: a read is answered by the next, and charged once',
    async (code, attempt) => {
      const [bad, other] = [node(status(code, { location: '/elsewhere' })), node()]
      const { relay, ask } = relayTo([bad, other])
      expect(await (await ask()).json()).toEqual({ data: 'good' })
      expect(relay.metered).toMatchObject([{ outcomes: ['ok'], creditsBack: [0] }])
      expect(relay.logged[0]?.attempts.map((each) => each.class)).toEqual([attempt, 'answer'])
    },
  )

  test.each([
    ['zstd', new Uint8Array(Bun.zstdCompressSync(Buffer.alloc(100_000_000)))],
    ['gzip', Bun.gzipSync(Buffer.alloc(100_000_000))],
  ])('with a decompression bomb (%s) is one of several', async (coding, bomb) => {
    const bad = node(() => new Response(bomb, { headers: { 'content-encoding': coding } }))
    const { relay, ask } = relayTo([bad, node()])
    expect(await (await ask()).json()).toEqual({ data: 'good' })
    expect(relay.metered).toMatchObject([{ outcomes: ['ok'], creditsBack: [0] }])
    expect(relay.logged[0]?.attempts.map((each) => each.class)).toEqual(['decompression-bomb', 'answer'])
  })

  test('is asked for compressed answers where that is configured', async () => {
    const asked: (string | null)[] = []
    const one = node(({ headers }) => {
      asked.push(headers.get('accept-encoding'))
      const isPlain = headers.get('accept-encoding') === 'identity'
      const text = JSON.stringify({ data: 'good' })
      return isPlain
        ? new Response(text)
        : new Response(Bun.gzipSync(text), { headers: { 'content-encoding': 'gzip' } })
    })
    for (const compression of [true, false]) {
      const { ask } = relayTo([], { upstreams: [{ url: one.url, compression }] })
      const answer = await ask()
      expect(answer.headers.get('content-encoding')).toBeNull()
      expect(await answer.json()).toEqual({ data: 'good' })
    }
    expect(asked).toEqual(['zstd, br, gzip', 'identity'])
  })

  test('is left alone after a while', async () => {
    const [bad, other] = [node(status(500)), node()]
    const { relay, ask } = relayTo([bad, other])
    for (let count = 0; count < 30; count++) expect((await ask()).status).toBe(200)
    expect(bad.asked()).toBeLessThan(10)
    expect(relay.suspected).toContain('service-0')
  })

  test('alone is 502, without its words and free of charge', async () => {
    const { relay, ask } = relayTo([node(status(503))])
    const answer = await ask()
    expect([answer.status, answer.headers.get('x-rpc-credits')]).toEqual([502, '0'])
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'upstream_error' } })
    expect(text).not.toContain('planted')
    const free = { outcomes: ['unanswered'], creditsBack: [testPrice] }
    const [counted] = relay.metered
    expect(counted).toMatchObject(free)
    expect(counted?.attempts.length).toBeGreaterThan(0)
    expect(relay.logged).toMatchObject([{ class: 'no-answer', credits: 0 }])
  })

  test('by refusing connections is one of several, for every method', async () => {
    const gone = { url: 'http://127.0.0.1:1' }
    const { ask } = relayTo([gone, node()])
    expect((await ask({ method: 'POST', body: '{}' })).status).toBe(200)
  })

  test('at something that is no read is not followed by another', async () => {
    const [bad, other] = [node(status(503)), node()]
    const { ask } = relayTo([bad, other])
    expect((await ask({ method: 'POST', body: '{}' })).status).toBe(502)
    expect(other.asked()).toBe(0)
  })

  test('unless it has refused it', async () => {
    for (const code of [401, 402, 403, 429]) {
      const [bad, other] = [node(status(code)), node()]
      const { ask } = relayTo([bad, other])
      expect((await ask({ method: 'POST', body: '{}' })).status).toBe(200)
      expect(other.asked()).toBe(1)
    }
  })

  test('by limiting us is paused as long as it says; all of them are 503', async () => {
    const limited = node(status(429, { 'retry-after': '7' }))
    const { relay, ask } = relayTo([limited])
    for (let count = 0; count < 3; count++) {
      const answer = await ask()
      expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([503, expect.any(Number)])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(4)
      expect(await answer.json()).toMatchObject({ error: { code: 'upstream_limited' } })
    }
    expect(limited.asked()).toBe(1)
    expect(relay.metered.every(({ creditsBack }) => creditsBack[0] === testPrice)).toBe(true)
  })

  test('by saying nothing is given up in time', async () => {
    const hanging = node(() => new Promise<Response>(() => undefined))
    const { ask } = relayTo([hanging, node()], { settings: { firstByteMs: 200 } })
    expect((await ask()).status).toBe(200)
    const alone = relayTo([hanging], { settings: { firstByteMs: 200, totalMs: 400 } })
    expect((await alone.ask()).status).toBe(504)
  })
})

describe('an answer', () => {
  test('that is too large is refused, and not asked for again', async () => {
    const [large, other] = [node(() => new Response('x'.repeat(5_000))), node()]
    const { relay, ask } = relayTo([large, other], { settings: { answerBytes: 4_000 } })
    const answer = await ask()
    expect([answer.status, await answer.json()]).toMatchObject([502, { error: { code: 'answer_too_large' } }])
    expect(other.asked()).toBe(0)
    expect(relay.logged[0]).toMatchObject({ class: 'too-large', credits: 0 })
  })

  test('with words about the address of the node comes without them', async () => {
    const one = node(() =>
      Response.json({ message: 'no project planted-key-0123 at planted-header-1' }, { status: 400 }),
    )
    const upstreams = [{ url: `${one.url}/planted-key-0123`, headers: { 'x-key': 'planted-header-1' } }]
    const { ask } = relayTo([one], { upstreams })
    const answer = await ask()
    expect([answer.status, await answer.json()]).toEqual([400, { message: 'no project … at …' }])
  })
})

test('connections are kept across paths', async () => {
  const ports = new Set<number>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, serving) {
      ports.add(serving.requestIP(request)?.port ?? 0)
      return good()
    },
  })
  opened.push(() => server.stop(true))
  const { relay } = relayTo([{ url: server.url.origin }])
  for (let count = 0; count < 10; count++) await (await fetch(`${relay.url}/a/${count}`)).text()
  expect(ports.size).toBe(1)
})

describe('no node can be called', () => {
  test('because none is left: said at once, without a time to come again', async () => {
    const { relay, ask } = relayTo([])
    const answer = await ask()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([502, null])
    expect(await answer.json()).toMatchObject({ error: { code: 'upstream_error' } })
    expect(relay.logged.at(-1)?.class).toBe('no-answer')
  })

  test('because its budget is spent: said with the true wait', async () => {
    const { ask } = relayTo([{ ...node(), budget: { requests: 1, per: 'day' } }])
    expect((await ask()).status).toBe(200)
    const answer = await ask()
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ error: { code: 'upstream_budget_spent' } })
    const secondsToMidnight = 86_400 - Math.floor((Date.now() % 86_400_000) / 1_000)
    expect(Number(answer.headers.get('retry-after')) - secondsToMidnight).toBeOneOf([0, 1])
  })
})
