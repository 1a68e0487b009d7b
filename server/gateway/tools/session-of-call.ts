import type { ClientCall } from './tool.ts'
import { type ToolRefusal, toolRefusal } from '../tool-result.ts'
import type { GatewaySession } from '../sessions/session.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'

/** The session of a call. */
export interface CallSession {
  /** The session; null until there is one. */
  readonly current: GatewaySession | null
  /** Returns the session and opens one if necessary. Faults: `rate_limited`, `unavailable`. */
  ensure(): GatewaySession
}

/**
 * Finds the session of a call: the handle in its arguments, else the session of its transport. A handle of
 * another caller is refused like an unknown one.
 */
export function sessionOfCall(
  sessions: GatewaySessions,
  { caller, session }: ClientCall,
  handle: string | undefined,
): CallSession | ToolRefusal {
  const named = handle === undefined ? session : sessions.find(caller, handle)
  if (named === null && handle !== undefined) return unknownSession
  let current = named
  return {
    get current() {
      return current
    },
    ensure() {
      current ??= sessions.open(caller, 'handle')
      return current
    },
  }
}

const unknownSession = toolRefusal(
  'unknown_session',
  'There is no such session: it has ended, or it was never yours. Leave session out, and a new one begins.',
  [{ tool: 'bind_credentials_bag', reason: 'begins a session and binds credentials to it' }],
)
