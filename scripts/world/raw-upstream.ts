/** One request as it came, and the connection on which it can be answered with any bytes. */
export interface RawRequest {
  /** Request line and headers. */
  readonly head: string
  readonly body: string
  /** How many requests came on this connection before. */
  readonly place: number
  write(bytes: string | Uint8Array): void
  /** Closes the connection when everything is sent. */
  end(): void
  /** Resets it at once. */
  reset(): void
}

/** A peer that answers HTTP requests byte by byte as a test likes, right or wrong. */
export interface RawUpstream {
  readonly url: string
  readonly port: number
  readonly requests: readonly RawRequest[]
  connections(): number
  openConnections(): number
  /** From now on. */
  answer(how: (request: RawRequest) => void): void
  /** Closes all open connections. */
  hangUp(): void
  stop(): void
}

interface Reading {
  text: string
  requests: number
}

/** What a healthy node says to a single call. */
export const okAnswer = (body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** The same to this very request: `members` are those of a JSON-RPC answer besides `jsonrpc` and `id`. */
export const answerTo = (request: RawRequest, members: string): string =>
  okAnswer(`{"jsonrpc":"2.0","id":${idIn(request)},${members}}`)

/** The id of a single call, under which the node has to answer it. */
export const idIn = ({ body }: RawRequest): number => JSON.parse(body).id

export function startRawUpstream(first: (request: RawRequest) => void): RawUpstream {
  const requests: RawRequest[] = []
  const open = new Set<Bun.Socket<Reading>>()
  let answer = first
  let connections = 0

  const server = Bun.listen<Reading>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { text: '', requests: 0 }
        connections += 1
        open.add(socket)
      },
      close: (socket) => void open.delete(socket),
      data(socket, piece) {
        socket.data.text += piece.toString('latin1')
        for (let request = takeRequest(socket); request !== null; request = takeRequest(socket)) {
          requests.push(request)
          answer(request)
        }
      },
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}/`,
    port: server.port,
    requests,
    connections: () => connections,
    openConnections: () => open.size,
    answer(how) {
      answer = how
    },
    hangUp() {
      for (const socket of open) socket.end()
    },
    stop: () => server.stop(true),
  }
}

/** The next whole request of a connection; null: there is none yet. Requests have a content length. */
function takeRequest(socket: Bun.Socket<Reading>): RawRequest | null {
  const { text, requests } = socket.data
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = text.slice(0, headEnd)
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
  const bodyAt = headEnd + 4
  if (text.length < bodyAt + length) return null
  socket.data.text = text.slice(bodyAt + length)
  socket.data.requests = requests + 1
  return {
    head,
    body: Buffer.from(text.slice(bodyAt, bodyAt + length), 'latin1').toString(),
    place: requests,
    write: (bytes) => void socket.write(bytes),
    end: () => socket.end(),
    reset: () => socket.terminate(),
  }
}
