import { ConnectionLabel } from '../../../shared/connections.ts'
import { UpdateLabelArguments } from '../../../shared/gateway.ts'
import { answer } from '../outcome.ts'
import { readArguments } from '../tools/read-arguments.ts'
import { authorOf } from './account-of.ts'
import { connectionEntry } from './connection-entry.ts'
import type { Operation } from './operation.ts'

/** Sets the label of a saved connection; null or an empty text clears it. */
export const updateConnectionLabel: Operation = {
  name: 'update_connection_label',
  async run(given, { client }, { connections }) {
    const author = authorOf(client)
    if ('kind' in author) return author
    const read = readArguments(UpdateLabelArguments, given)
    if (!read.ok) return read.refused
    const { connection_id: id, label } = read.value
    if (label === null || label === '') {
      return answer({ ...connectionEntry(await connections.updateLabel(author, id, null)), next_actions: [] })
    }
    const checked = readArguments(ConnectionLabel, label)
    if (!checked.ok) return checked.refused
    const view = await connections.updateLabel(author, id, checked.value)
    return answer({ ...connectionEntry(view), next_actions: [] })
  },
}
