import type { OperationName } from '../../../shared/gateway.ts'
import type { ClientCall } from '../client-call.ts'
import type { Outcome } from '../outcome.ts'
import type { Parties } from '../parties.ts'
import type { CallSession } from '../tools/session-of-call.ts'

/** One call of `execute`. */
export interface OperationCall {
  readonly client: ClientCall
  readonly session: CallSession
}

/** What `execute` can do. */
export interface Operation {
  readonly name: OperationName
  /**
   * `given`: what stands in `arguments`, unchecked, and the `service_id` that stood beside it. May throw faults.
   */
  run(
    given: Readonly<Record<string, unknown>>,
    call: OperationCall,
    parties: Parties,
  ): Outcome | Promise<Outcome>
}
