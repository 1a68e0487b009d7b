import type { Target } from '../../connections/connections.ts'
import { downstreamServiceOf } from '../downstream-service.ts'
import { type Refused, refuse } from '../outcome.ts'
import type { Parties } from '../parties.ts'
import { findService } from './find-service.ts'
import { notAToolServer } from './not-a-tool-server.ts'
import type { OperationCall } from './operation.ts'

export type FoundTarget =
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
  if (connectionId !== undefined) {
    return { ok: true, target: { kind: 'connection', connectionId }, named: connectionId }
  }
  if (asked.service_id === undefined) return { ok: false, refused: nothingNamed }
  const found = findService(asked, call, parties)
  if (!found.ok) return found
  const service = downstreamServiceOf(found.details)
  if (service === null) return { ok: false, refused: notAToolServer(found.details) }
  return { ok: true, target: { kind: 'service', service }, named: `${service.serviceId} ${service.chain}` }
}

const nothingNamed = refuse(
  'invalid_arguments',
  'Name a connection_id, as connect_mcp and list_connections return it, or a service_id',
  [
    { tool: 'execute', operation: 'list_mcps', reason: 'lists the tool servers and their service_id' },
    { tool: 'execute', operation: 'list_connections', reason: 'lists the connections there are' },
  ],
)
