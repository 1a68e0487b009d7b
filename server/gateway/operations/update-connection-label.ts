import { ConnectionLabel } from '../../../shared/connections.ts'
import { UpdateLabelArguments } from '../../../shared/gateway.ts'
import { listConnectionsAction, showConnection } from '../next-actions.ts'
import { toolAnswer, readToolArguments } from '../tool-result.ts'
import { connectionEntry } from './connection-entry.ts'
import { accountOperation } from './operation.ts'

/** Sets the label of a saved connection; null or an empty text clears it. */
export const updateConnectionLabel = accountOperation(
  UpdateLabelArguments,
  async ({ connection_id: id, label }, author, _call, { connections }) => {
    if (label === null || label === '') {
      return toolAnswer({
        ...connectionEntry(await connections.updateLabel(author, id, null)),
        next_actions: [showConnection(id)],
      })
    }
    const checked = readToolArguments(ConnectionLabel, label, [listConnectionsAction])
    if (!checked.ok) return checked.refused
    const view = await connections.updateLabel(author, id, checked.value)
    return toolAnswer({ ...connectionEntry(view), next_actions: [showConnection(id)] })
  },
)
