import { systemClock } from '../../platform/clock.ts'
import { createEgress } from '../../platform/egress.ts'
import { openDownstream } from '../downstream/downstream.ts'
import { defaultDownstreamLimits as limits } from '../downstream/limits.ts'
import type { NamedToolCall } from '../call-results.ts'
import { callTool, createHeaderTools } from '../tools/call-tool.ts'
import { type Definition, readTools } from '../tools/read-tools.ts'
import type { ConformanceScenario } from './conformance-clients.ts'

const capabilities = { elicitation: { form: {} } }
const maxRounds = 5

/**
 * What the conformance suite asks for in its scenarios of tools: it lists the tools of the address it is given, and calls them.
 * Returns what was refused, in words.
 */
export async function conformanceClient(scenario: ConformanceScenario): Promise<string[]> {
  const { signal } = new AbortController()
  const headerTools = createHeaderTools()
  const egress = createEgress({
    clock: systemClock,
    allowPrivate: ['127.0.0.0/8', '::1/128'],
    schemes: ['http'],
    streamLimits: { timeoutMs: 60_000, maxBytes: Number.POSITIVE_INFINITY },
  })
  const downstream = await openDownstream(
    {
      fetch: egress.fetch,
      service: serviceAt(scenario.url),
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

  /** Answers whatever the server asks, until it has what it wants. */
  async function call(tool: NamedToolCall): Promise<void> {
    let answers = {}
    for (let round = 0; round < maxRounds; round += 1) {
      const link = { signal, clientCapabilities: capabilities, ...answers }
      const result = await callTool(downstream, tool, link, headerTools, limits)
      if (result.resultType !== 'input_required') return
      answers = answersTo(result)
    }
  }

  const words: string[] = []
  const { tools } = await readTools(downstream, limits, signal)
  headerTools.remember(downstream, tools)
  for (const tool of callsFor(scenario, tools)) {
    // A refusal is for the suite to judge, which saw the request.
    await call(tool).catch((error: unknown) => words.push(String(error)))
  }
  downstream.close()
  egress.close()
  return words
}

const serviceAt = (url: string) =>
  ({
    serviceId: 'mcpservers:conformance',
    chain: 'ethereum',
    category: 'mcpservers',
    provider: null,
    name: 'Conformance',
    url,
    transport: 'http',
    authType: 'none',
    credentialKey: null,
  }) as const

function answersTo({ inputRequests, requestState }: Awaited<ReturnType<typeof callTool>>) {
  const asked = Object.keys(typeof inputRequests === 'object' ? { ...inputRequests } : {})
  const inputResponses = Object.fromEntries(
    asked.map((key) => [key, { action: 'accept', content: { confirmed: true } }]),
  )
  return { inputResponses, ...(typeof requestState === 'string' ? { requestState } : {}) }
}

/** The suite says which calls to make; or they follow from the scenario. */
function callsFor(
  { name, context }: ConformanceScenario,
  tools: readonly Definition[],
): readonly NamedToolCall[] {
  if (context.toolCalls !== undefined) return context.toolCalls
  const echo = 'json_schema_echo'
  const schema = tools.find((tool) => tool.name !== echo)?.inputSchema
  if (name.startsWith('json-schema-2020')) return [{ name: echo, arguments: { schema } }]
  return tools.map((tool) => ({ name: tool.name, arguments: { a: 5, b: 3 } }))
}
