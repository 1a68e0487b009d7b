import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { systemClock } from '../clock.ts'
import { EgressError, createEgress, wholeBodyOf } from '../egress.ts'

const piece = 'x'.repeat(1_000)
const opened: (() => unknown)[] = []
let peer: Bun.Server<undefined>
let base = ''
let cancelledBodies = 0

const generous = { timeoutMs: 5_000, maxBytes: 1_000_000 }

beforeAll(() => {
  peer = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/endless') return endless()
      if (pathname === '/empty') return new Response(null, { status: 202 })
      if (pathname === '/redirect') return Response.redirect('/elsewhere', 307)
      if (pathname === '/gzip') {
        const headers = { 'content-encoding': 'gzip' }
        return new Response(Bun.gzipSync(new TextEncoder().encode(piece)), { headers })
      }
      const headers = Object.fromEntries(request.headers)
      return Response.json({ method: request.method, headers, body: await request.text() }, { status: 201 })
    },
  })
  base = `http://127.0.0.1:${peer.port}`
})

afterAll(async () => {
  for (const close of opened) close()
  await peer.stop(true)
})

/** One piece at once, then one every 10 ms. */
function endless(): Response {
  const stream = new ReadableStream<string>({
    start: (controller) => controller.enqueue(piece),
    async pull(controller) {
      await Bun.sleep(10)
      controller.enqueue(piece)
    },
    cancel() {
      cancelledBodies += 1
    },
  })
  return new Response(stream)
}

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  const outcome: unknown = await attempt.catch((error: unknown) => error)
  return outcome instanceof EgressError ? outcome.code : `not refused: ${JSON.stringify(outcome)}`
}

const sent = { method: 'POST', headers: { 'x-key': 'k', host: 'evil.test' }, body: 'sent' }

function egressWith(streamLimits: { timeoutMs: number; maxBytes: number }) {
  const egress = createEgress({
    clock: systemClock,
    allowPrivate: ['127.0.0.0/8'],
    schemes: ['http'],
    streamLimits,
  })
  opened.push(() => egress.close())
  return egress
}

describe('over sockets of our own', () => {
  test.each<[shape: string, input: () => string | URL | Request, init: RequestInit | undefined]>([
    ['text', () => base, sent],
    ['a URL', () => new URL(base), sent],
    ['a Request', () => new Request(base, sent), undefined],
    ['a Request with other parts', () => new Request(base, { method: 'PUT' }), sent],
  ])('fetch takes %s', async (_, input, init) => {
    const response = await egressWith(generous).fetch(input(), init)
    expect(response.status).toBe(201)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toMatchObject({
      method: 'POST',
      body: 'sent',
      headers: { 'x-key': 'k', host: `127.0.0.1:${peer.port}`, 'accept-encoding': 'identity' },
    })
  })

  test('fetch sets the content type of a form, and gives an answer without a body', async () => {
    const egress = egressWith(generous)
    const form = await egress.fetch(base, { method: 'POST', body: new URLSearchParams({ a: 'b' }) })
    expect(await form.json()).toMatchObject({
      body: 'a=b',
      headers: { 'content-type': expect.stringContaining('application/x-www-form-urlencoded') },
    })
    const empty = await egress.fetch(`${base}/empty`)
    expect({ status: empty.status, text: await empty.text() }).toEqual({ status: 202, text: '' })
  })

  test('pieces are handed on as they arrive', async () => {
    const response = await egressWith(generous).fetch(`${base}/endless`)
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value)).toStartWith('xxx')
    await reader?.cancel()
  })

  test('cancelling the body closes the connection', async () => {
    const before = cancelledBodies
    const response = await egressWith(generous).fetch(`${base}/endless`)
    await response.body?.cancel()
    await waitUntil('the body is cancelled', () => cancelledBodies > before, 3_000)
  })

  test('a decoded body no longer carries the headers of its packed form', async () => {
    const response = await egressWith(generous).fetch(`${base}/gzip`)
    expect(await response.text()).toBe(piece)
    expect(response.headers.has('content-encoding')).toBe(false)
    expect(response.headers.has('content-length')).toBe(false)
  })

  test('the cap and the deadline end a body under way, and the connection with it', async () => {
    const before = cancelledBodies
    const capped = await egressWith({ timeoutMs: 5_000, maxBytes: 2_500 }).fetch(`${base}/endless`)
    expect(await codeOf(capped.text())).toBe('TOO_LARGE')
    const late = await egressWith({ timeoutMs: 60, maxBytes: 1_000_000 }).fetch(`${base}/endless`)
    expect(await codeOf(late.text())).toBe('TIMEOUT')
    await waitUntil('both bodies are cancelled', () => cancelledBodies === before + 2, 3_000)
  })

  test('the deadline also frees a body that nobody reads', async () => {
    const before = cancelledBodies
    await egressWith({ timeoutMs: 60, maxBytes: 1_000_000 }).fetch(`${base}/endless`)
    await waitUntil('the body is cancelled', () => cancelledBodies > before, 3_000)
  })

  test('the signal of init, that of a Request and close end a body under way', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const egress = egressWith(generous)
    const bodies = [
      await egress.fetch(`${base}/endless`, { signal }),
      await egress.fetch(new Request(`${base}/endless`, { signal })),
    ]
    const outcomes = bodies.map((response) => codeOf(response.text()))
    controller.abort()
    expect(await Promise.all(outcomes)).toEqual(['ABORTED', 'ABORTED'])

    const last = codeOf((await egress.fetch(`${base}/endless`)).text())
    egress.close()
    expect(await last).toBe('ABORTED')
  })

  test.each([
    ['http://10.0.0.1/', 'ADDRESS'],
    ['file:///etc/hostname', 'SCHEME'],
    ['data:text/plain,x', 'SCHEME'],
    ['http://user:secret@127.0.0.1/', 'USERINFO'],
    ['/relative', 'URL'],
  ])('fetch refuses %s with %s', async (url, code) => {
    expect(await codeOf(egressWith(generous).fetch(url))).toBe(code)
  })

  test('fetch refuses a redirect', async () => {
    expect(await codeOf(egressWith(generous).fetch(`${base}/redirect`, { redirect: 'follow' }))).toBe(
      'REDIRECT',
    )
  })

  test('a short answer is there as a whole, whatever length a hostile peer announces', async () => {
    const egress = egressWith({ timeoutMs: 5_000, maxBytes: 1_000_000_000 })
    const whole = await egress.fetch(base, sent)
    expect(wholeBodyOf(whole)).toEqual(await whole.bytes())
    const chunk = 'x'.repeat(10_000)
    const answer = `HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n${`2710\r\n${chunk}\r\n`.repeat(100)}0\r\n\r\n`
    const liar = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { data: (socket) => void socket.end(answer) },
    })
    opened.push(() => liar.stop(true))
    expect(await codeOf(egress.fetch(`http://127.0.0.1:${liar.port}/`))).toBe('PROTOCOL')
  })
})
