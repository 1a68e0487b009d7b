import { ConnectionArguments } from '../../../shared/gateway.ts'
import type { NextAction } from '../../../shared/gateway.ts'
import type { ListedTool, ToolsOutcome } from '../../connections/connections.ts'
import { type Outcome, answer } from '../outcome.ts'
import { readArguments } from '../tools/read-arguments.ts'
import type { Operation } from './operation.ts'
import { refusedReach } from './reaching.ts'
import { linkOf, offeredBy, scopeOf } from './scope-of.ts'
import { needsSession, targetOf } from './target-of.ts'
import { refusedBecause } from './troubles.ts'

/** The tools of a connected tool server, as it defines them. */
export const listMcpTools: Operation = {
  name: 'list_mcp_tools',
  async run(given, call, parties) {
    const read = readArguments(ConnectionArguments, given)
    if (!read.ok) return read.refused
    const found = targetOf(read.value, call, parties)
    if (!found.ok) return found.refused
    const refused = refusedReach(call, parties)
    if (refused !== null) return refused
    if (needsSession(found.target)) call.session.ensure()
    const offered = offeredBy(call.client, call.session.current)
    const outcome = await parties.connections.listTools(
      scopeOf(call),
      found.target,
      offered,
      linkOf(call.client),
    )
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
    ...(removed.length > 0 || flags.some(({ changed }) => changed) ? { notice: changedNotice } : {}),
    next_actions: [callTool(connectionId)],
  })
}

const changedNotice =
  'Tools of this server are not as they were when it was connected. The owner of the connection looks at them and accepts them in the console; until then be careful with them.'

const flagsOf = ({ definition, changed, warnings }: ListedTool) =>
  changed || warnings.length > 0 ? [{ tool_name: definition.name, changed, warnings }] : []

const callTool = (connectionId: string | null): NextAction => ({
  tool: 'execute',
  operation: 'call_mcp_tool',
  arguments: {
    ...(connectionId !== null && { connection_id: connectionId }),
    tool_name: '<one of these>',
    arguments: {},
  },
  reason: 'calls one of these tools',
})
