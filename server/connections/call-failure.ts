import type { ConnectionStatus } from '../../shared/connections.ts'
import type { SentCallFailure, WhyUnreachable } from './call-results.ts'
import { DownstreamError, DownstreamRefusal, httpStatusOf, networkFailureOf } from './downstream/failure.ts'
import type { Route } from './route.ts'

/** The stage of a call. While connecting, whatever fails on the network leaves the tool server unreachable. */
export type Stage = 'connecting' | 'calling'

/** Translates what a call threw; null when it is no failure of the tool server, but what `ownErrorIn` returns. */
export function callFailureOf(
  error: unknown,
  route: Route,
  stage: Stage,
  caller: AbortSignal,
): SentCallFailure | null {
  if (caller.aborted) return { outcome: 'cancelled' }
  const { serviceId } = route.service
  if (error instanceof DownstreamRefusal) return { outcome: 'protocol_error', serviceId }
  if (!(error instanceof DownstreamError)) return null
  const { reason } = error
  if (typeof reason !== 'string') return { outcome: 'too_large', serviceId, what: reason.tooLarge }
  switch (reason) {
    case 'unauthorized':
      // A token that was renewed just now and is refused all the same is good for nothing.
      return route.bearer !== null && error.detail === '401'
        ? consentFailure(route, 'consent_needed')
        : refusedCredentials(route)
    case 'consent_needed':
    case 'more_scope_needed':
      return consentFailure(route, reason)
    case 'timed_out':
      return stage === 'connecting'
        ? { outcome: 'unreachable', serviceId, ...whyOf(error) }
        : { outcome: 'timed_out', serviceId }
    case 'not_mcp':
    case 'protocol_error':
      return {
        outcome: stage === 'connecting' ? 'unreachable' : 'protocol_error',
        serviceId,
        ...whyOf(error),
      }
    case 'own_failure':
      return null
    case 'session_lost':
    case 'unreachable':
      return { outcome: 'unreachable', serviceId, ...whyOf(error) }
  }
}

/** Returns the error of ours in what a call threw. */
export const ownErrorIn = (thrown: unknown): unknown =>
  thrown instanceof DownstreamError && thrown.reason === 'own_failure' ? thrown.cause : thrown

const consentFailure = (
  { service: { serviceId }, connectionId, connectUrl }: Route,
  why: 'consent_needed' | 'more_scope_needed',
): SentCallFailure => ({ outcome: 'consent_needed', serviceId, connectionId, why, url: connectUrl() })

const refusedCredentials = ({
  service,
  connectionId,
  kind,
  authSource,
  connectUrl,
}: Route): SentCallFailure => ({
  outcome: 'auth_required',
  serviceId: service.serviceId,
  credentialKey: service.credentialKey,
  authSource,
  ...(kind === 'saved' && { saved: { connectionId, url: connectUrl() } }),
})

function whyOf(error: DownstreamError): WhyUnreachable {
  const why = networkFailureOf(error)
  const httpStatus = httpStatusOf(error)
  const { retryAfterSec } = error
  return {
    ...(why !== null && { why }),
    ...(httpStatus !== null && { httpStatus }),
    ...(retryAfterSec !== null && { retryAfterSec }),
  }
}

/** Returns the status of a connection after a failure; null when it does not change. */
export function statusAfterFailure(failure: SentCallFailure): ConnectionStatus | null {
  if (failure.outcome === 'auth_required') return 'auth_required'
  return failure.outcome === 'unreachable' ? 'unreachable' : null
}
