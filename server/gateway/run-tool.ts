import { ProtocolError } from '@modelcontextprotocol/server'

import { Fault } from '../platform/fault.ts'
import type { Log } from '../platform/log.ts'
import type { ClientCall } from './client-call.ts'
import type { Outcome } from './outcome.ts'
import type { Parties } from './parties.ts'
import { refusedByFault } from './refused-by-fault.ts'
import type { GatewayTool } from './tools/tool.ts'

/** Runs one of the five tools; what it throws becomes a refusal. Without a promise where the tool needs none. */
export type RunTool = (
  tool: GatewayTool,
  given: Readonly<Record<string, unknown>>,
  call: ClientCall,
) => Outcome | Promise<Outcome>

export function createRunTool(parties: Parties, log: Log): RunTool {
  function refused(thrown: unknown, { definition }: GatewayTool, { requestId }: ClientCall): Outcome {
    if (thrown instanceof ProtocolError) throw thrown
    if (!(thrown instanceof Fault))
      log.error('a tool failed', { tool: definition.name, requestId, error: thrown })
    return refusedByFault(thrown)
  }

  return (tool, given, call) => {
    try {
      const outcome = tool.run(given, call, parties)
      if (!(outcome instanceof Promise)) return outcome
      return outcome.catch((thrown: unknown) => refused(thrown, tool, call))
    } catch (thrown) {
      return refused(thrown, tool, call)
    }
  }
}
