import type { Tool } from '@modelcontextprotocol/server'

import type { ClientCall } from '../client-call.ts'
import type { Outcome } from '../outcome.ts'
import type { Parties } from '../parties.ts'

/** One of the five tools. */
export interface GatewayTool {
  readonly definition: Tool
  /** `given`: the arguments as they came, unchecked. May throw faults. */
  run(
    given: Readonly<Record<string, unknown>>,
    call: ClientCall,
    parties: Parties,
  ): Outcome | Promise<Outcome>
}
