import type { CredentialServer } from '../../shared/playground.ts'
import type { ListedMcpServer } from '../../shared/registry.ts'
import type { DownstreamService } from '../connections/connections.ts'
import type { RegistryQueries } from '../registry/registry.ts'
import { authTypeOf } from './service-of-entry.ts'

const allOf = (registry: RegistryQueries): readonly ListedMcpServer[] => {
  const listed = registry.mcpServers()
  return listed.ok ? listed.value : []
}

/** Returns the tool servers that need no credentials, each on the first of its chains. */
export const publicServers = (registry: RegistryQueries): DownstreamService[] =>
  allOf(registry).flatMap((server) => {
    const authType = authTypeOf(server)
    const [chain] = server.chains
    if (authType !== 'none' || chain === undefined) return []
    return [
      {
        serviceId: server.service_id,
        chain,
        category: categoryOf(server),
        provider: server.provider,
        name: server.title,
        url: server.mcpEndpoint,
        transport: server.transportType,
        authType,
        credentialKey: server.credentialKey,
      },
    ]
  })

/** Returns the tool servers that need credentials. */
export const credentialServers = (registry: RegistryQueries): CredentialServer[] =>
  allOf(registry)
    .filter((server) => authTypeOf(server) !== 'none')
    .map(({ service_id: serviceId, chains, title, provider, mcpEndpoint, authType, credentialKey }) => ({
      serviceId,
      chains,
      title,
      provider,
      endpoint: mcpEndpoint,
      authType,
      credentialKey,
    }))

const categoryOf = ({ service_id: serviceId }: ListedMcpServer): string =>
  serviceId.split(':')[0] ?? serviceId
