import { ConnectionForm } from '../../../shared/connections.ts'
import { CreateConnectionArguments } from '../../../shared/gateway.ts'
import { downstreamServiceOf } from '../downstream-service.ts'
import { answer } from '../outcome.ts'
import { readArguments } from '../tools/read-arguments.ts'
import { authorOf } from './account-of.ts'
import { connectionEntry } from './connection-entry.ts'
import { findService } from './find-service.ts'
import { notAToolServer } from './not-a-tool-server.ts'
import type { Operation } from './operation.ts'

/** Saves credentials of kind `static_secret` for a service, for the account of the API key. */
export const createConnection: Operation = {
  name: 'create_connection',
  async run(given, call, parties) {
    const author = authorOf(call.client)
    if ('kind' in author) return author
    const read = readArguments(CreateConnectionArguments, given)
    if (!read.ok) return read.refused
    const found = findService(read.value, call, parties)
    if (!found.ok) return found.refused
    const service = downstreamServiceOf(found.details)
    if (service === null) return notAToolServer(found.details)
    const { credentials, label } = read.value
    const form = readArguments(ConnectionForm, {
      serviceId: service.serviceId,
      chain: service.chain,
      secret: credentials.secret,
      headerName: credentials.header_name ?? null,
      label: label ?? null,
    })
    if (!form.ok) return form.refused
    const { secret, headerName } = form.value
    const made = await parties.connections.create(author, {
      service,
      secret,
      headerName,
      label: form.value.label,
    })
    return answer({
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
