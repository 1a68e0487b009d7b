import { withinDeadline } from '../../../server/platform/deadline.ts'
import { type ClientKind, connectClient, type TestMcpClient } from '../mcp-clients.ts'
import { repeat, type Repeating } from '../repeating.ts'
import type { CallSeen, CallOutcome, CallerKind } from './record.ts'

const trafficOf = {
  'v1 http': 'agent 2025',
  'v2 2025 http': 'agent 2025',
  'v2 2026 http': 'agent 2026',
  'v1 sse': 'agent sse',
  'v2 sse': 'agent sse',
} as const satisfies Partial<Record<ClientKind, CallerKind>>
type AgentKind = keyof typeof trafficOf

export const agentKinds = Object.keys(trafficOf) as AgentKind[]

const patienceMs = 20_000

/** An agent that calls a tool of a tool server again and again, and connects anew when its session or stream has gone. */
export function startAgent(
  kind: AgentKind,
  base: string,
  {
    apiKey,
    everyMs,
    calls,
  }: { readonly apiKey: string; readonly everyMs: number; readonly calls: CallSeen[] },
): Repeating {
  const traffic = trafficOf[kind]
  let client: TestMcpClient | null = null

  async function callTool(): Promise<void> {
    client ??= await connectClient(kind, base, { apiKey })
    const args = { tool_name: 'echo', arguments: { message: 'hi' } }
    const { isError, content } = await client.execute('call_mcp_tool', args, 'mcpservers:plain')
    if (isError) throw new Error(content.map(({ text }) => text).join(' '))
  }

  const calling = repeat(async () => {
    const sentAt = performance.now()
    const { outcome, detail } = await withinDeadline(callTool(), patienceMs).then(
      () => ({ outcome: 'answered' as const, detail: '' }),
      outcomeOfError,
    )
    const answeredAt = performance.now()
    calls.push({
      traffic,
      key: null,
      sentAt,
      answeredAt,
      outcome,
      detail: `${kind}: ${detail}`,
      reachedAt: null,
    })
    if (outcome === 'answered' || (traffic !== 'agent sse' && outcome !== 'lost')) return
    await client?.close().catch(() => undefined)
    client = null
  }, everyMs)

  return {
    async stop() {
      await calling.stop()
      await client?.close().catch(() => undefined)
    },
  }
}

function outcomeOfError(error: unknown): { outcome: CallOutcome; detail: string } {
  const detail = String(error)
  if (/unknown_session|session not found|\b404\b/i.test(detail)) return { outcome: 'lost', detail }
  if (/\b503\b|unavailable|try again/i.test(detail)) return { outcome: 'unavailable', detail }
  return { outcome: 'cut', detail }
}
