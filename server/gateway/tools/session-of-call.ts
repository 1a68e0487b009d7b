import type { ClientCall } from '../client-call.ts'
import { type Refused, refuse } from '../outcome.ts'
import type { GatewaySession } from '../sessions/session.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'

/** The session in which a call is made. */
export interface CallSession {
  /** Null: there is none yet. */
  readonly current: GatewaySession | null
  /** Begins one where there is none. Faults: `rate_limited`, `unavailable`. */
  ensure(): GatewaySession
}

/** A handle that the call names goes before the session of its transport. A handle of somebody else is none. */
export function sessionOfCall(
  sessions: GatewaySessions,
  { principal, session }: ClientCall,
  handle: string | undefined,
): CallSession | Refused {
  const named = handle === undefined ? session : sessions.find(principal, handle)
  if (named === null && handle !== undefined) return unknownSession
  let current = named
  return {
    get current() {
      return current
    },
    ensure() {
      current ??= sessions.open(principal, 'handle')
      return current
    },
  }
}

const unknownSession = refuse(
  'unknown_session',
  'There is no such session: it has ended, or it was never yours. Leave session out, and a new one begins.',
  [{ tool: 'bind_credentials_bag', reason: 'begins a session and binds credentials to it' }],
)
