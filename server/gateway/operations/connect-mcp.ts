import { ConnectionArguments } from '../../../shared/gateway.ts'
import type { NextAction } from '../../../shared/gateway.ts'
import type { ConnectOutcome, Target } from '../../connections/connections.ts'
import { type Outcome, answer } from '../outcome.ts'
import type { Parties } from '../parties.ts'
import { readArguments } from '../tools/read-arguments.ts'
import { connectionEntry } from './connection-entry.ts'
import type { Operation, OperationCall } from './operation.ts'
import { refusedReach } from './reaching.ts'
import { linkOf, offeredBy, scopeOf } from './scope-of.ts'
import { targetOf } from './target-of.ts'
import { refusedBecause } from './troubles.ts'

/** Connects to a tool server, by service or by saved connection, and proves that it answers. */
export const connectMcp: Operation = {
  name: 'connect_mcp',
  async run(given, call, parties) {
    const read = readArguments(ConnectionArguments, given)
    if (!read.ok) return read.refused
    const found = targetOf(read.value, call, parties)
    if (!found.ok) return found.refused
    const refused = refusedReach(call, parties)
    if (refused !== null) return refused
    const session = call.session.ensure()
    const offered = offeredBy(call.client, session)
    const outcome = await parties.connections.connect(
      scopeOf(call),
      found.target,
      offered,
      linkOf(call.client),
    )
    if (outcome.outcome !== 'connected') {
      return refusedBecause(outcome, {
        ...knownOf(found.target),
        status: outcome.outcome,
        validated: false,
        session: session.id,
      })
    }
    return connected(outcome, call, parties)
  },
}

async function connected(
  { connection, server, protocolVersion, instructions }: Extract<ConnectOutcome, { outcome: 'connected' }>,
  call: OperationCall,
  { connections }: Parties,
): Promise<Outcome> {
  const available = await connections.list(scopeOf(call), [])
  const ids = available.filter(({ serviceId }) => serviceId === connection.serviceId).map(({ id }) => id)
  const { changed_tools: changedTools, ...entry } = connectionEntry(connection)
  return answer({
    ...entry,
    status: 'connected',
    authRequired: connection.authType !== 'none',
    validated: true,
    available_connection_ids: [...new Set([connection.id, ...ids])],
    session: call.session.ensure().id,
    server,
    protocol_version: protocolVersion,
    ...(instructions !== null && { untrusted_instructions: instructions }),
    changed_tools: changedTools,
    message: `Connected to ${connection.name}.`,
    next_actions: [listTools(connection.id), callTool(connection.id)],
  })
}

const listTools = (connectionId: string): NextAction => ({
  tool: 'execute',
  operation: 'list_mcp_tools',
  arguments: { connection_id: connectionId },
  reason: 'lists its tools with their schemas',
})

const callTool = (connectionId: string): NextAction => ({
  tool: 'execute',
  operation: 'call_mcp_tool',
  arguments: { connection_id: connectionId, tool_name: '<one of its tools>', arguments: {} },
  reason: 'calls one of its tools',
})

function knownOf(target: Target): Record<string, unknown> {
  if (target.kind === 'connection') return { connection_id: target.connectionId }
  const { serviceId, chain, category, url, transport, authType } = target.service
  return {
    service_id: serviceId,
    chain,
    category,
    mcpEndpoint: url,
    transportType: transport,
    authType,
    authRequired: authType !== 'none',
  }
}
