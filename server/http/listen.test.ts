import { expect, test } from 'bun:test'

import { listen } from './listen.ts'

/** Connects and sends while the thread of the server does something else, as happens in a burst. */
const caller = `
  import { connect } from 'node:net'
  onmessage = ({ data: { port, sent } }) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('POST / HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 2\\r\\n\\r\\nhi', () => {
        Atomics.store(sent, 0, 1)
        Atomics.notify(sent, 0)
      }),
    )
    socket.on('data', (bytes) => (answer += bytes))
    socket.on('error', ({ code }) => (answer += code))
    socket.on('close', () => postMessage(answer))
  }
`

test('a call that was sent before the listener stops is answered, although its connection is not accepted yet', async () => {
  const listener = listen({
    host: '127.0.0.1',
    port: 0,
    beginDrain: () => {},
    fetch: async (request) => new Response(await request.text(), { headers: { connection: 'close' } }),
  })
  const worker = new Worker(URL.createObjectURL(new Blob([caller], { type: 'application/typescript' })))
  const answered = new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data)
  })
  const sent = new Int32Array(new SharedArrayBuffer(4))
  await new Promise((resolve) => worker.addEventListener('open', resolve, { once: true }))
  worker.postMessage({ port: listener.port, sent })
  Atomics.wait(sent, 0, 0, 10_000)
  expect(Atomics.load(sent, 0)).toBe(1)

  await listener.stop(5_000)

  expect(await answered).toMatch(/^HTTP\/1\.1 200 [^]*hi$/)
  worker.terminate()
})
