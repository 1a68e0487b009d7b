import { ConnectionIdArguments } from '../../../shared/gateway.ts'
import { toolAnswer } from '../tool-result.ts'
import { readToolArguments } from '../tools/read-arguments.ts'
import { authorOfCall } from './author-of-call.ts'
import type { Operation } from './operation.ts'

/** Deletes a saved connection and its secret for good. */
export const deleteConnection: Operation = {
  name: 'delete_connection',
  async run(given, { client }, { connections }) {
    const author = authorOfCall(client)
    if ('kind' in author) return author
    const read = readToolArguments(ConnectionIdArguments, given)
    if (!read.ok) return read.refused
    const { connection_id } = read.value
    await connections.delete(author, connection_id)
    return toolAnswer({
      connection_id,
      deleted: true,
      next_actions: [{ tool: 'execute', operation: 'list_connections', reason: 'lists those that are left' }],
    })
  },
}
