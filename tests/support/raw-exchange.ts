import { connect } from 'node:net'

/** Sends bytes as no client library would, and gives what comes back until the server closes. */
export function rawExchange(port: number, bytes: string | Uint8Array, patienceMs = 5_000): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
  let received = ''
  socket.setTimeout(patienceMs, () => socket.destroy(new Error(`no end; got ${received.slice(0, 200)}`)))
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('close', () => resolve(received))
  socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)))
  return promise
}

/** A request as text; lines of the head without their ends. */
export const rawRequest = (lines: readonly string[], body = ''): string =>
  `${lines.join('\r\n')}\r\n\r\n${body}`
