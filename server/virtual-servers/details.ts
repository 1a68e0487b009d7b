import type { VirtualServerDetails, VirtualServerView } from '../../shared/virtual-servers.ts'
import type { DownstreamServices } from '../connections/connections.ts'
import type { ActiveVirtualServer } from './active-servers.ts'
import { memberName } from './member-name.ts'
import type { ToolSetSnapshot } from './tool-sets.ts'

export const serverView = (
  { spec, managedBy, updatedAt }: ActiveVirtualServer,
  origin: string,
): VirtualServerView => ({
  spec,
  managedBy,
  url: `${origin}/mcp/v/${spec.name}`,
  updatedAt,
})

interface DetailSources {
  readonly services: DownstreamServices
  /** The three tools that a searchable virtual server shows. */
  readonly searchingTools: readonly unknown[]
  readonly origin: () => string
}

export function serverDetails(
  server: ActiveVirtualServer,
  { members, tools, definitions }: ToolSetSnapshot,
  { services, searchingTools, origin }: DetailSources,
): VirtualServerDetails {
  const { spec } = server
  const all = tokensOf(definitions)
  return {
    ...serverView(server, origin()),
    members: members.map(({ away }, index) => ({
      name: memberName(spec.members[index], services),
      away,
      tools: tools.filter(({ member }) => member === index).length,
    })),
    tools: tools.map(({ definition, member, tool, changed, isRenamed }) => ({
      name: definition.name,
      description: typeof definition.description === 'string' ? definition.description : null,
      member,
      tool,
      changed,
      isRenamed,
    })),
    tokens: { listed: spec.mode === 'searchable' ? tokensOf(searchingTools) : all, all },
  }
}

/** Four characters a token: the common tokenizers count a little less of such lists. */
const tokensOf = (definitions: readonly unknown[]): number =>
  Math.ceil(JSON.stringify(definitions).length / 4)
