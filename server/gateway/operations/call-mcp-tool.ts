import { isCallToolResult } from '@modelcontextprotocol/server'
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'

import { CallMcpToolArguments } from '../../../shared/gateway.ts'
import type { CallLink, CallOutcome } from '../../connections/connections.ts'
import type { ClientCall } from '../client-call.ts'
import { type Outcome, type Refused, refuse } from '../outcome.ts'
import type { StateSeal } from '../state-seal.ts'
import { readArguments } from '../tools/read-arguments.ts'
import type { Parties } from '../parties.ts'
import type { Operation, OperationCall } from './operation.ts'
import { refusedReach } from './reaching.ts'
import { linkOf, offeredBy, scopeOf } from './scope-of.ts'
import { targetOf } from './target-of.ts'
import { refusedBecause } from './troubles.ts'

/** Calls one tool of a tool server, and passes its result on. */
export const callMcpTool: Operation = {
  name: 'call_mcp_tool',
  async run(given, call, parties) {
    const read = readArguments(CallMcpToolArguments, given)
    if (!read.ok) return read.refused
    const { tool_name: name, arguments: args } = read.value
    const found = targetOf(read.value, call, parties)
    if (!found.ok) return found.refused
    const refused = refusedReach(call, parties)
    if (refused !== null) return refused
    const { client } = call
    const what = `${found.named} ${name}`
    const link = linkBack(client, what)
    if ('kind' in link) return link
    const toolCall = { name, ...(args !== undefined && { arguments: args }) }
    const send = (): Promise<CallOutcome> =>
      parties.connections.callTool(
        scopeOf(call),
        found.target,
        toolCall,
        offeredBy(client, call.session.current),
        link,
      )
    const first = await send()
    const outcome = first.outcome === 'session_needed' ? await inOwnSession(call, parties, send) : first
    return outcomeOf(outcome, { what, tool: name, principal: client.principal.name }, parties.seal)
  },
}

/** For this call alone: its answer has no room for a handle, so that nobody could come back to it. */
async function inOwnSession(
  { session }: OperationCall,
  { sessions }: Parties,
  send: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const { id } = session.ensure()
  try {
    return await send()
  } finally {
    sessions.end(id)
  }
}

/** With what the downstream had asked for, where this call brings it: of the same principal, for the same tool. */
function linkBack(client: ClientCall, what: string): CallLink | Refused {
  const link = linkOf(client)
  const { inputResponses, waiting } = client
  if (waiting === null) return inputResponses === null ? link : { ...link, inputResponses }
  if (waiting.principal !== client.principal.name || waiting.call !== what) return notThisCall
  return {
    ...link,
    ...(inputResponses !== null && { inputResponses }),
    ...(waiting.state !== undefined && { requestState: waiting.state }),
  }
}

const notThisCall = refuse(
  'invalid_arguments',
  'The requestState belongs to another call: send back the one of this call',
)

interface Asked {
  readonly what: string
  readonly tool: string
  readonly principal: string
}

function outcomeOf(outcome: CallOutcome, { what, tool, principal }: Asked, seal: StateSeal): Outcome {
  switch (outcome.outcome) {
    case 'answered':
      return { kind: 'passed_on', result: resultFor(outcome, tool) }
    case 'input_required': {
      const { requestState: state, ...rest } = outcome.result
      const waiting = { principal, call: what, ...(typeof state === 'string' && { state }) }
      // The downstream's own words; the SDK checks them before they go out.
      return {
        kind: 'passed_on',
        result: { ...rest, requestState: seal.seal(waiting) } as unknown as InputRequiredResult,
      }
    }
    case 'refused':
      return refuse(
        'downstream_refused',
        `${outcome.serviceId} refused the call (${outcome.error.code}): ${outcome.error.message}`,
        [{ tool: 'execute', operation: 'list_mcp_tools', reason: 'lists its tools with their schemas' }],
      )
    case 'session_needed':
      throw new TypeError('a session was not enough')
    default:
      return refusedBecause(outcome)
  }
}

/**
 * As it came. `execute` promises structured content, and clients refuse a result without it: where the tool has none,
 * it says whose result this is. A client that knows objects only gets other values under `result`.
 */
function resultFor(
  { result, connectionId, changed }: Extract<CallOutcome, { outcome: 'answered' }>,
  tool: string,
): CallToolResult {
  const { structuredContent } = result
  const passedOn = {
    content: [],
    ...result,
    structuredContent: structuredOf(structuredContent) ?? { connection_id: connectionId, tool_name: tool },
    ...(changed && { _meta: { ...metaOf(result), 'gatehouse/tool_changed': true } }),
  }
  if (!isTextResult(passedOn) && !isCallToolResult(passedOn))
    throw new TypeError('a result was passed on that is none')
  return passedOn
}

/** Nearly every result, without the SDK's check of it, which takes some µs of each call. */
function isTextResult(result: Readonly<Record<string, unknown>>): result is CallToolResult {
  const { content, isError, _meta: meta } = result
  return (
    Array.isArray(content) &&
    content.every(isPlainText) &&
    (isError === undefined || typeof isError === 'boolean') &&
    meta === undefined
  )
}

/** Text and nothing about it. */
const isPlainText = (item: unknown): boolean =>
  typeof item === 'object' &&
  item !== null &&
  'type' in item &&
  item.type === 'text' &&
  'text' in item &&
  typeof item.text === 'string' &&
  Object.keys(item).length === 2

function structuredOf(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined) return undefined
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? { ...value } : { result: value }
}

const metaOf = ({ _meta: meta }: Readonly<Record<string, unknown>>): object =>
  typeof meta === 'object' && meta !== null ? meta : {}
