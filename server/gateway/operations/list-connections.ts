import { ServiceArguments } from '../../../shared/gateway.ts'
import { downstreamServiceOf } from '../service-of-entry.ts'
import { listMcpsAction, showConnection } from '../next-actions.ts'
import { toolAnswer } from '../tool-result.ts'
import { usesOfConnection, connectionEntry } from './connection-entry.ts'
import { findService } from './find-target.ts'
import { operation } from './operation.ts'
import { scopeOf } from './downstream-call.ts'

/**
 * Lists the account's saved connections and those of the session. With a `service_id` it lists only connections
 * to that service, including the implicit one to a public tool server.
 */
export const listConnections = operation(ServiceArguments, async (given, call, dependencies) => {
  const { service_id: serviceId } = given
  const found = serviceId === undefined ? null : findService(given, call, dependencies)
  if (found !== null && !found.ok) return found.refused
  const service = found === null ? null : downstreamServiceOf(found.details)
  const publicServices = service?.authType === 'none' ? [service] : []
  const all = await dependencies.connections.list(scopeOf(call), publicServices)
  const connections = all.filter((view) => serviceId === undefined || view.serviceId === serviceId)
  const [first] = connections
  return toolAnswer({
    connections: connections.map(connectionEntry),
    total: connections.length,
    next_actions:
      first === undefined ? [listMcpsAction] : [showConnection(first.id), ...usesOfConnection(first)],
  })
})
