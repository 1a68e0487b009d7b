import type { Progress } from '../connections/connections.ts'
import type { Principal } from './principal.ts'
import type { GatewaySession } from './sessions/session.ts'
import type { WaitingCall } from './state-seal.ts'

/** One `tools/call`: who makes it, and the ways back to them. */
export interface ClientCall {
  readonly principal: Principal
  /** Of the transport; null in the era whose transport has none. */
  readonly session: GatewaySession | null
  /** Of the request that brought it. */
  readonly headers: Headers | null
  readonly requestId: string | null
  /** Fires when the client does not want the answer any more. */
  readonly signal: AbortSignal
  /** Null: the client asked for none. */
  readonly onProgress: ((progress: Progress) => void) | null
  /** Answers to a former `input_required`, and the state that was given with it, proven to be ours. */
  readonly inputResponses: Readonly<Record<string, unknown>> | null
  readonly waiting: WaitingCall | null
  readonly clientCapabilities: Readonly<Record<string, unknown>> | null
  readonly meta: Readonly<Record<string, unknown>> | null
}
