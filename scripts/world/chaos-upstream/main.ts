/** Started by `chaos-upstream.ts`. Arguments: seed, and the files of a key and a certificate for TLS. Prints its port. */
import { readFileSync } from 'node:fs'

import { chaosAnswerTo } from './answers.ts'
import { Confusion } from './confusion.ts'

interface Reading {
  bytes: Buffer
}

const [seed = '1', key, cert] = process.argv.slice(2)
const confusion = new Confusion(Number(seed))

/** The first whole request in the bytes; null: there is none yet. Requests have a content length. */
function takeRequest(reading: Reading): { path: string; body: string; credential: string } | null {
  const headEnd = reading.bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = reading.bytes.toString('latin1', 0, headEnd)
  const bodyEnd = headEnd + 4 + Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
  if (reading.bytes.length < bodyEnd) return null
  const body = reading.bytes.toString('utf8', headEnd + 4, bodyEnd)
  reading.bytes = reading.bytes.subarray(bodyEnd)
  const credential = /^authorization: (.+)$/im.exec(head)?.[1] ?? ''
  return { path: head.split(' ', 2)[1] ?? '', body, credential }
}

const server = Bun.listen<Reading>({
  hostname: '127.0.0.1',
  port: 0,
  ...(key === undefined || cert === undefined
    ? {}
    : { tls: { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') } }),
  socket: {
    open(socket) {
      socket.data = { bytes: Buffer.alloc(0) }
      socket.setNoDelay(true)
    },
    data(socket, piece) {
      socket.data.bytes = Buffer.concat([socket.data.bytes, piece])
      for (let asked = takeRequest(socket.data); asked !== null; asked = takeRequest(socket.data)) {
        const answer = chaosAnswerTo(asked.path, asked.body, asked.credential)
        confusion.send(
          {
            write(bytes) {
              socket.write(bytes)
              socket.flush()
            },
            close: () => void socket.terminate(),
          },
          answer,
        )
      }
    },
  },
})

process.stdout.write(`${server.port}\n`)
