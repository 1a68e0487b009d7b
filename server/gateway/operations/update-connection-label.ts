import { ConnectionLabel } from '../../../shared/connections.ts'
import { UpdateLabelArguments } from '../../../shared/gateway.ts'
import { toolAnswer } from '../tool-result.ts'
import { readToolArguments } from '../tools/read-arguments.ts'
import { authorOfCall } from './author-of-call.ts'
import { connectionEntry } from './connection-entry.ts'
import type { Operation } from './operation.ts'

/** Sets the label of a saved connection; null or an empty text clears it. */
export const updateConnectionLabel: Operation = {
  name: 'update_connection_label',
  async run(given, { client }, { connections }) {
    const author = authorOfCall(client)
    if ('kind' in author) return author
    const read = readToolArguments(UpdateLabelArguments, given)
    if (!read.ok) return read.refused
    const { connection_id: id, label } = read.value
    if (label === null || label === '') {
      return toolAnswer({
        ...connectionEntry(await connections.updateLabel(author, id, null)),
        next_actions: [],
      })
    }
    const checked = readToolArguments(ConnectionLabel, label)
    if (!checked.ok) return checked.refused
    const view = await connections.updateLabel(author, id, checked.value)
    return toolAnswer({ ...connectionEntry(view), next_actions: [] })
  },
}
