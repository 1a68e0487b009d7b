import type { Target } from '../../connections/connections.ts'
import { downstreamServiceOf } from '../downstream-service.ts'
import { type Refused, refuse } from '../outcome.ts'
import type { Parties } from '../parties.ts'
import { findService } from './find-service.ts'
import { notAToolServer } from './not-a-tool-server.ts'
import type { OperationCall } from './operation.ts'

type FoundTarget =
  | { readonly ok: true; readonly target: Target; readonly named: string }
  | { readonly ok: false; readonly refused: Refused }

interface NamedTarget {
  readonly connection_id?: string | undefined
  readonly service_id?: string | undefined
  readonly chain?: string | undefined
}

/** A connection that is named goes before a service. `named`: what is meant, in one word. */
export function targetOf(asked: NamedTarget, call: OperationCall, parties: Parties): FoundTarget {
  const { connection_id: connectionId } = asked
  const { current } = call.session
  const stateless = current === null || current.isRebuilt ? serviceIn(connectionId) : null
  if (connectionId !== undefined && stateless === null) {
    return { ok: true, target: { kind: 'connection', connectionId }, named: connectionId }
  }
  const service_id = stateless ?? asked.service_id
  if (service_id === undefined) return { ok: false, refused: nothingNamed }
  const found = findService({ ...asked, service_id }, call, parties)
  if (!found.ok) return found
  const service = downstreamServiceOf(found.details)
  if (service === null) return { ok: false, refused: notAToolServer(found.details) }
  return { ok: true, target: { kind: 'service', service }, named: `${service.serviceId} ${service.chain}` }
}

/**
 * Whoever brings no session along has no session connections, and a session that was rebuilt has forgotten its own: then
 * such an id names the service.
 */
const serviceIn = (connectionId: string | undefined): string | null =>
  connectionId?.startsWith(sessionPrefix)
    ? connectionId.slice(sessionPrefix.length).replace(/@[^@:]*$/, '')
    : null

/** As connections call those of a session: `agent::<service_id>`, or `agent::<service_id>@<chain>`. */
const sessionPrefix = 'agent::'

const nothingNamed = refuse(
  'invalid_arguments',
  'Name a connection_id, as connect_mcp and list_connections return it, or a service_id',
  [
    { tool: 'execute', operation: 'list_mcps', reason: 'lists the tool servers and their service_id' },
    { tool: 'execute', operation: 'list_connections', reason: 'lists the connections there are' },
  ],
)

/** Saved connections stand alone; every other one is kept in a session. */
export const needsSession = (target: Target): boolean =>
  target.kind === 'service' || !target.connectionId.startsWith('con_')
