import { waitUntil } from '../../world/wait-until.ts'

/** A node that tells new blocks when it is told to. */
export interface HeadNode {
  readonly url: string
  readonly port: number
  /** How many streams of new blocks are open. */
  streams(): number
  announce(): void
  stop(): Promise<void>
}

const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`

/** A header as long as those of Ethereum. */
const headerOf = (number: number): object => ({
  number: `0x${number.toString(16)}`,
  hash: hashOf(number),
  parentHash: hashOf(number - 1),
  ...Object.fromEntries(
    ['stateRoot', 'receiptsRoot', 'transactionsRoot', 'sha3Uncles'].map((name) => [name, hashOf(1)]),
  ),
  logsBloom: `0x${'0'.repeat(512)}`,
  timestamp: `0x${(1_700_000_000 + number).toString(16)}`,
})

export function startHeadNode(): HeadNode {
  const streams = new Set<Bun.ServerWebSocket<undefined>>()
  let head = 1
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, bun) =>
      bun.upgrade(request, { data: undefined }) ? undefined : new Response(null, { status: 400 }),
    websocket: {
      message(socket: Bun.ServerWebSocket<undefined>, text) {
        const { id, method } = JSON.parse(String(text)) as { id: unknown; method: string }
        if (method === 'eth_subscribe') streams.add(socket)
        const result = method === 'eth_subscribe' ? '0x1' : headerOf(head)
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }))
      },
      close: (socket: Bun.ServerWebSocket<undefined>) => void streams.delete(socket),
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: Number(server.port),
    streams: () => streams.size,
    announce() {
      const params = { subscription: '0x1', result: headerOf(++head) }
      const text = JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params })
      for (const socket of streams) socket.send(text)
    },
    stop: () => server.stop(true),
  }
}

/** Many who listen to new blocks. */
export interface Subscribers {
  /** Has a block announced, and resolves to the ms until the last of them has it. */
  msToLast(announce: () => void): Promise<number>
  close(): void
}

const openedAtOnce = 50

/** Opens a WebSocket at each of the addresses, and subscribes there. */
export async function openSubscribers(urls: readonly string[]): Promise<Subscribers> {
  const sockets: WebSocket[] = []
  let received = 0
  let lastAt = 0
  for (let from = 0; from < urls.length; from += openedAtOnce) {
    const some = urls.slice(from, from + openedAtOnce).map((url) => new WebSocket(url))
    for (const socket of some) {
      socket.addEventListener('open', () =>
        socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'),
      )
      socket.addEventListener('message', () => {
        received++
        lastAt = performance.now()
      })
    }
    sockets.push(...some)
    await waitUntil('they have subscribed', () => received >= sockets.length)
  }
  return {
    async msToLast(announce) {
      received = 0
      const from = performance.now()
      announce()
      await waitUntil('all have the block', () => received >= sockets.length)
      return lastAt - from
    },
    close() {
      for (const socket of sockets) socket.close()
    },
  }
}
