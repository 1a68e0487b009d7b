import { ConnectionArguments, type NextAction } from '../../../shared/gateway.ts'
import type { ListedTool, ToolListResult } from '../../connections/connections.ts'
import { type ToolResult, toolAnswer } from '../tool-result.ts'
import { operation } from './operation.ts'
import { downstreamCallRefusal, linkOf, offeredBy, scopeOf } from './downstream-call.ts'
import { needsSession, targetOf } from './find-target.ts'
import { callFailureRefusal } from './failure-refusals.ts'

/** Lists the tools of a tool server as the server defines them. */
export const listMcpTools = operation(ConnectionArguments, async (given, call, dependencies) => {
  const found = targetOf(given, call, dependencies)
  if (!found.ok) return found.refused
  const refused = downstreamCallRefusal(call, dependencies)
  if (refused !== null) return refused
  if (needsSession(found.target)) call.session.ensure()
  const offered = offeredBy(call.client, call.session.current)
  const outcome = await dependencies.connections.listTools(
    scopeOf(call),
    found.target,
    offered,
    linkOf(call.client),
  )
  return outcome.outcome === 'listed'
    ? listed(outcome, call.session.current?.id)
    : callFailureRefusal(outcome)
})

function listed(
  { connectionId, authSource, tools, removed }: Extract<ToolListResult, { outcome: 'listed' }>,
  session: string | undefined,
): ToolResult {
  const flags = tools.flatMap(flagsOf)
  return toolAnswer({
    connection_id: connectionId,
    auth_source: authSource,
    tools: tools.map(({ definition }) => definition),
    total: tools.length,
    /** Tools that a reader should check: their definition changed, or it contains something suspicious. */
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
