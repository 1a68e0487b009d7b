import type { ExposedTool, ActiveVirtualServer } from '../../virtual-servers/virtual-servers.ts'
import { linkBack } from '../operations/downstream-call.ts'
import { toolResultOf } from '../operations/call-mcp-tool.ts'
import { faultToolRefusal } from '../operations/failure-refusals.ts'
import { listConnectionsAction } from '../next-actions.ts'
import type { StateSeal } from '../state-seal.ts'
import type { RunNamedTool, ToolSet } from '../tool-set.ts'
import type { ToolRefusal, ToolResult } from '../tool-result.ts'
import type { ClientCall } from '../tools/tool.ts'
import { plainRefusal } from './plain-result.ts'
import type { RunMemberTool, ServedVirtualServers } from './virtual-tool-set.ts'

interface RunMemberOptions {
  readonly virtualServers: Pick<ServedVirtualServers, 'callTool'>
  readonly fiveTools: Pick<ToolSet, 'find'>
  readonly seal: StateSeal
  readonly onError: (thrown: unknown, call: ClientCall) => void
}

/** Creates what runs the tools of members: those of the gateway here, all others at their tool servers. */
export function createRunMemberTool(options: RunMemberOptions): RunMemberTool {
  const { virtualServers, fiveTools, seal, onError } = options

  async function runRemote(
    server: ActiveVirtualServer,
    tool: ExposedTool,
    given: Parameters<RunNamedTool>[0],
    call: ClientCall,
  ): Promise<ToolResult> {
    const what = `virtual server ${server.spec.name}: ${tool.member} ${tool.tool}`
    const link = linkBack(call, what)
    if ('kind' in link) return inPlainWords(link)
    try {
      const by = { ...link, door: 'virtual_server', keyId: call.caller.name } as const
      const outcome = await virtualServers.callTool(server, tool, given, by)
      if (outcome.outcome === 'auth_required' || outcome.outcome === 'consent_needed') return ownersCredential
      if (outcome.outcome === 'unknown_connection') return deletedConnection
      const sealed = {
        what,
        tool: tool.definition.name,
        next: () => listConnectionsAction,
        definitionOf: null,
        caller: call.caller.name,
      }
      return inPlainWords(toolResultOf(outcome, sealed, seal))
    } catch (thrown) {
      onError(thrown, call)
      return inPlainWords(faultToolRefusal(thrown))
    }
  }

  return (server, tool) => {
    if (server.spec.members[tool.member]?.gateway !== true)
      return (given, call) => runRemote(server, tool, given, call)
    const run = fiveTools.find(tool.tool)
    return (given, call) => (run === undefined ? deletedConnection : run({ ...given, ...tool.fixed }, call))
  }
}

/** Takes the next actions from a refusal: they are calls of the five tools, which most virtual servers do not have. */
function inPlainWords(result: ToolResult | ToolRefusal): ToolResult {
  return result.kind === 'refused' ? plainRefusal(result.code, result.message, result.known) : result
}

const ownersCredential = plainRefusal(
  'auth_required',
  'This tool server does not take the credentials of the connection, or wants some: its owner looks at it in the console under Gateway, Connections',
)

const deletedConnection = plainRefusal(
  'unknown_connection',
  'The connection of this tool was deleted: its owner takes it out of the virtual server in the console under Gateway',
)
