import { Server, type Tool, createMcpHandler } from '@modelcontextprotocol/server'

/** A tool server whose tools a test decides, one after the other. */
export interface ScriptedToolServer {
  readonly url: string
  /** The calls that it got. */
  readonly calls: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[]
  setTools(tools: readonly Tool[]): void
  /** While it is away, it answers 503 to everything. */
  setAway(isAway: boolean): void
  stop(): Promise<void>
}

/** Every tool answers with its name and its arguments as JSON. */
export function startScriptedToolServer(first: readonly Tool[]): ScriptedToolServer {
  let tools = first
  let isAway = false
  const calls: { name: string; arguments: Record<string, unknown> }[] = []
  const { fetch } = createMcpHandler(
    () => {
      const server = new Server({ name: 'scripted', version: '1.0.0' }, { capabilities: { tools: {} } })
      server.setRequestHandler('tools/list', () => ({ tools: [...tools] }))
      server.setRequestHandler('tools/call', ({ params }) => {
        const call = { name: params.name, arguments: { ...params.arguments } }
        calls.push(call)
        return { content: [{ type: 'text', text: JSON.stringify(call) }] }
      })
      return server
    },
    { legacy: 'reject' },
  )
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: (request) => (isAway ? new Response('away', { status: 503 }) : fetch(request)),
  })
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    calls,
    setTools(next) {
      tools = next
    },
    setAway(next) {
      isAway = next
    },
    stop: () => server.stop(true),
  }
}

/** A tool with text arguments of these names; an asterisk marks the required ones. */
export function textTool(name: string, description: string, args: readonly string[] = []): Tool {
  const names = args.map((arg) => arg.replace('*', ''))
  const required = args.filter((arg) => arg.endsWith('*')).map((arg) => arg.slice(0, -1))
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(names.map((arg) => [arg, { type: 'string' }])),
      ...(required.length > 0 && { required }),
    },
  }
}
