import { ConnectionIdArguments } from '../../../shared/gateway.ts'
import { toolAnswer } from '../tool-result.ts'
import { usesOfConnection, connectionEntry } from './connection-entry.ts'
import { operation } from './operation.ts'
import { scopeOf } from './downstream-call.ts'
import { unknownConnection } from './failure-refusals.ts'

export const getConnection = operation(ConnectionIdArguments, async (given, call, { connections }) => {
  const view = await connections.get(scopeOf(call), given.connection_id)
  if (view === null) return unknownConnection
  return toolAnswer({
    ...connectionEntry(view),
    next_actions: usesOfConnection(view),
  })
})
