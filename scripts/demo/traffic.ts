import { connectClient } from '../world/mcp-clients.ts'
import type { TestMcpClient } from '../world/mcp-clients.ts'
import { signInAt } from '../world/signed-in-client.ts'

export interface DemoTraffic {
  /** Where a wallet would call with one of the keys. */
  readonly rpcUrl: string
  stop(): Promise<void>
}

const callEveryMs = 200
const agentEveryMs = 5_000

const json = { 'content-type': 'application/json' }
const blockNumber = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })

const keys = [
  { name: 'Wallet app', endpoint: 'testnet', rateLimit: 1_000, rateLimitPeriod: 'minute' },
  { name: 'Price feed', endpoint: 'testnet', creditsLimit: 50_000, creditsLimitPeriod: 'hour' },
  { name: 'Public demo', endpoint: 'testnet', rateLimit: 100, rateLimitPeriod: 'minute' },
]

/** An owner with query keys that are in use, and an agent that calls a tool server of somebody else. */
export async function startTraffic(url: string, toolServer: string): Promise<DemoTraffic> {
  const owner = await signInAt(url)
  const values: string[] = []
  for (const key of keys) {
    const { data, error } = await owner.mutate('queryKeys.create', key)
    if (error !== undefined) throw new Error(`no query key: ${JSON.stringify(error)}`)
    values.push((data as { value: string }).value)
  }
  const agent = await connectClient('v2 2025 http', url)
  let turn = 0
  const call = async (): Promise<void> => {
    const key = values[turn++ % values.length] ?? ''
    await fetch(`${url}/rpc/testnet/${key}`, { method: 'POST', headers: json, body: blockNumber })
  }
  const timers = [every(callEveryMs, call), every(agentEveryMs, () => callTool(agent, toolServer))]
  return {
    rpcUrl: `${url}/rpc/testnet/${values[0]}`,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await agent.close()
    },
  }
}

/** What fails while nodes are broken or the server stops is the point of the demo, or its end. */
const every = (ms: number, work: () => Promise<unknown>): Timer =>
  setInterval(() => void work().catch(() => undefined), ms)

async function callTool(agent: TestMcpClient, toolServer: string): Promise<void> {
  await agent.call('search', { query: 'everything' })
  await agent.execute('connect_mcp', {}, toolServer)
  await agent.execute('call_mcp_tool', { tool_name: 'echo', arguments: { message: 'hello' } }, toolServer)
}
