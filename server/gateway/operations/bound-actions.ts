import type { ListedMcpServer } from '../../../shared/registry.ts'
import type { RegistryQueries } from '../../registry/registry.ts'
import { type NextActions, connectService, listMcpsAction } from '../next-actions.ts'

/** Returns what can be done with credentials that are bound: connect to the first tool server that takes one of them. */
export function boundActions(providers: readonly string[], registry: RegistryQueries): NextActions {
  const listed = registry.mcpServers()
  const bound = new Set(providers)
  const server = listed.ok ? listed.value.find((listedServer) => bound.has(keyOf(listedServer))) : undefined
  if (server === undefined) return [listMcpsAction]
  const { service_id, chains } = server
  return [connectService({ service_id, chain: chains[0] }), listMcpsAction]
}

/** A server that is listed as open takes a credential under its slug. */
const keyOf = ({ credentialKey, service_id }: ListedMcpServer): string =>
  (credentialKey ?? service_id.slice(service_id.indexOf(':') + 1)).toLowerCase()
