import { ListMcpToolsArguments } from '../../../shared/gateway.ts'
import type { NextAction } from '../../../shared/gateway.ts'
import type { ListedTool, ToolsOutcome } from '../../connections/connections.ts'
import { type Outcome, answer } from '../outcome.ts'
import { readArguments } from '../tools/read-arguments.ts'
import type { Operation } from './operation.ts'
import { refusedReach } from './reaching.ts'
import { linkOf, offeredBy, scopeOf } from './scope-of.ts'
import { targetOf } from './target-of.ts'
import { refusedBecause } from './troubles.ts'
import { unknownConnection } from './unknown-connection.ts'

/** The tools of a connected tool server, as it defines them. */
export const listMcpTools: Operation = {
  name: 'list_mcp_tools',
  async run(given, call, parties) {
    const read = readArguments(ListMcpToolsArguments, given)
    if (!read.ok) return read.refused
    const { connection_id: connectionId, accept_changes: accepts } = read.value
    const found = targetOf(read.value, call, parties)
    if (!found.ok) return found.refused
    const refused = refusedReach(call, parties)
    if (refused !== null) return refused
    const { connections } = parties
    if (accepts && connectionId !== undefined && !(await connections.acceptToolsOf(scopeOf(call), connectionId))) {
      return unknownConnection
    }
    if (found.target.kind === 'service') call.session.ensure()
    const offered = offeredBy(call.client, call.session.current)
    const outcome = await connections.listTools(scopeOf(call), found.target, offered, linkOf(call.client))
    return outcome.outcome === 'listed' ? listed(outcome, call.session.current?.id) : refusedBecause(outcome)
  },
}

function listed(
  { connectionId, authSource, tools, removed }: Extract<ToolsOutcome, { outcome: 'listed' }>,
  session: string | undefined,
): Outcome {
  const flags = tools.flatMap(flagsOf)
  return answer({
    connection_id: connectionId,
    auth_source: authSource,
    tools: tools.map(({ definition }) => definition),
    total: tools.length,
    /** Of tools that a reader should look at twice. */
    flags,
    removed,
    ...(session !== undefined && { session }),
    next_actions: nextActions(connectionId, flags.some(({ changed }) => changed) || removed.length > 0),
  })
}

const flagsOf = ({ definition, changed, warnings }: ListedTool) =>
  changed || warnings.length > 0 ? [{ tool_name: definition.name, changed, warnings }] : []

function nextActions(connectionId: string | null, hasChanged: boolean): NextAction[] {
  const named = connectionId === null ? {} : { connection_id: connectionId }
  const call: NextAction = {
    tool: 'execute',
    operation: 'call_mcp_tool',
    arguments: { ...named, tool_name: '<one of these>', arguments: {} },
    reason: 'calls one of these tools',
  }
  if (!hasChanged) return [call]
  return [
    call,
    {
      tool: 'execute',
      operation: 'list_mcp_tools',
      arguments: { ...named, accept_changes: true },
      reason: 'accepts the definitions as they are now, after a person has looked at them',
    },
  ]
}
