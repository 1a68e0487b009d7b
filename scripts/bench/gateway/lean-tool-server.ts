/** A tool server with one tool and nothing around it, as a process of its own. Prints its address when it listens. */
import { Server, createMcpHandler } from '@modelcontextprotocol/server'

import { print } from '../../print.ts'

const tools = [{ name: 'echo', inputSchema: { type: 'object' as const } }]

function createServer(): Server {
  const server = new Server({ name: 'lean', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools }))
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: String(params.arguments?.message) }],
  }))
  return server
}

const handler = createMcpHandler(createServer)
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => handler.fetch(request) })
print(`http://127.0.0.1:${server.port}/mcp`)
