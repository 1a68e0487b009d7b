import { connectClient } from '../world/mcp-clients.ts'
import type { TestMcpClient } from '../world/mcp-clients.ts'
import { signInAt } from '../world/signed-in-client.ts'
import type { DemoServer } from './server.ts'

export interface DemoTraffic {
  /** Where a wallet would call with one of the keys. */
  readonly rpcUrl: string
  stop(): Promise<void>
}

const callEveryMs = 200
const agentEveryMs = 5_000
const lookForOperatorEveryMs = 1_000

const json = { 'content-type': 'application/json' }
const blockNumber = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })

const agentKind = 'v2 2025 http'

const keys = [
  { name: 'Wallet app', endpoint: 'testnet', rateLimit: 1_000, rateLimitPeriod: 'minute' },
  { name: 'Price feed', endpoint: 'testnet', creditsLimit: 50_000, creditsLimitPeriod: 'hour' },
  { name: 'Public demo', endpoint: 'testnet', rateLimit: 100, rateLimitPeriod: 'minute' },
] as const

/**
 * An owner with query keys that are in use, and an agent that calls a tool server of somebody else. Whoever becomes the
 * operator gets keys of their own, which are used as well, so that every page of theirs has something to show.
 */
export async function startTraffic(server: DemoServer, toolServer: string): Promise<DemoTraffic> {
  const { url } = server
  const owner = await signInAt(url)
  const values: string[] = []
  for (const key of keys) {
    const { data, error } = await owner.mutate('queryKeys.create', key)
    if (error !== undefined) throw new Error(`no query key: ${JSON.stringify(error)}`)
    values.push((data as { value: string }).value)
  }
  const agents = [await connectClient(agentKind, url)]
  let turn = 0
  const call = async (): Promise<void> => {
    const key = values[turn++ % values.length] ?? ''
    await fetch(`${url}/rpc/testnet/${key}`, { method: 'POST', headers: json, body: blockNumber })
  }
  const timers = [
    every(callEveryMs, call),
    every(agentEveryMs, () => Promise.all(agents.map((agent) => callTool(agent, toolServer)))),
  ]
  let hasOperator = false
  const looking = every(lookForOperatorEveryMs, async () => {
    const operator = await findOperator(server)
    // One that was slow may find the operator after the next one did.
    if (operator === undefined || hasOperator) return
    hasOperator = true
    clearInterval(looking)
    const own = await giveKeys(server, operator)
    values.push(...own.queryKeys)
    agents.push(await connectClient(agentKind, url, { apiKey: own.apiKey }))
  })
  return {
    rpcUrl: `${url}/rpc/testnet/${values[0]}`,
    async stop() {
      for (const timer of [...timers, looking]) clearInterval(timer)
      await Promise.all(agents.map((agent) => agent.close()))
    },
  }
}

async function findOperator({ operator }: DemoServer): Promise<string | undefined> {
  const { accounts } = await operator.accounts.page.query({ limit: 10 })
  return accounts.find(({ role }) => role === 'operator')?.id
}

async function giveKeys({ operator }: DemoServer, account: string) {
  const queryKeys: string[] = []
  for (const key of keys) {
    queryKeys.push((await operator.operatorQueryKeys.create.mutate({ account, ...key })).value)
  }
  const agent = { account, name: 'Agent', permissions: ['gateway_use' as const] }
  return { queryKeys, apiKey: (await operator.operatorApiKeys.create.mutate(agent)).value }
}

/** What fails while nodes are broken or the server stops is the point of the demo, or its end. */
const every = (ms: number, work: () => Promise<unknown>): Timer =>
  setInterval(() => void work().catch(() => undefined), ms)

async function callTool(agent: TestMcpClient, toolServer: string): Promise<void> {
  await agent.call('search', { query: 'everything' })
  await agent.execute('connect_mcp', {}, toolServer)
  await agent.execute('call_mcp_tool', { tool_name: 'echo', arguments: { message: 'hello' } }, toolServer)
}
