import type { GatewayTool } from './tools/tool.ts'
import { bindCredentialsBag } from './tools/bind-credentials-bag.ts'
import { discoverCategories, discoverNetworks, search } from './tools/discovery.ts'
import { execute } from './tools/execute.ts'

/** The same for everybody, and always in this order. */
const tools: readonly GatewayTool[] = [
  discoverNetworks,
  discoverCategories,
  search,
  bindCredentialsBag,
  execute,
]

/** The answer to `tools/list`. */
export const toolList = { tools: tools.map(({ definition }) => definition) }

const byName: ReadonlyMap<string, GatewayTool> = new Map(tools.map((tool) => [tool.definition.name, tool]))

export const findTool = (name: string): GatewayTool | undefined => byName.get(name)
