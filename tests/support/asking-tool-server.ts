import { McpServer, type ServerContext, createMcpHandler, inputRequired } from '@modelcontextprotocol/server'
import * as z from 'zod'

/** A tool server whose tools ask their caller something before they answer. */
export interface AskingToolServer {
  readonly url: string
  stop(): Promise<void>
}

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

const order = {
  type: 'object' as const,
  properties: {
    project: { type: 'string' as const, title: 'Name of your project' },
    requests: { type: 'integer' as const, description: 'Requests a second', default: 25 },
    chain: {
      type: 'string' as const,
      oneOf: [
        { const: 'base', title: 'Base' },
        { const: 'gnosis', title: 'Gnosis Chain' },
      ],
    },
    archive: { type: 'boolean' as const, description: 'With archive nodes' },
  },
  required: ['project', 'chain'],
}

/** Asks for an order, then for its confirmation, and says what it was told. */
function orderNode({ mcpReq }: ServerContext) {
  const { inputResponses } = mcpReq
  const told = inputResponses?.['order']
  const state = mcpReq.requestState<string>()
  if (state === undefined) {
    const message = 'Which node do you need? It starts within a minute.'
    return inputRequired({
      requestState: 'asked for the order',
      inputRequests: { order: inputRequired.elicit({ message, requestedSchema: order }) },
    })
  }
  if (told !== undefined && JSON.stringify(told).includes('"accept"')) {
    return inputRequired({
      requestState: `told: ${JSON.stringify(told)}`,
      inputRequests: {
        sure: inputRequired.elicit({
          message: 'Start it now?',
          requestedSchema: { type: 'object', properties: {} },
        }),
      },
    })
  }
  return text(`${state}; ${JSON.stringify(inputResponses)}`)
}

const going = (url: string) => inputRequired.elicitUrl({ message: 'Sign in with the provider.', url })

function signIn({ mcpReq }: ServerContext) {
  const { inputResponses } = mcpReq
  if (inputResponses !== undefined) return text(JSON.stringify(inputResponses))
  return inputRequired({
    requestState: 'sent away',
    inputRequests: {
      there: going('https://accounts.provider.example/authorize?client=gatehouse&state=4f1d'),
      elsewhere: going('javascript:alert(1)'),
    },
  })
}

/** What no caller can be asked that did not say so: the SDK would refuse to send it. */
const asksModel = {
  resultType: 'input_required',
  requestState: 'asked a model',
  inputRequests: {
    model: {
      method: 'sampling/createMessage',
      params: { messages: [{ role: 'user', content: { type: 'text', text: 'Summarize' } }], maxTokens: 100 },
    },
  },
}

function build(): McpServer {
  const server = new McpServer({ name: 'asking', version: '1.0.0' })
  const none = { inputSchema: z.object({}) }
  server.registerTool('order_node', { ...none, description: 'Orders a node' }, (_, context) =>
    orderNode(context),
  )
  server.registerTool('sign_in', { ...none, description: 'Signs in at a provider' }, (_, context) =>
    signIn(context),
  )
  server.registerTool('summarize', { ...none, description: 'Summarizes, with a model' }, () =>
    text('never said'),
  )
  return server
}

export function startAskingToolServer(): AskingToolServer {
  const handler = createMcpHandler(build, { legacy: 'reject' })
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.headers.get('mcp-name') !== 'summarize') return handler.fetch(request)
      const { id } = (await request.json()) as { id: unknown }
      return Response.json({ jsonrpc: '2.0', id, result: asksModel })
    },
  })
  return { url: `http://127.0.0.1:${server.port}/mcp`, stop: () => server.stop(true) }
}
