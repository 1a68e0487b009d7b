import type { ConnectionStatus } from '../../shared/connections.ts'
import { DownstreamError, DownstreamRefusal } from './downstream/failure.ts'
import type { Trouble } from './outcomes.ts'
import type { Route } from './route.ts'

/** While connecting, whatever went wrong on the way has one name: differences would map the network. */
export type Stage = 'connecting' | 'calling'

/** What to tell of something that was thrown on the way; null: it is no failure of a downstream. */
export function troubleOf(error: unknown, route: Route, stage: Stage, caller: AbortSignal): Trouble | null {
  if (caller.aborted) return { outcome: 'cancelled' }
  const { serviceId, credentialKey } = route.service
  if (error instanceof DownstreamRefusal) return { outcome: 'protocol_error', serviceId }
  if (!(error instanceof DownstreamError)) return null
  const { reason } = error
  if (typeof reason !== 'string') return { outcome: 'too_large', serviceId, what: reason.tooLarge }
  switch (reason) {
    case 'unauthorized':
      return { outcome: 'auth_required', serviceId, credentialKey, authSource: route.authSource }
    case 'timed_out':
      return { outcome: stage === 'connecting' ? 'unreachable' : 'timed_out', serviceId }
    case 'not_mcp':
      return { outcome: stage === 'connecting' ? 'unreachable' : 'protocol_error', serviceId }
    case 'session_lost':
    case 'unreachable':
      return { outcome: 'unreachable', serviceId }
  }
}

/** What a connection is after this; null: as it was. */
export function statusAfter(trouble: Trouble): ConnectionStatus | null {
  if (trouble.outcome === 'auth_required') return 'auth_required'
  return trouble.outcome === 'unreachable' ? 'unreachable' : null
}
