import { connectionName } from './connection-words.ts'
import type { ListedConnection } from './gateway-queries.ts'

type Server = Pick<ListedConnection, 'id' | 'kind' | 'serviceId' | 'label' | 'name'> & {
  /** Its networks by their names, as far as they are known. */
  readonly networks?: readonly string[]
}

/** Of an id such as `mcpservers:acme-free`. */
const planOf = (serviceId: string): string => serviceId.slice(serviceId.indexOf(':') + 1)

/** Where it is, in a few words: `on Base`, `on Base and 3 other networks`. */
function placeOf(networks: readonly string[]): string {
  const [first, ...others] = networks
  if (first === undefined) return ''
  const more = others.length === 1 ? ' and another network' : ` and ${others.length} other networks`
  return ` on ${first}${others.length === 0 ? '' : more}`
}

/** The account's own first, then the public ones. */
export function serverOptions(servers: readonly Server[]): { value: string; label: string }[] {
  const byName = servers.toSorted((one, other) => connectionName(one).localeCompare(connectionName(other)))
  const own = byName.filter(({ kind }) => kind === 'saved')
  const open = byName.filter(({ kind }) => kind !== 'saved')
  return [
    { value: '', label: 'Choose a tool server' },
    ...own.map((server) => ({ value: server.id, label: `${connectionName(server)} – your connection` })),
    ...open.map(({ id, name, serviceId, networks = [] }) => {
      const isAlone = open.filter((other) => other.name === name).length === 1
      const plan = isAlone || serviceId === null ? '' : ` (${planOf(serviceId)})`
      return { value: id, label: `${name}${plan}${placeOf(networks)}` }
    }),
  ]
}

/** By the id of a connection, or by that of a service. */
export const findServer = <One extends Server>(servers: readonly One[], wanted: string): One | undefined =>
  wanted === '' ? undefined : servers.find(({ id, serviceId }) => id === wanted || serviceId === wanted)
