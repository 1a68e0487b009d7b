import type { CallFailure, NamedToolCall } from './call-results.ts'
import type { SavedConnections } from './saved/saved-connections.ts'
import type { ConnectionTarget, Scope, ToolCallDoor } from './scope.ts'
import { type SessionConnections, sessionIdOf } from './session-connections.ts'
import { type ToolCall, type ToolCallHooks, nothingSent } from './tool-call.ts'

/**
 * Tells of a call that found no way to its tool server, because credentials or a consent are missing, the registry does not
 * list the server any more, or names another address. Calls of connections that do not exist are calls of no tool server.
 * Returns the failure.
 */
export type UnroutedCalls = (
  scope: Scope,
  target: ConnectionTarget,
  call: NamedToolCall,
  door: ToolCallDoor,
  failure: CallFailure,
) => CallFailure

interface KnownConnections {
  readonly sessions: Pick<SessionConnections, 'find'>
  readonly saved: Pick<SavedConnections, 'remembered'>
}

export function createUnroutedCalls(
  { finished }: Pick<ToolCallHooks, 'finished'>,
  { sessions, saved }: KnownConnections,
): UnroutedCalls {
  function sourceOf(scope: Scope, target: ConnectionTarget): Pick<ToolCall, 'connection' | 'service'> | null {
    if (target.kind === 'service') {
      const { service } = target
      return { connection: { id: sessionIdOf(service), kind: 'session' }, service }
    }
    const ofSession = sessions.find(scope, target.connectionId)
    if (ofSession !== null) return { connection: ofSession, service: ofSession.service }
    const { accountId } = scope
    const known = accountId === null ? null : saved.remembered(accountId, target.connectionId)
    return known === null ? null : { connection: { id: known.id, kind: 'saved' }, service: known.service }
  }

  return (scope, target, { name: tool, arguments: args = {} }, door, failure) => {
    const { outcome } = failure
    const source = outcome === 'unknown_connection' ? null : sourceOf(scope, target)
    if (source === null || outcome === 'unknown_connection') return failure
    const call: ToolCall = {
      ...source,
      door,
      accountId: scope.accountId,
      keyId: scope.keyId ?? null,
      sessionId: scope.sessionId,
      tool,
      arguments: args,
      contentKeptUntil: null,
      withoutSecret: (value) => value,
      isReadOnly: async () => false,
    }
    finished?.(call, { ...nothingSent, class: outcome, deniedBy: null })
    return failure
  }
}
