import { randomUUID } from 'node:crypto'

import {
  McpServer,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  inputRequired,
} from '@modelcontextprotocol/server'
import * as z from 'zod'

/** A tool server of the test's own, in this process. */
export interface ToolServer {
  readonly url: string
  readonly origin: string
  /** Every HTTP request it got, with all its headers. */
  readonly requests: readonly SeenRequest[]
  forgetRequests(): void
  /** Tools that were called, and aborted. */
  readonly called: readonly string[]
  readonly aborted: readonly string[]
  /** Forgets the sessions of the 2025 era, as a restart does. */
  forgetSessions(): void
  openSessions(): number
  /** Another server answers at its address from now on. */
  become(era: Era, notKnown?: Response): void
  /** Changes how its tools describe themselves. */
  describe(words: string): void
  stop(): Promise<void>
}

export interface SeenRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Era = 'modern' | 'legacy'

export interface ToolServerOptions {
  readonly era?: Era
  /** Answers 401 to requests without this credential. */
  readonly wants?: { readonly header: string; readonly value: string }
}

export async function startToolServer({
  era: firstEra = 'modern',
  wants,
}: ToolServerOptions = {}): Promise<ToolServer> {
  const requests: SeenRequest[] = []
  let era = firstEra
  let notKnown = new Response('no such session', { status: 404 })
  const tools = toolsOf()
  const modern = createMcpHandler(() => tools.build(), { legacy: 'reject' })
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()

  async function legacy(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    const known = id === null ? undefined : sessions.get(id)
    if (known !== undefined) return known.handleRequest(request)
    if (id !== null) return notKnown.clone()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      // Bun sends the status of a stream with its first chunk.
      keepAliveMs: 500,
      onsessioninitialized: (session) => void sessions.set(session, transport),
    })
    await tools.build().connect(transport)
    return transport.handleRequest(request)
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = request.method === 'POST' ? await request.clone().text() : ''
      requests.push({ method: request.method, headers: Object.fromEntries(request.headers), body })
      if (wants !== undefined && request.headers.get(wants.header) !== wants.value) {
        return new Response('who are you?', {
          status: 401,
          headers: { 'www-authenticate': 'Bearer resource_metadata="http://169.254.169.254/latest"' },
        })
      }
      return era === 'modern' ? modern.fetch(request) : legacy(request)
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    origin: `http://127.0.0.1:${server.port}`,
    requests,
    forgetRequests: () => void requests.splice(0),
    called: tools.called,
    aborted: tools.aborted,
    forgetSessions: () => sessions.clear(),
    openSessions: () => sessions.size,
    become(next, answer = notKnown) {
      era = next
      notKnown = answer
      sessions.clear()
    },
    describe: tools.describe,
    stop: () => server.stop(true),
  }
}

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

async function count(steps: number, { mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken
  for (let progress = 1; progress <= steps; progress += 1) {
    if (progressToken === undefined) break
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress, total: steps, message: `step ${progress}` },
    })
  }
  return text(`counted to ${steps}`)
}

function ask({ mcpReq }: ServerContext) {
  const answer = mcpReq.inputResponses?.['name']
  if (answer === undefined) {
    return inputRequired({
      requestState: 'state-of-the-downstream',
      inputRequests: {
        name: inputRequired.elicit({
          message: 'Your name?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
        }),
      },
    })
  }
  return text(`${mcpReq.requestState<string>()}: ${JSON.stringify(answer)}`)
}

/** What its tools do; a new server object is built for each connection or request, as the SDK wants. */
function toolsOf() {
  const called: string[] = []
  const aborted: string[] = []
  let description = 'Says again what it is told'

  function build(): McpServer {
    const server = new McpServer(
      { name: 'fixture', version: '3.2.1' },
      { instructions: 'Be kind', capabilities: { logging: {} } },
    )
    server.registerTool(
      'echo',
      { description, inputSchema: z.object({ message: z.string() }), annotations: { readOnlyHint: true } },
      ({ message }) => {
        called.push('echo')
        return { ...text(message), _meta: { 'fixture/kept': [1, 2] } }
      },
    )
    server.registerTool(
      'structured',
      { inputSchema: z.object({}), outputSchema: z.object({ height: z.number() }) },
      () => ({ ...text('{"height":7}'), structuredContent: { height: 7 } }),
    )
    server.registerTool('fail', { inputSchema: z.object({}) }, () => ({ ...text('it broke'), isError: true }))
    server.registerTool('count', { inputSchema: z.object({ steps: z.number() }) }, ({ steps }, context) =>
      count(steps, context),
    )
    server.registerTool('talk', { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
      await mcpReq.log('debug', 'too little to say')
      await mcpReq.log('warning', 'half done')
      server.sendToolListChanged()
      return text('talked')
    })
    server.registerTool('hang', { inputSchema: z.object({}) }, (_, context) => hang(context))
    server.registerTool('ask', { inputSchema: z.object({}) }, (_, context) => ask(context))
    return server
  }

  async function hang({ mcpReq }: ServerContext) {
    called.push('hang')
    await new Promise<void>((resolve) => mcpReq.signal.addEventListener('abort', () => resolve()))
    aborted.push('hang')
    return text('never heard')
  }

  return {
    called,
    aborted,
    build,
    describe(words: string) {
      description = words
    },
  }
}
