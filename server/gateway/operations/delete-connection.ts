import { ConnectionIdArguments } from '../../../shared/gateway.ts'
import { answer } from '../outcome.ts'
import { readArguments } from '../tools/read-arguments.ts'
import { authorOf } from './account-of.ts'
import type { Operation } from './operation.ts'

/** Deletes a saved connection and its secret, for good. */
export const deleteConnection: Operation = {
  name: 'delete_connection',
  async run(given, { client }, { connections }) {
    const author = authorOf(client)
    if ('kind' in author) return author
    const read = readArguments(ConnectionIdArguments, given)
    if (!read.ok) return read.refused
    const { connection_id } = read.value
    await connections.delete(author, connection_id)
    return answer({
      connection_id,
      deleted: true,
      next_actions: [{ tool: 'execute', operation: 'list_connections', reason: 'lists those that are left' }],
    })
  },
}
