import type { RegistryEntry } from '../../../shared/registry.ts'
import { type ToolRefusal, toolRefusal } from '../tool-result.ts'
import { detailsAction, findServices, listConnectionsAction, listMcpsAction } from '../next-actions.ts'
import type { ToolServices } from '../tools/tool.ts'
import { registryToolRefusal } from '../tools/registry-refusal.ts'
import type { OperationCall } from './operation.ts'
import type { ConnectionTarget } from '../../connections/connections.ts'
import { downstreamServiceOf } from '../service-of-entry.ts'

type FoundTarget =
  | { readonly ok: true; readonly target: ConnectionTarget; readonly named: string }
  | { readonly ok: false; readonly refused: ToolRefusal }

interface NamedTarget {
  readonly connection_id?: string | undefined
  readonly service_id?: string | undefined
  readonly chain?: string | undefined
}

/**
 * Finds the target of a downstream call. A connection id takes precedence over a service id. `named` identifies
 * the target in sealed states.
 */
export function targetOf(asked: NamedTarget, call: OperationCall, services: ToolServices): FoundTarget {
  const { connection_id: connectionId } = asked
  const { current } = call.session
  const stateless = current === null || current.isRebuilt ? serviceIn(connectionId) : null
  if (connectionId !== undefined && stateless === null) {
    return { ok: true, target: { kind: 'connection', connectionId }, named: connectionId }
  }
  const service_id = stateless ?? asked.service_id
  if (service_id === undefined) return { ok: false, refused: nothingNamed }
  const found = findService({ ...asked, service_id }, call, services)
  if (!found.ok) return found
  const service = downstreamServiceOf(found.details)
  if (service === null) return { ok: false, refused: notAToolServer(found.details) }
  return { ok: true, target: { kind: 'service', service }, named: `${service.serviceId} ${service.chain}` }
}

/**
 * Returns the service id inside a session connection's id. It is used where the caller has no session, or where
 * a rebuilt session has lost its connections.
 */
const serviceIn = (connectionId: string | undefined): string | null =>
  connectionId?.startsWith(sessionPrefix)
    ? connectionId.slice(sessionPrefix.length).replace(/@[^@:]*$/, '')
    : null

/**
 * The prefix that `connections` gives to ids of session connections: `agent::<service_id>` or
 * `agent::<service_id>@<chain>`.
 */
const sessionPrefix = 'agent::'

const nothingNamed = toolRefusal(
  'invalid_arguments',
  'Name a connection_id, as connect_mcp and list_connections return it, or a service_id',
  [listMcpsAction, listConnectionsAction],
)

/** Returns true where the target lives in a session; saved connections do not. */
export const needsSession = (target: ConnectionTarget): boolean =>
  target.kind === 'service' || !target.connectionId.startsWith('con_')

type FoundService =
  | { readonly ok: true; readonly details: RegistryEntry }
  | { readonly ok: false; readonly refused: ToolRefusal }

interface NamedService {
  readonly service_id?: string | undefined
  readonly chain?: string | undefined
}

/**
 * Finds a service on the named chain, else on the chain of the latest search, else on the alphabetically first
 * chain.
 */
export function findService(
  { service_id: serviceId, chain }: NamedService,
  { session }: OperationCall,
  { registry }: ToolServices,
): FoundService {
  if (serviceId === undefined) {
    const text = 'service_id is missing: a service such as mcpservers:example, as search returns it'
    return { ok: false, refused: toolRefusal('invalid_arguments', text, [findServices]) }
  }
  const preferredChain = session.current?.chain ?? undefined
  const found = registry.find({ serviceId, chain, preferredChain })
  return found.ok
    ? { ok: true, details: found.value }
    : { ok: false, refused: registryToolRefusal(found.refusal) }
}

export const notAToolServer = ({ service_id, chain }: RegistryEntry): ToolRefusal =>
  toolRefusal(
    'not_a_tool_server',
    `${service_id} is no tool server that can be reached over the network: only those that list_mcps lists have tools`,
    [listMcpsAction, detailsAction({ service_id, chain })],
    { service_id, chain },
  )
