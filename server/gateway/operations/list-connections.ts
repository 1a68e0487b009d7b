import { ServiceArguments } from '../../../shared/gateway.ts'
import { downstreamServiceOf } from '../downstream-service.ts'
import { answer } from '../outcome.ts'
import { readArguments } from '../tools/read-arguments.ts'
import { connectionEntry } from './connection-entry.ts'
import { findService } from './find-service.ts'
import type { Operation } from './operation.ts'
import { scopeOf } from './scope-of.ts'

/**
 * The saved connections of the account and those of this session. With a `service_id`, those to it, among them the
 * one that a public tool server needs no making for.
 */
export const listConnections: Operation = {
  name: 'list_connections',
  async run(given, call, parties) {
    const read = readArguments(ServiceArguments, given)
    if (!read.ok) return read.refused
    const { service_id: serviceId } = read.value
    const found = serviceId === undefined ? null : findService(read.value, call, parties)
    if (found !== null && !found.ok) return found.refused
    const service = found === null ? null : downstreamServiceOf(found.details)
    const publicServices = service?.authType === 'none' ? [service] : []
    const all = await parties.connections.list(scopeOf(call), publicServices)
    const connections = all.filter((view) => serviceId === undefined || view.serviceId === serviceId)
    return answer({
      connections: connections.map(connectionEntry),
      total: connections.length,
      next_actions:
        connections.length > 0
          ? [
              {
                tool: 'execute',
                operation: 'list_mcp_tools',
                reason: 'lists the tools of one, by its connection_id',
              },
            ]
          : [{ tool: 'execute', operation: 'list_mcps', reason: 'shows what there is to connect to' }],
    })
  },
}
