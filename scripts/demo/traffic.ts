import { callWith } from '../../tests/support/console-query-keys.ts'
import { connectClient } from '../../tests/support/mcp-clients.ts'
import type { McpClient } from '../../tests/support/mcp-clients.ts'
import { signInAt } from '../../tests/support/signed-in-client.ts'

export interface Traffic {
  /** Where a wallet would call with one of the keys. */
  readonly rpcUrl: string
  stop(): Promise<void>
}

const callEveryMs = 200
const agentEveryMs = 5_000

const keys = [
  { name: 'Wallet app', endpoint: 'testnet', rateLimit: 1_000, rateLimitPeriod: 'minute' },
  { name: 'Price feed', endpoint: 'testnet', creditsLimit: 50_000, creditsLimitPeriod: 'hour' },
  { name: 'Public demo', endpoint: 'testnet', rateLimit: 100, rateLimitPeriod: 'minute' },
]

/** An owner with query keys that are in use, and an agent that calls a tool server of somebody else. */
export async function startTraffic(url: string, toolServer: string): Promise<Traffic> {
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
    await callWith(url, 'testnet', values[turn++ % values.length] ?? '')
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

async function callTool(agent: McpClient, toolServer: string): Promise<void> {
  await agent.call('search', { query: 'everything' })
  await agent.execute('connect_mcp', {}, toolServer)
  await agent.execute('call_mcp_tool', { tool_name: 'echo', arguments: { message: 'hello' } }, toolServer)
}
