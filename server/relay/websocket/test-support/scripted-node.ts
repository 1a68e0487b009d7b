type NodeSocket = Bun.ServerWebSocket<undefined>

/** A node whose answers a test writes itself, by HTTP and by WebSocket. */
export interface ScriptedNode {
  readonly url: string
  /** Headers and paths with which WebSockets were opened. */
  readonly upgrades: string[]
  readonly pings: () => number
  stop(): Promise<void>
}

/** `answer` is called with each message; `answerHttp` returns the result of an HTTP call. */
export function startScriptedNode(
  answer: (socket: NodeSocket, id: number, method: string, params: unknown) => void,
  answerHttp: () => unknown = () => '0x1',
): ScriptedNode {
  const upgrades: string[] = []
  let pings = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request, bun) {
      if (request.headers.has('upgrade')) {
        upgrades.push(`${request.url} ${JSON.stringify(request.headers)}`)
        return bun.upgrade(request) ? undefined : new Response(null, { status: 400 })
      }
      const { id } = (await request.json()) as { id: unknown }
      return Response.json({ jsonrpc: '2.0', id, result: answerHttp() })
    },
    websocket: {
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
  return {
    url: `http://127.0.0.1:${server.port}`,
    upgrades,
    pings: () => pings,
    stop: () => server.stop(true),
  }
}

export const resultText = (id: number, result: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result })

export const notificationText = (subscription: string, result: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result } })
