import type { ListedMcpServer } from '../../../shared/registry.ts'
import type { RegistryQueries } from '../../registry/registry.ts'
import { type NextActions, connectService, listMcpsAction } from '../next-actions.ts'

/** The tool servers of the registry, which takes a look at all of its rows. */
type ListedServers = ReturnType<RegistryQueries['mcpServers']>

/**
 * Returns what can be done with credentials that are bound: connect to the first tool server that takes one of them.
 * `unknown` is what to say of the others, which costs agents no field in the list of tools when it is said here.
 */
export function boundActions(
  providers: readonly string[],
  listed: ListedServers,
  unknown: string | null = null,
): NextActions {
  const list = unknown === null ? listMcpsAction : { ...listMcpsAction, reason: unknown }
  const bound = new Set(providers)
  const server = listed.ok ? listed.value.find((listedServer) => bound.has(keyOf(listedServer))) : undefined
  if (server === undefined) return [list]
  const { service_id, chains } = server
  return [connectService({ service_id, chain: chains[0] }), list]
}

const mostNamed = 5

/** Returns what to say of names under which no tool server of the registry takes a credential; null where there are none. */
export function unknownProviders(providers: readonly string[], listed: ListedServers): string | null {
  const known = listed.ok ? [...new Set(listed.value.map(keyOf))] : providers
  const unknown = providers.filter((name) => !known.includes(name))
  if (unknown.length === 0) return null
  const similar = known.filter((key) => unknown.some((name) => beginOf(name) === beginOf(key)))
  const more = unknown.length > mostNamed ? `, and ${unknown.length - mostNamed} more` : ''
  const named = `${unknown.slice(0, mostNamed).join(', ')}${more}`
  const alike =
    similar.length === 0 ? '' : ` Names that begin alike: ${similar.slice(0, mostNamed).join(', ')}.`
  return `Bound, but no tool server of the registry asks for a credential of this name: ${named}.${alike}`
}

/** People mistype the beginning of a name least. */
const beginOf = (name: string): string => name.slice(0, 2)

/** A server that is listed as open takes a credential under its slug. */
const keyOf = ({ credentialKey, service_id }: ListedMcpServer): string =>
  (credentialKey ?? service_id.slice(service_id.indexOf(':') + 1)).toLowerCase()
