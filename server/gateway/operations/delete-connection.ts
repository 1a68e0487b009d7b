import { ConnectionIdArguments } from '../../../shared/gateway.ts'
import { listConnectionsAction } from '../next-actions.ts'
import { toolAnswer } from '../tool-result.ts'
import { accountOperation } from './operation.ts'

/** Deletes a saved connection and its secret for good. */
export const deleteConnection = accountOperation(
  ConnectionIdArguments,
  async ({ connection_id }, author, _call, { connections }) => {
    await connections.delete(author, connection_id)
    return toolAnswer({
      connection_id,
      deleted: true,
      next_actions: [listConnectionsAction],
    })
  },
)
