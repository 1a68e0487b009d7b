import { CLIENT_CAPABILITIES_META_KEY, type Tool } from '@modelcontextprotocol/client'

import { isFields } from '../../../shared/fields.ts'
import type { Downstream } from '../downstream/downstream.ts'
import type { ExchangeCaller } from '../downstream/exchanges.ts'
import { DownstreamError, DownstreamRefusal } from '../downstream/failure.ts'
import type { DownstreamLimits } from '../downstream/limits.ts'
import type { Params } from '../downstream/plain-requests.ts'
import type { NamedToolCall, RawToolResult } from '../call-results.ts'
import type { CallLink } from '../scope.ts'
import { type Definition, readTools } from './read-tools.ts'

/**
 * The error of a server that did not run the call, because a required header was missing or contradicted the
 * arguments.
 */
const headerMismatch = -32_020

/** The fields of SEP-414 that link the spans of one call. */
const traceFields = ['traceparent', 'tracestate', 'baggage'] as const

/** Calls a tool and returns the tool server's result unchanged. Rejects like `Downstream.request`. */
export async function callTool(
  downstream: Downstream,
  call: NamedToolCall,
  link: CallLink & ExchangeCaller,
  headerTools: HeaderTools,
  limits: DownstreamLimits,
): Promise<RawToolResult> {
  const params = paramsOf(downstream, call, link)
  const known = headerTools.find(downstream, call.name)
  if (known !== null) return resultOf(await downstream.callWithHeaders(params, known, link))
  try {
    return resultOf(await downstream.request('tools/call', params, link))
  } catch (error) {
    if (!(error instanceof DownstreamRefusal) || error.code !== headerMismatch) throw error
    const { tools } = await readTools(downstream, limits, link.signal)
    headerTools.remember(downstream, tools)
    const learnt = headerTools.find(downstream, call.name)
    if (learnt === null) throw error
    return resultOf(await downstream.callWithHeaders(params, learnt, link))
  }
}

function paramsOf({ era }: Downstream, call: NamedToolCall, link: CallLink): Params & { name: string } {
  const meta: Record<string, unknown> = {}
  for (const field of traceFields) {
    const value = link.meta?.[field]
    if (typeof value === 'string') meta[field] = value
  }
  const params = { name: call.name, arguments: call.arguments ?? {} }
  if (era === 'legacy') return { ...params, _meta: meta }
  return {
    ...params,
    // What the caller can be asked for: the downstream may answer `input_required` then.
    _meta: { ...meta, [CLIENT_CAPABILITIES_META_KEY]: link.clientCapabilities ?? {} },
    ...(link.inputResponses === undefined ? {} : { inputResponses: link.inputResponses }),
    ...(link.requestState === undefined ? {} : { requestState: link.requestState }),
  }
}

function resultOf(answer: unknown): RawToolResult {
  if (isFields(answer)) return answer
  throw new DownstreamError('not_mcp', 'a result that is no object')
}

/** Remembers, for each connection, the listed tools whose schemas want some arguments as headers. */
export interface HeaderTools {
  remember(downstream: Downstream, tools: readonly Definition[]): void
  find(downstream: Downstream, name: string): Tool | null
}

export function createHeaderTools(): HeaderTools {
  const known = new WeakMap<Downstream, ReadonlyMap<string, Tool>>()

  return {
    remember(downstream, tools) {
      if (downstream.era !== 'modern') return
      const wanting = tools.filter(({ inputSchema }) =>
        JSON.stringify(inputSchema ?? null).includes('"x-mcp-header"'),
      )
      known.set(downstream, new Map(wanting.map((tool) => [tool.name, withoutOutputSchema(tool)])))
    },
    find: (downstream, name) => known.get(downstream)?.get(name) ?? null,
  }
}

/** Removes the output schema, from which the SDK would compile code. */
const withoutOutputSchema = ({ name, inputSchema }: Definition): Tool => ({
  name,
  inputSchema: { type: 'object', ...(typeof inputSchema === 'object' ? inputSchema : {}) },
})

/** Characters that take up to six bytes in JSON: an escape, or three bytes of UTF-8. */
const mostBytesPerChar = 6
/** Quotation marks, a comma, a colon. */
const aroundEach = 4

/** Returns the bytes of a result as JSON when they are more than `most`, else null. */
export function bytesBeyond(result: Readonly<Record<string, unknown>>, most: number): number | null {
  if (roughBytes(result) <= most) return null
  const bytes = Buffer.byteLength(JSON.stringify(result))
  return bytes > most ? bytes : null
}

/** Returns no less than the bytes of a value as JSON, without writing it: nearly all results are small. */
function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length * mostBytesPerChar + aroundEach
  if (typeof value !== 'object' || value === null) return 32
  let bytes = aroundEach
  if (Array.isArray(value)) {
    for (const item of value) bytes += roughBytes(item) + aroundEach
    return bytes
  }
  const fields = value as Readonly<Record<string, unknown>>
  for (const name in fields) bytes += name.length * mostBytesPerChar + aroundEach + roughBytes(fields[name])
  return bytes
}
