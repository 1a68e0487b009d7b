import { isFields } from '../../../shared/fields.ts'
import { type NextActions, bindAction } from '../next-actions.ts'
import type { ClientCall } from './tool.ts'
import { type ToolAnswer, type ToolRefusal, type ToolResult, toolRefusal } from '../tool-result.ts'
import type { GatewaySession } from '../sessions/session.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'

/** The session of a call. */
export interface CallSession {
  /** The session; null until there is one. */
  readonly current: GatewaySession | null
  /** False for a call that came without one, whatever it opens. */
  readonly isGiven: boolean
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
    isGiven: named !== null,
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

/** Clients of the stateless protocol send what opened the session, and leave the session out of the next call. */
const withoutSession =
  '. This call named no session: credentials that you have bound already count for calls with the session that bind_credentials_bag answered'

/**
 * Adds the session to what an answer says can be done next, where the client's transport has none: whoever follows an
 * action literally finds the credentials and connections of this call again.
 */
export function withSession(
  result: ToolResult,
  { caller, session }: ClientCall,
  { current, isGiven }: CallSession,
  sessions: GatewaySessions,
): ToolResult {
  if (session !== null || result.kind === 'passed_on') return result
  const told = isGiven ? result : sayingSo(result)
  // Without a session, or with one that ended with the call, there is none to name.
  if (current === null || sessions.find(caller, current.id) === null) return told
  const named = (actions: NextActions): NextActions => {
    const [first, ...others] = actions.map((action) => ({
      ...action,
      arguments: { ...action.arguments, session: current.id },
    }))
    return first === undefined ? actions : [first, ...others]
  }
  return told.kind === 'refused'
    ? { ...told, nextActions: named(told.nextActions) }
    : { ...told, value: { ...told.value, next_actions: named(told.value.next_actions) } }
}

/** Says in a refusal for want of credentials that the call came without a session. */
const sayingSo = (result: ToolAnswer | ToolRefusal): ToolAnswer | ToolRefusal =>
  result.kind === 'refused' && result.code === 'auth_required' && result.known['auth_source'] === 'none'
    ? { ...result, message: `${result.message}${withoutSession}` }
    : result

/** Returns the session handle in the arguments of a call, or null. */
export function sessionNamedIn(message: unknown): string | null {
  if (!isFields(message) || message.method !== 'tools/call' || !isFields(message.params)) return null
  return sessionOfArguments(message.params.arguments)
}

/** Returns the session handle in the arguments themselves or in those of the call that they contain, or null. */
export function sessionOfArguments(args: unknown): string | null {
  if (!isFields(args)) return null
  return typeof args.session === 'string' ? args.session : sessionOfArguments(args.arguments)
}
