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
