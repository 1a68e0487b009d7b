import type { OperationName } from '../../../shared/gateway.ts'
import type { ClientCall, ToolServices } from '../tools/tool.ts'
import type { ToolResult } from '../tool-result.ts'
import type { CallSession } from '../tools/session-of-call.ts'

/** One `execute` call: its client and its session. */
export interface OperationCall {
  readonly client: ClientCall
  readonly session: CallSession
}

/** One operation of `execute`. */
export interface Operation {
  readonly name: OperationName
  /**
   * Runs the operation. `given` holds the unvalidated `arguments`, and the `service_id` that stood beside
   * them. May throw faults.
   */
  run(
    given: Readonly<Record<string, unknown>>,
    call: OperationCall,
    services: ToolServices,
  ): ToolResult | Promise<ToolResult>
}
