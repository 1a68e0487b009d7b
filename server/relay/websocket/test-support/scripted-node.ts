type NodeSocket = Bun.ServerWebSocket<undefined>

/** A node whose answers a test writes itself, by HTTP and by WebSocket. */
export interface ScriptedNode {
  readonly url: string
  /** Headers and paths with which WebSockets were opened. */
  readonly upgrades: string[]
  readonly pings: () => number
  /** How many WebSockets are open. */
  readonly open: () => number
  /** Opens no WebSocket before this resolves; null: at once. */
  held: Promise<void> | null
  /** Closes all open WebSockets. */
  hangUp(): void
  stop(): Promise<void>
}

/** `answer` is called with each message; `answerHttp` returns the result of an HTTP call. */
export function startScriptedNode(
  answer: (socket: NodeSocket, id: number, method: string, params: unknown) => void,
  answerHttp: () => unknown = () => '0x1',
): ScriptedNode {
  const upgrades: string[] = []
  const sockets = new Set<NodeSocket>()
  let pings = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request, bun) {
      if (request.headers.has('upgrade')) {
        upgrades.push(`${request.url} ${JSON.stringify(request.headers)}`)
        await node.held
        return bun.upgrade(request) ? undefined : new Response(null, { status: 400 })
      }
      const { id } = (await request.json()) as { id: unknown }
      return Response.json({ jsonrpc: '2.0', id, result: answerHttp() })
    },
    websocket: {
      open: (socket: NodeSocket) => void sockets.add(socket),
      close: (socket: NodeSocket) => void sockets.delete(socket),
      ping: () => void pings++,
      message(socket: NodeSocket, text) {
        const { id, method, params } = JSON.parse(String(text)) as {
          id: number
          method: string
          params: unknown
        }
        answer(socket, id, method, params)
      },
    },
  })
  const node: ScriptedNode = {
    url: `http://127.0.0.1:${server.port}`,
    upgrades,
    pings: () => pings,
    open: () => sockets.size,
    held: null,
    hangUp: () => sockets.forEach((socket) => socket.close()),
    stop: () => server.stop(true),
  }
  return node
}

export const resultText = (id: number, result: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result })

export const notificationText = (subscription: string, result: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result } })
