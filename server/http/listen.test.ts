import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'

import { expect, test } from 'bun:test'

import { listen } from './listen.ts'

/** Connects and sends while the thread of the server does something else, as happens in a burst. */
const caller = `
  const { connect } = require('node:net')
  const { parentPort, workerData: { port, sent } } = require('node:worker_threads')
  let answer = ''
  const socket = connect(port, '127.0.0.1', () =>
    socket.write('POST / HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 2\\r\\n\\r\\nhi', () => {
      Atomics.store(sent, 0, 1)
      Atomics.notify(sent, 0)
    }),
  )
  socket.on('data', (bytes) => (answer += bytes))
  socket.on('error', ({ code }) => (answer += code))
  socket.on('close', () => parentPort.postMessage(answer))
`

test('a call that was sent before the listener stops is answered, although its connection is not accepted yet', async () => {
  const listener = listen({
    host: '127.0.0.1',
    port: 0,
    beginDrain: () => {},
    fetch: async (request) => new Response(await request.text(), { headers: { connection: 'close' } }),
  })
  const sent = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(caller, { eval: true, workerData: { port: listener.port, sent } })
  const answered = new Promise((resolve) => worker.once('message', resolve))
  Atomics.wait(sent, 0, 0, 10_000)
  expect(Atomics.load(sent, 0)).toBe(1)

  await listener.stop(5_000)

  expect(await answered).toMatch(/^HTTP\/1\.1 200 [^]*hi$/)
  await worker.terminate()
})

/** As long as a balancer on a busy machine takes between connecting and sending. */
const pauseMs = 50

/** Connects, sends a while later, and resolves with what came; null when the connection was refused. */
function call(port: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  let answer = ''
  const socket = connect(port, '127.0.0.1', () =>
    setTimeout(() => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'), pauseMs),
  )
  socket.on('data', (bytes) => (answer += String(bytes)))
  socket.on('error', (error) =>
    resolve('code' in error && error.code === 'ECONNREFUSED' ? null : error.message),
  )
  socket.on('close', () => resolve(answer))
  return promise
}

test('behind a balancer: whose connection was made is answered, whatever the listener does meanwhile, and others are refused', async () => {
  let isDraining = false
  const listener = listen({
    host: '127.0.0.1',
    port: 0,
    isBalanced: true,
    beginDrain: () => void (isDraining = true),
    fetch: () => new Response('hi', { headers: isDraining ? { connection: 'close' } : {} }),
  })
  const calls = [call(listener.port)]
  const state = { isStopped: false }
  const stopped = listener.stop(5_000).then(() => (state.isStopped = true))
  while (!state.isStopped) {
    calls.push(call(listener.port))
    await Bun.sleep(2)
  }
  await stopped

  const answers = await Promise.all(calls)
  const made = answers.filter((answer) => answer !== null)
  expect(made.length).toBeGreaterThan(5)
  expect(made.filter((answer) => !/^HTTP\/1\.1 200 [^]*hi$/.test(answer))).toEqual([])
  expect(answers.at(-1)).toBeNull()
}, 20_000)
