import { type NextActions, bindAction } from '../next-actions.ts'
import type { ClientCall } from './tool.ts'
import { type ToolRefusal, type ToolResult, toolRefusal } from '../tool-result.ts'
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
  [bindAction(null)],
)

/**
 * Adds the session to what an answer says can be done next, where the client's transport has none: whoever follows an
 * action literally finds the credentials and connections of this call again.
 */
export function withSession(
  result: ToolResult,
  { caller, session }: ClientCall,
  { current }: CallSession,
  sessions: GatewaySessions,
): ToolResult {
  if (session !== null || current === null || result.kind === 'passed_on') return result
  if (sessions.find(caller, current.id) === null) return result // it ended with the call
  const named = (actions: NextActions): NextActions => {
    const [first, ...others] = actions.map((action) => ({
      ...action,
      arguments: { ...action.arguments, session: current.id },
    }))
    return first === undefined ? actions : [first, ...others]
  }
  return result.kind === 'refused'
    ? { ...result, nextActions: named(result.nextActions) }
    : { ...result, value: { ...result.value, next_actions: named(result.value.next_actions) } }
}
