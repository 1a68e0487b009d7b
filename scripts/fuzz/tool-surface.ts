import * as z from 'zod'

import { isFields } from '../../shared/fields.ts'
import { operationNames } from '../../shared/gateway.ts'
import { mutated } from './hostile-values.ts'
import type { Random } from './random.ts'
import { type JsonSchema, type SchemaValues, createSchemaValues } from './schema-values.ts'
import {
  type Credentials,
  type FuzzAnswer,
  type Surface,
  neverAllowed,
  parsed,
  plantedSecret,
} from './sent.ts'

interface Tool {
  readonly name: string
  readonly inputSchema: JsonSchema
  readonly answer: z.ZodType
  readonly values: SchemaValues
}

const protocolVersion = '2026-07-28'

const about = {
  'io.modelcontextprotocol/protocolVersion': protocolVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
} as const

const mcpHeaders = (method: string, name?: string): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': protocolVersion,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
})

/** What `execute` takes in its `arguments`, which the schema of the tool leaves open. */
const operationFields: JsonSchema = {
  type: 'object',
  properties: {
    service_id: { type: 'string' },
    chain: { type: 'string' },
    connection_id: { type: 'string' },
    query: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    offset: { type: 'integer', minimum: 0, maximum: 100_000 },
    label: { type: 'string' },
    token: { type: 'string' },
    tokens: { type: 'object', additionalProperties: { type: 'string' } },
    credentials: {
      type: 'object',
      properties: {
        kind: { enum: ['static_secret'] },
        secret: { type: 'string' },
        header_name: { type: 'string' },
      },
      required: ['kind', 'secret'],
    },
    tool_name: { type: 'string' },
    arguments: { type: 'object' },
  },
}

const ListedTool = z.object({
  name: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  /** Without one, a tool answers as the tool server does that it calls. */
  outputSchema: z.optional(z.record(z.string(), z.unknown())),
})
const Listed = z.object({ result: z.object({ tools: z.array(ListedTool) }) })

/** Asks a running server for its tools. */
export async function listFuzzedTools(url: string): Promise<z.infer<typeof ListedTool>[]> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: mcpHeaders('tools/list'),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: about } }),
  })
  return Listed.parse(await response.json()).result.tools
}

/** Every tool of the gateway, as agents call them. */
export function createToolSurface(
  listed: Awaited<ReturnType<typeof listFuzzedTools>>,
  random: Random,
  credentials: Credentials,
  knownIds: () => readonly string[],
): Surface {
  const tools = listed.map(({ name, inputSchema, outputSchema }): Tool => ({
    name,
    inputSchema,
    answer: outputSchema === undefined ? z.unknown() : z.fromJSONSchema(outputSchema),
    values: createSchemaValues(random, inputSchema, knownIds),
  }))
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const fields = createSchemaValues(random, operationFields, knownIds)

  function argumentsOf({ name, inputSchema, values }: Tool): unknown {
    const given = values.of(inputSchema)
    const whole =
      name === 'execute' && isFields(given)
        ? { ...given, operation: random.pick(operationNames), arguments: fields.of(operationFields) }
        : given
    return random.chance(0.35) ? whole : mutated(whole, random, () => plantedSecret)
  }

  return {
    name: 'mcp',
    make() {
      const tool = random.pick(tools)
      const by = random.pick(['nobody', 'owner'] as const)
      const call = {
        jsonrpc: '2.0',
        id: random.below(1_000),
        method: 'tools/call',
        params: { name: tool.name, arguments: argumentsOf(tool), _meta: about },
      }
      const sent = random.chance(0.05) ? mutated(call, random, () => plantedSecret) : call
      return {
        target: tool.name,
        by,
        method: 'POST',
        path: '/mcp',
        headers: { ...credentials.keyHeaders(by), ...mcpHeaders('tools/call', tool.name) },
        body: JSON.stringify(sent) ?? '',
      }
    },
    judge: (sent, received) => judge(byName.get(sent.target), received),
  }
}

const statuses = new Set([200, 202, 400, 401, 403, 404, 406, 413, 415, 429])

const Answer = z.object({
  jsonrpc: z.literal('2.0'),
  error: z.optional(z.object({ code: z.number(), message: z.string() })),
  result: z.optional(
    z.looseObject({ isError: z.optional(z.boolean()), structuredContent: z.optional(z.unknown()) }),
  ),
})

const internalError = -32_603

function judge(tool: Tool | undefined, received: FuzzAnswer): string | null {
  const { status, text } = received
  const body = parsed(lastEvent(text))
  const answer = Answer.safeParse(body).data
  const refusal = z
    .object({ error: z.object({ code: z.string() }) })
    .safeParse(answer?.result?.structuredContent)
  const isInternal = answer?.error?.code === internalError || refusal.data?.error.code === 'internal'
  const never = neverAllowed(received, isInternal)
  if (never !== null) return never
  if (!statuses.has(status)) return `undeclared status ${status}`
  if (text === '') return null
  if (answer === undefined) return isFields(body) && 'error' in body ? null : 'an answer that is no JSON-RPC'
  const given = answer.result?.structuredContent
  if (given === undefined || tool === undefined) return null
  return tool.answer.safeParse(given).success ? null : 'structuredContent that is not as declared'
}

/** The data of the last event of a stream, or the text as it is. */
const lastEvent = (text: string): string => /(?:^|\n)data: ?(\{.*\})\s*$/.exec(text)?.[1] ?? text
