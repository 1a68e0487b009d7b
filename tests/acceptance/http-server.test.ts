// Mostly waits: for connections that are left open.
import { afterAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'

import { Elysia } from 'elysia'

import { ListenError, type Listener } from '../../server/http/listen.ts'
import { appUnderTest } from './http-app-under-test.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'

const listeners: Listener[] = []
function started(app: ReturnType<typeof appUnderTest>['app']): Listener {
  const listener = app.listen({ host: '127.0.0.1', port: 0 })
  listeners.push(listener)
  return listener
}
afterAll(async () => {
  await Promise.all(listeners.map((listener) => listener.stop(0)))
})

/** Sends bytes as they are, and gives what comes back until the server closes, or until it ends with `end`. */
function exchange(port: number, bytes: string | Buffer, end?: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
  let received = ''
  socket.setTimeout(5_000, () => socket.destroy(new Error(`no end; got ${received.slice(0, 200)}`)))
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    if (end !== undefined && received.endsWith(end)) socket.destroy()
  })
  socket.on('close', () => resolve(received))
  socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)))
  return promise
}

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n')
const post = (...headers: string[]) =>
  ['POST /animals HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n')

describe('bytes that no client library sends', () => {
  const { port } = started(appUnderTest().app)
  const wrongHost = 'The Host header must hold one host name or address'
  const cases: [title: string, bytes: string | Buffer, status: number, text: string][] = [
    ['two Host headers', get('/healthz', 'Host: a', 'Host: b'), 400, wrongHost],
    ['Host with userinfo', get('/healthz', 'Host: good@evil'), 400, wrongHost],
    ['Host with a path', get('/healthz', 'Host: good/x'), 400, wrongHost],
    ['empty Host', get('/healthz', 'Host: '), 400, wrongHost],
    ['no Host', get('/healthz'), 400, ''],
    ['short Host', get('/healthz', 'Host: a'), 200, '{"status":"ok"}'],
    ['IPv6 Host', get('/healthz', 'Host: [::1]:3000'), 200, '{"status":"ok"}'],
    ['absolute form', get('http://evil/healthz', 'Host: good'), 200, '{"status":"ok"}'],
    ['double slash', get('//evil/healthz', 'Host: localhost'), 404, 'not_found'],
    ['long URL', get(`/healthz?${'a'.repeat(8_200)}`, 'Host: a'), 414, 'uri_too_long'],
    ['long header', get('/healthz', 'Host: a', `X: ${'a'.repeat(20_000)}`), 431, ''],
    ['many headers', get('/healthz', 'Host: a', ...Array.from({ length: 300 }, (_, n) => `X-${n}: a`)), 431, ''],
    ['length and chunks', post('Content-Length: 3', 'Transfer-Encoding: chunked'), 400, ''],
    ['two lengths', post('Content-Length: 3', 'Content-Length: 4'), 400, ''],
    ['negative length', post('Content-Length: -3'), 400, ''],
    ['TRACE', get('/healthz', 'Host: a').replace('GET', 'TRACE'), 405, 'This address answers to GET, HEAD only'],
  ] // prettier-ignore
  for (const [title, bytes, status, text] of cases) {
    test(`${title}: ${status}`, async () => {
      const answer = await exchange(port, bytes)
      expect(answer).toStartWith(`HTTP/1.1 ${status} `)
      expect(answer).toContain(text)
    })
  }

  test('a body that is declared too long is refused before it is sent, and may still be sent', async () => {
    for (const length of ['10001', '5000000', '99999999999']) {
      const head = post('Content-Type: application/json', `Content-Length: ${length}`)
      const answer = await exchange(port, head, '}}')
      expect(answer).toStartWith('HTTP/1.1 413 ')
      expect(answer).not.toMatch(/^connection: close/im)
      expect(answer).toContain('{"error":{"code":"payload_too_large"')
    }
  })

  test('a body of unknown length is cut off where the limit is', async () => {
    const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`
    const head = post('Content-Type: application/json', 'Transfer-Encoding: chunked')
    const answer = await exchange(port, head + chunk.repeat(20))
    expect(answer).toStartWith('HTTP/1.1 413 ')
    expect(answer).toContain('The body must have at most 10000 bytes')
  })
})

test('handlers learn the address of the TCP peer, or through a trusted one that of the client', async () => {
  const { port } = started(appUnderTest().app)
  expect(await exchange(port, get('/odd/caller', 'Host: localhost'))).toEndWith(
    '{"address":"127.0.0.1","origin":null}',
  )
  expect(await exchange(port, get('/odd/caller', 'Host: localhost', 'X-Forwarded-For: 192.0.2.9'))).toContain(
    '"192.0.2.9"',
  )
})

describe('one port, one server', () => {
  test('a second one says so in one sentence, and the first goes on', async () => {
    const first = started(appUnderTest().app)
    const second = () => appUnderTest().app.listen({ host: '127.0.0.1', port: first.port })
    expect(second).toThrow(ListenError)
    expect(second).toThrow(`Port ${first.port} on 127.0.0.1 is already in use: stop what uses it`)
    expect(await exchange(first.port, get('/healthz', 'Host: a'))).toStartWith('HTTP/1.1 200')
  })
})

function slowApp() {
  const entered = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const slow = new Elysia()
    .get('/slow', async () => {
      entered.resolve()
      await release.promise
      return 'done'
    })
    .get('/endless', () => new ReadableStream({ start: (controller) => controller.enqueue('tick') }))
  return { listener: started(appUnderTest({ plugins: [slow] }).app), entered, release }
}

describe('stop', () => {
  test('lets a request in flight finish, and takes no new connection', async () => {
    const { listener, entered, release } = slowApp()
    const inFlight = exchange(
      listener.port,
      get('/slow', 'Host: localhost').replace('Connection: close\r\n', ''),
    )
    await entered.promise
    const stopped = listener.stop(5_000)
    // What comes in the next turns of the event loop is answered still: it may have been sent before.
    await waitUntil('the port is closed', async () => {
      const refusal = await exchange(listener.port, get('/healthz', 'Host: a')).then(() => null, String)
      return refusal?.includes('ECONNREFUSED') === true
    })
    release.resolve()
    const answer = await inFlight
    expect(answer).toStartWith('HTTP/1.1 200')
    expect(answer).toMatch(/^connection: close/im)
    expect(answer).toEndWith('done')
    await stopped
  })

  test('cuts off what does not end in the grace time', async () => {
    const { listener, entered } = slowApp()
    const hanging = exchange(listener.port, get('/slow', 'Host: localhost'))
    await entered.promise
    const stream = await fetch(`http://127.0.0.1:${listener.port}/endless`)
    const startedAt = performance.now()
    await listener.stop(100)
    expect(performance.now() - startedAt).toBeWithin(90, 2_000)
    expect(await hanging.catch(() => '')).not.toContain('200 OK')
    expect(stream.text()).rejects.toThrow()
  })
})

describe('a connection that is idle between two requests', () => {
  const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
  /** Longer than Bun waits by itself. */
  const idleMs = 13_000

  /** Sends a request, waits, sends another, and resolves with the number of answers once the server closes. */
  async function answersTo(trusted: readonly string[], second: string): Promise<number> {
    const { port } = started(appUnderTest({ trusted }).app)
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    const closed = Promise.withResolvers<void>()
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.once('close', closed.resolve)
    socket.on('error', () => undefined)
    await Promise.race([closed.promise, Bun.sleep(idleMs)])
    socket.write(second)
    await closed.promise
    return received.split('HTTP/1.1 200').length - 1
  }

  test('is kept for a trusted proxy, but not for a request that does not arrive whole', async () => {
    const last = request.replace('Host', 'Connection: close\r\nHost')
    const half = `${post('Content-Type: application/json', 'Content-Length: 9')}{`
    const proxy = ['127.0.0.1']
    const answers = await Promise.all([answersTo(proxy, last), answersTo([], last), answersTo(proxy, half)])
    expect(answers).toEqual([2, 1, 1])
  }, 60_000)
})
