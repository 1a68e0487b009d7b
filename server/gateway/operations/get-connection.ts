import { ConnectionIdArguments } from '../../../shared/gateway.ts'
import { answer } from '../outcome.ts'
import { readArguments } from '../tools/read-arguments.ts'
import { connectionEntry } from './connection-entry.ts'
import type { Operation } from './operation.ts'
import { scopeOf } from './scope-of.ts'
import { unknownConnection } from './unknown-connection.ts'

export const getConnection: Operation = {
  name: 'get_connection',
  async run(given, call, { connections }) {
    const read = readArguments(ConnectionIdArguments, given)
    if (!read.ok) return read.refused
    const view = await connections.get(scopeOf(call), read.value.connection_id)
    if (view === null) return unknownConnection
    return answer({
      ...connectionEntry(view),
      next_actions: [
        {
          tool: 'execute',
          operation: 'connect_mcp',
          arguments: { connection_id: view.id },
          reason: 'proves that its tool server answers',
        },
      ],
    })
  },
}
