import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

import { Fault } from '../../platform/fault.ts'
import type { Log } from '../../platform/log.ts'
import type { ToolsOfVirtualServer } from '../run-tool.ts'
import type { StateSeal } from '../state-seal.ts'
import type { ToolSet } from '../tool-set.ts'
import { createRunMemberTool } from './run-member-tool.ts'
import { type ServedVirtualServers, createVirtualToolSet } from './virtual-tool-set.ts'

interface VirtualToolSetsOptions {
  readonly virtualServers: ServedVirtualServers
  readonly fiveTools: ToolSet
  readonly seal: StateSeal
  readonly log: Log
  readonly origin: () => string
}

/** Creates the tools of virtual servers as clients at their addresses have them. */
export function createVirtualToolSets({
  virtualServers,
  fiveTools,
  seal,
  log,
  origin,
}: VirtualToolSetsOptions): ToolsOfVirtualServer {
  const runMember = createRunMemberTool({
    virtualServers,
    fiveTools,
    seal,
    origin,
    onError(error, { requestId }) {
      if (!(error instanceof Fault)) log.error('a tool of a virtual server failed', { requestId, error })
    },
  })

  return (accountId, name, keyId) =>
    currentSet(() => {
      const server = virtualServers.find(accountId, name)
      if (server === null) throw removed()
      return createVirtualToolSet(server, keyId, virtualServers, runMember)
    })
}

/** A session outlives changes of its virtual server: what it is asked for is answered as the virtual server is then. */
function currentSet(find: () => ToolSet): ToolSet {
  return {
    get options() {
      return find().options
    },
    list: () => find().list(),
    find: (name) => find().find(name),
    lookUp: (name) => find().lookUp(name),
    outputSchemaOf: (name) => find().outputSchemaOf(name),
    watch: (told) => find().watch(told),
  }
}

const removed = (): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidRequest, 'There is no such virtual server any more')
