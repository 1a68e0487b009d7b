import { ConnectionForm } from '../../../shared/connections.ts'
import { CreateConnectionArguments } from '../../../shared/gateway.ts'
import { downstreamServiceOf } from '../downstream-service.ts'
import { toolAnswer } from '../tool-result.ts'
import { readToolArguments } from '../tools/read-arguments.ts'
import { authorOfCall } from './author-of-call.ts'
import { connectionEntry } from './connection-entry.ts'
import { findService, notAToolServer } from './find-target.ts'
import type { Operation } from './operation.ts'

/** Saves credentials of kind `static_secret` for a service, owned by the account of the API key. */
export const createConnection: Operation = {
  name: 'create_connection',
  async run(given, call, dependencies) {
    const author = authorOfCall(call.client)
    if ('kind' in author) return author
    const read = readToolArguments(CreateConnectionArguments, given)
    if (!read.ok) return read.refused
    const found = findService(read.value, call, dependencies)
    if (!found.ok) return found.refused
    const service = downstreamServiceOf(found.details)
    if (service === null) return notAToolServer(found.details)
    const { credentials, label } = read.value
    const form = readToolArguments(ConnectionForm, {
      serviceId: service.serviceId,
      chain: service.chain,
      secret: credentials.secret,
      headerName: credentials.header_name ?? null,
      label: label ?? null,
    })
    if (!form.ok) return form.refused
    const { secret, headerName } = form.value
    const made = await dependencies.connections.create(author, {
      service,
      secret,
      headerName,
      label: form.value.label,
    })
    return toolAnswer({
      ...connectionEntry(made),
      next_actions: [
        {
          tool: 'execute',
          operation: 'connect_mcp',
          arguments: { connection_id: made.id },
          reason: 'proves that the tool server takes these credentials',
        },
      ],
    })
  },
}
