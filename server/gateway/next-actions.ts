/**
 * What every answer says can be done next. An action works when it is followed literally: its arguments are complete,
 * hold no placeholders, and name nothing that the answer has shown to be of no use.
 */
import type { ConnectionView } from '../../shared/connections.ts'
import type { NextAction, OperationName } from '../../shared/gateway.ts'
import type { McpServerFacts } from '../../shared/registry.ts'

export type NextActions = readonly [NextAction, ...NextAction[]]

/** Puts what helps most, if anything does, before what always works. */
export function preferring(best: readonly NextAction[], others: NextActions): NextActions {
  const [first, ...more] = best
  return first === undefined ? others : [first, ...more, ...others]
}

type Arguments = Readonly<Record<string, unknown>>

/** Names one service on one chain; without a chain, the one that look-ups take by themselves. */
export interface NamedEntry {
  readonly service_id: string
  readonly chain?: string | undefined
}

export const executeAction = (operation: OperationName, args: Arguments, reason: string): NextAction => ({
  tool: 'execute',
  operation,
  arguments: { ...args },
  reason,
})

export const discoverNetworksAction: NextAction = {
  tool: 'discover_networks',
  arguments: {},
  reason: 'lists every chain key',
}

export const searchAction = (args: Arguments, reason: string): NextAction => ({
  tool: 'search',
  arguments: { ...args },
  reason,
})

export const findServices = searchAction({}, 'finds services and their service_id')

export const listMcpsAction = executeAction('list_mcps', {}, 'lists tool servers and their service_id')

export const listConnectionsAction = executeAction('list_connections', {}, 'lists the connections there are')

export const detailsAction = ({ service_id, chain }: NamedEntry): NextAction =>
  executeAction(
    'get_details',
    { service_id, ...(chain !== undefined && { chain }) },
    'shows everything about this service',
  )

export const linksAction = ({ service_id, chain }: NamedEntry): NextAction =>
  executeAction('open_actions', { service_id, chain }, 'lists its links')

/** A tool server without credentials needs no `connect_mcp`: its tools are listed and called by `service_id`. */
export const toolsOfService = ({ service_id, chain }: NamedEntry): NextAction =>
  executeAction(
    'list_mcp_tools',
    { service_id, chain },
    'lists its tools; call_mcp_tool takes the same service_id, without connect_mcp',
  )

export const toolsOfConnection = (connectionId: string): NextAction =>
  executeAction('list_mcp_tools', { connection_id: connectionId }, 'lists its tools with their schemas')

export const toolOfConnection = (connectionId: string, tool: string): NextAction =>
  executeAction(
    'list_mcp_tools',
    { connection_id: connectionId, tool_name: tool },
    'shows the definition of this tool, its schema, and whether it changed',
  )

export const connectService = ({ service_id, chain }: NamedEntry): NextAction =>
  executeAction('connect_mcp', { service_id, chain }, 'proves that the tool server answers')

export const connectAgain = ({ id, status }: Pick<ConnectionView, 'id' | 'status'>): NextAction =>
  executeAction(
    'connect_mcp',
    { connection_id: id },
    status === 'consent_needed'
      ? 'names the page where its owner agrees, which it needs first'
      : 'proves that its tool server answers',
  )

export const createByOAuth = (serviceId: string): NextAction =>
  executeAction(
    'create_connection',
    { service_id: serviceId, credentials: { kind: 'oauth' } },
    'saves a connection by OAuth, without a secret: connect_mcp then names the page where its owner agrees',
  )

export const connectAfterConsent = (connectionId: string, url: string): NextAction =>
  executeAction(
    'connect_mcp',
    { connection_id: connectionId },
    `once its owner has opened ${url} in a browser and agreed: proves that its tool server answers`,
  )

export const showConnection = (connectionId: string): NextAction =>
  executeAction('get_connection', { connection_id: connectionId }, 'shows the connection')

export const connectionsTo = (serviceId: string): NextAction =>
  executeAction('list_connections', { service_id: serviceId }, 'shows the connections to this tool server')

/** Binds what the request carries in its headers; a secret cannot be part of an action, so the reason names it. */
export const bindAction = (key: string | null): NextAction => ({
  tool: 'bind_credentials_bag',
  arguments: {},
  reason:
    key === null
      ? 'begins a session with what the x-gateway-cred-<provider> headers of the request carry'
      : `begins a session with what the header x-gateway-cred-${key} carries; or add credentials_bag: {"${key}": "<secret>"}`,
})

/** Returns what can be done with a tool server: its tools at once, or credentials first. */
export function toolServerActions(
  entry: NamedEntry,
  mcp: Pick<McpServerFacts, 'authRequired' | 'credentialKey'>,
): NextAction[] {
  if (!mcp.authRequired) return [toolsOfService(entry), connectService(entry)]
  const { service_id, chain } = entry
  return [
    executeAction('list_connections', { service_id, chain }, 'shows connections with credentials for it'),
    bindAction(mcp.credentialKey),
  ]
}
