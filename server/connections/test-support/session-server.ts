import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/** A tool server of the 2025 era with sessions, whose tests decide how HTTP answers. */
export interface SessionServer {
  readonly url: string
  /** The method of every message, with the name of the tool that is called, and each `GET`. */
  readonly seen: readonly string[]
  /** Lets the calls of the tool `slow` be answered. */
  release(): void
  stop(): void
}

interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name?: string }
}

/**
 * Starts the server. Its tool `slow` waits to be released; a tool whose name is an HTTP status is refused with it;
 * others answer at once. `onGet` answers the request for a standing stream.
 */
export async function startSessionServer(
  onGet: (response: ServerResponse) => void = refuseStream,
): Promise<SessionServer> {
  const seen: string[] = []
  const released = Promise.withResolvers<void>()

  async function onMessage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id, method, params = {} }: Message = JSON.parse(await text(request))
    const { name = '' } = params
    seen.push(`${method} ${name}`.trim())
    if (id === undefined) return void response.writeHead(202).end()
    const answer = (result: object) => response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    response.setHeader('content-type', 'application/json')
    if (method === 'initialize') {
      response.setHeader('mcp-session-id', randomUUID())
      return void answer({
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'sessions', version: '1' },
      })
    }
    if (method === 'tools/list') return void answer({ tools: [] })
    if (method !== 'tools/call') return void response.writeHead(400).end('{}')
    if (/^\d{3}$/.test(name)) return void response.writeHead(Number(name)).end('{}')
    if (name === 'slow') await released.promise
    answer({ content: [{ type: 'text', text: `${name} is done` }] })
  }

  const server = createServer((request, response) => {
    if (request.method === 'POST') return void onMessage(request, response)
    seen.push(request.method ?? '')
    onGet(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    seen,
    release: released.resolve,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const refuseStream = (response: ServerResponse): void => void response.writeHead(405).end()
