import { systemClock } from '../../platform/clock.ts'
import { createEgress } from '../../platform/egress.ts'
import { type Downstream, openDownstream } from '../downstream/downstream.ts'
import { defaultDownstreamLimits as limits } from '../downstream/limits.ts'
import type { NamedToolCall } from '../call-results.ts'
import { callTool, createHeaderTools } from '../tools/call-tool.ts'
import { type Definition, readTools } from '../tools/read-tools.ts'

/** What the conformance suite starts: it lists the tools of the address it is given, and calls them. */

const url = process.argv.at(-1) ?? ''
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as { toolCalls?: NamedToolCall[] }

const capabilities = { elicitation: { form: {} } }
const maxRounds = 5
const signal = new AbortController().signal
const headerTools = createHeaderTools()

/** Answers whatever the server asks, until it has what it wants. */
async function call(downstream: Downstream, tool: NamedToolCall): Promise<void> {
  let answers = {}
  for (let round = 0; round < maxRounds; round += 1) {
    const link = { signal, clientCapabilities: capabilities, ...answers }
    const result = await callTool(downstream, tool, link, headerTools, limits)
    if (result.resultType !== 'input_required') return
    const asked = Object.keys(typeof result.inputRequests === 'object' ? { ...result.inputRequests } : {})
    const inputResponses = Object.fromEntries(
      asked.map((key) => [key, { action: 'accept', content: { confirmed: true } }]),
    )
    const { requestState } = result
    answers = { inputResponses, ...(typeof requestState === 'string' ? { requestState } : {}) }
  }
}

/** The suite says which calls to make; or they follow from the scenario. */
function callsFor(tools: readonly Definition[]): readonly NamedToolCall[] {
  if (context.toolCalls !== undefined) return context.toolCalls
  const echo = 'json_schema_echo'
  const schema = tools.find(({ name }) => name !== echo)?.inputSchema
  if (scenario.startsWith('json-schema-2020')) return [{ name: echo, arguments: { schema } }]
  return tools.map(({ name }) => ({ name, arguments: { a: 5, b: 3 } }))
}

const egress = createEgress({
  clock: systemClock,
  allowPrivate: ['127.0.0.0/8', '::1/128'],
  schemes: ['http'],
  streamLimits: { timeoutMs: 60_000, maxBytes: Number.POSITIVE_INFINITY },
})
const service = {
  serviceId: 'mcpservers:conformance',
  chain: 'ethereum',
  category: 'mcpservers',
  provider: null,
  name: 'Conformance',
  url,
  transport: 'http',
  authType: 'none',
  credentialKey: null,
} as const
const downstream = await openDownstream(
  {
    fetch: egress.fetch,
    service,
    credential: null,
    bearer: null,
    onSecretQuoted: () => undefined,
    showsSecrets: false,
    limits,
    protocolSupport: null,
    askable: {},
  },
  signal,
)
const { tools } = await readTools(downstream, limits, signal)
headerTools.remember(downstream, tools)
for (const tool of callsFor(tools)) {
  // A refusal is for the suite to judge, which saw the request.
  await call(downstream, tool).catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
}
downstream.close()
egress.close()
process.exit(0)
