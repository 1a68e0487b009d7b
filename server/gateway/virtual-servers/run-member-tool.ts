import { ProtocolError } from '@modelcontextprotocol/server'

import { consolePages } from '../../../shared/console-pages.ts'
import type { ToolCallResult } from '../../connections/connections.ts'
import type { ExposedTool, ActiveVirtualServer } from '../../virtual-servers/virtual-servers.ts'
import { linkBack, opensAddresses } from '../operations/downstream-call.ts'
import { toolResultOf } from '../operations/call-mcp-tool.ts'
import { faultToolRefusal } from '../operations/failure-refusals.ts'
import { listConnectionsAction } from '../next-actions.ts'
import type { StateSeal } from '../state-seal.ts'
import type { RunNamedTool, ToolSet } from '../tool-set.ts'
import type { ToolResult } from '../tool-result.ts'
import type { ClientCall } from '../tools/tool.ts'
import { withActionsHere } from './actions-here.ts'
import { inPlainWords, plainRefusal } from './plain-result.ts'
import type { RunMemberTool, ServedVirtualServers } from './virtual-tool-set.ts'

interface RunMemberOptions {
  readonly virtualServers: Pick<ServedVirtualServers, 'callTool' | 'withFixedArguments'>
  readonly fiveTools: Pick<ToolSet, 'find'>
  readonly seal: StateSeal
  /** `scheme://host[:port]` of this installation. */
  readonly origin: () => string
  readonly onError: (thrown: unknown, call: ClientCall) => void
}

/** A tab of the console's page of the gateway. */
type ConsoleTab = 'connections' | 'policies' | 'virtual-servers'

/** Creates what runs the tools of members: those of the gateway here, all others at their tool servers. */
export function createRunMemberTool(options: RunMemberOptions): RunMemberTool {
  const { virtualServers, fiveTools, seal, origin, onError } = options
  const tabOf = (tab: ConsoleTab): string => `${origin()}${consolePages.gateway}?tab=${tab}`

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
      if (outcome.outcome === 'refused' && outcome.elicitations.length > 0 && readsPagesOfErrors(call)) {
        const { error, elicitations } = outcome
        throw new ProtocolError(error.code, error.message, { elicitations })
      }
      const refused = refusalFor(outcome, tabOf)
      if (refused !== null) return refused
      const sealed = {
        what,
        tool: tool.definition.name,
        next: () => listConnectionsAction,
        definitionOf: null,
        caller: call.caller.name,
      }
      const where = outcome.outcome === 'denied' ? { console_url: tabOf('policies') } : {}
      return inPlainWords(toolResultOf(outcome, sealed, seal), where)
    } catch (thrown) {
      if (thrown instanceof ProtocolError) throw thrown
      onError(thrown, call)
      return inPlainWords(faultToolRefusal(thrown))
    }
  }

  return (server, snapshot, tool) => {
    const { spec } = server
    if (spec.members[tool.member]?.gateway !== true)
      return (given, call) => runRemote(server, tool, given, call)
    const run = fiveTools.find(tool.tool)
    const here = (result: ToolResult): ToolResult => withActionsHere(result, spec, snapshot, tool.member)
    return (given, call) => {
      if (run === undefined) return deletedConnection(tabOf('virtual-servers'))
      const result = run(virtualServers.withFixedArguments(tool, given), call)
      return result instanceof Promise ? result.then(here) : here(result)
    }
  }
}

/**
 * Returns whether a client opens the pages that an error names, as clients of protocol 2025-11-25 do that declare it. There
 * is no such error before that protocol, nor from 2026-07-28 on.
 */
const readsPagesOfErrors = (call: ClientCall): boolean => call.session !== null && opensAddresses(call)

/** Returns the refusal of what only the owner can mend, with the page where they do; null for everything else. */
function refusalFor(outcome: ToolCallResult, tabOf: (tab: ConsoleTab) => string): ToolResult | null {
  switch (outcome.outcome) {
    case 'auth_required':
      return ownersCredential(outcome.saved?.url ?? tabOf('connections'))
    case 'consent_needed':
      return ownersCredential(outcome.url)
    case 'unknown_connection':
      return deletedConnection(tabOf('virtual-servers'))
    default:
      return null
  }
}

const ownersCredential = (url: string): ToolResult =>
  plainRefusal(
    'auth_required',
    `This tool server does not take the credentials of the connection, or wants some: its owner opens ${url} in a browser where they are signed in`,
    { console_url: url },
  )

const deletedConnection = (url: string): ToolResult =>
  plainRefusal(
    'unknown_connection',
    `The connection of this tool was deleted: its owner takes it out of the virtual server at ${url}`,
    { console_url: url },
  )
