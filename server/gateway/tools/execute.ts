import { ExecuteInput, operationNames } from '../../../shared/gateway.ts'
import type { OperationName } from '../../../shared/gateway.ts'
import { bindMcpTokens } from '../operations/bind-mcp-tokens.ts'
import { callMcpTool } from '../operations/call-mcp-tool.ts'
import { connectMcp } from '../operations/connect-mcp.ts'
import { createConnection } from '../operations/create-connection.ts'
import { deleteConnection } from '../operations/delete-connection.ts'
import { getConnection } from '../operations/get-connection.ts'
import { getDetails } from '../operations/get-details.ts'
import { listConnections } from '../operations/list-connections.ts'
import { listMcpTools } from '../operations/list-mcp-tools.ts'
import { listMcps } from '../operations/list-mcps.ts'
import { openActions } from '../operations/open-actions.ts'
import type { Operation } from '../operations/operation.ts'
import { updateConnectionLabel } from '../operations/update-connection-label.ts'
import { refuse } from '../outcome.ts'
import { executeDescription } from './execute-description.ts'
import { inputSchemaOf } from './json-schemas.ts'
import { readArguments } from './read-arguments.ts'
import { sessionOfCall } from './session-of-call.ts'
import type { GatewayTool } from './tool.ts'

const operations: Readonly<Record<OperationName, Operation>> = {
  get_details: getDetails,
  open_actions: openActions,
  connect_mcp: connectMcp,
  list_connections: listConnections,
  create_connection: createConnection,
  get_connection: getConnection,
  update_connection_label: updateConnectionLabel,
  delete_connection: deleteConnection,
  list_mcps: listMcps,
  bind_mcp_tokens: bindMcpTokens,
  list_mcp_tools: listMcpTools,
  call_mcp_tool: callMcpTool,
}

export const execute: GatewayTool = {
  definition: {
    name: 'execute',
    title: 'Execute',
    description: executeDescription,
    inputSchema: inputSchemaOf(ExecuteInput),
    // Answers differ by operation, and those of call_mcp_tool are somebody else's.
    outputSchema: { type: 'object', additionalProperties: true },
    annotations: { title: 'Execute', readOnlyHint: false, openWorldHint: true },
  },
  run(given, client, parties) {
    const read = readArguments(ExecuteInput, given)
    if (!read.ok) return read.refused
    const {
      operation: name = 'get_details',
      service_id: serviceId,
      arguments: args = {},
      session: handle,
    } = read.value
    const operation = isOperation(name) ? operations[name] : undefined
    if (operation === undefined) return unknownOperation
    const named = handle ?? (typeof args.session === 'string' ? args.session : undefined)
    const session = sessionOfCall(parties.sessions, client, named)
    if ('kind' in session) return session
    const whole = serviceId === undefined || 'service_id' in args ? args : { ...args, service_id: serviceId }
    return operation.run(whole, { client, session }, parties)
  },
}

const isOperation = (name: string): name is OperationName => Object.hasOwn(operations, name)

const unknownOperation = refuse(
  'unknown_operation',
  `There is no such operation: expected one of ${operationNames.join(', ')}`,
  [
    {
      tool: 'execute',
      operation: 'get_details',
      reason: 'shows everything about a service, by its service_id',
    },
  ],
)
