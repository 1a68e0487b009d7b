import { ConnectionIdArguments } from '../../../shared/gateway.ts'
import { toolAnswer } from '../tool-result.ts'
import { readToolArguments } from '../tools/read-arguments.ts'
import { connectionEntry } from './connection-entry.ts'
import type { Operation } from './operation.ts'
import { scopeOf } from './downstream-call.ts'
import { unknownConnection } from './failure-refusals.ts'

export const getConnection: Operation = {
  name: 'get_connection',
  async run(given, call, { connections }) {
    const read = readToolArguments(ConnectionIdArguments, given)
    if (!read.ok) return read.refused
    const view = await connections.get(scopeOf(call), read.value.connection_id)
    if (view === null) return unknownConnection
    return toolAnswer({
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
