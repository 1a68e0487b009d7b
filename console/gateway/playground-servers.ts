import { connectionName } from './connection-words.ts'
import type { ListedConnection } from './gateway-queries.ts'

type Server = Pick<ListedConnection, 'id' | 'kind' | 'serviceId' | 'label' | 'name'>

/** The account's own first, then the public ones. */
export function serverOptions(servers: readonly Server[]): { value: string; label: string }[] {
  const byName = servers.toSorted((one, other) => connectionName(one).localeCompare(connectionName(other)))
  const own = byName.filter(({ kind }) => kind === 'saved')
  const open = byName.filter(({ kind }) => kind !== 'saved')
  return [
    { value: '', label: 'Choose a tool server' },
    ...own.map((server) => ({ value: server.id, label: `${connectionName(server)} – your connection` })),
    ...open.map((server) => ({ value: server.id, label: server.name })),
  ]
}

/** By the id of a connection, or by that of a service. */
export const findServer = <One extends Server>(servers: readonly One[], wanted: string): One | undefined =>
  wanted === '' ? undefined : servers.find(({ id, serviceId }) => id === wanted || serviceId === wanted)
