import { McpServer, createMcpHandler } from '@modelcontextprotocol/server'
import * as z from 'zod'

/** A tool server of somebody else, as agents find them in the registry. */
export interface ChainDataServer {
  readonly url: string
  stop(): Promise<void>
}

export function startChainDataServer(): ChainDataServer {
  const handler = createMcpHandler(buildServer)
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: (request) => handler.fetch(request),
  })
  return { url: `http://127.0.0.1:${server.port}/mcp`, stop: () => server.stop(true) }
}

const chain = z.enum(['ethereum', 'base', 'polygon', 'arbitrum']).describe('Which chain to read')
const address = z.string().describe('Address of an account or contract')
const annotations = { readOnlyHint: true }

function buildServer(): McpServer {
  const server = new McpServer({ name: 'acme-chain-data', version: '2.4.0' })
  server.registerTool(
    'get_gas_price',
    {
      description: 'Suggested fees of the next block, in gwei',
      inputSchema: z.object({ chain }),
      outputSchema: z.object({ chain: z.string(), baseFee: z.number(), priorityFee: z.number() }),
      annotations,
    },
    ({ chain: wanted }) => {
      const fees = { chain: wanted, baseFee: 0.42, priorityFee: 0.05 }
      return { content: [{ type: 'text', text: JSON.stringify(fees) }], structuredContent: fees }
    },
  )
  const described = [
    ['get_balance', 'Native balance of an account', { chain, address }],
    ['get_token_holders', 'The largest holders of a token', { chain, address }],
    ['get_transaction', 'A transaction with its receipt', { chain, hash: z.string() }],
    ['resolve_name', 'Address of an ENS name', { name: z.string() }],
    ['search_contracts', 'Verified contracts by name', { chain, query: z.string() }],
  ] as const
  for (const [name, description, fields] of described) {
    const inputSchema = z.object(fields as z.ZodRawShape)
    server.registerTool(name, { description, inputSchema, annotations }, () => nothingFound)
  }
  return server
}

const nothingFound = { content: [{ type: 'text' as const, text: 'Nothing was found.' }] }
