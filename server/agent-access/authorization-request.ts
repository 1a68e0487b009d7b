import { type AgentProblem, type AgentScope, agentScopes } from '../../shared/agents.ts'
import { gatewayResource, leastScopeOf } from '../platform/http/token-doors.ts'
import type { AgentClient } from './clients/client.ts'
import { isAcceptableRedirect, isRegisteredRedirect } from './redirects.ts'
import { resourceOf } from './resources.ts'

/** A request for access that may be shown. */
export interface AuthorizationRequest {
  readonly client: AgentClient
  readonly redirectUri: string
  readonly state: string | null
  readonly challenge: string
  readonly resource: string
  readonly scopes: readonly AgentScope[]
}

/** What to do with a request: show it, tell the client at its own address why not, or tell nobody but the person. */
export type ReadRequest =
  | { readonly kind: 'ask'; readonly request: AuthorizationRequest }
  | {
      readonly kind: 'back'
      readonly redirectUri: string
      readonly params: Readonly<Record<string, string | null>>
    }
  | { readonly kind: 'problem'; readonly problem: AgentProblem; readonly text: string }

const malformed = (text: string): ReadRequest => ({ kind: 'problem', problem: 'request_malformed', text })

/** The id of the client that a query names; null when it is missing or there twice. */
export function clientIdIn(query: URLSearchParams): string | null {
  const ids = query.getAll('client_id')
  return ids.length === 1 ? (ids[0] ?? null) : null
}

/** A parameter that is there more than once, other than `resource`. */
export const hasRepeated = (params: URLSearchParams): boolean =>
  [...new Set(params.keys())].some((name) => name !== 'resource' && params.getAll(name).length > 1)

interface Around {
  readonly origins: readonly string[]
  readonly appSchemes: readonly string[]
}

/**
 * Reads a request for access. Until the client and its address are known to belong together, nobody is sent there; after
 * that, mistakes are the client's, and it is told.
 */
export function readRequest(query: URLSearchParams, client: AgentClient, around: Around): ReadRequest {
  if (hasRepeated(query)) return malformed('A parameter of this request is there more than once')
  const redirectUri = query.get('redirect_uri') ?? ''
  const isOwn =
    isAcceptableRedirect(redirectUri, around.appSchemes) &&
    isRegisteredRedirect(redirectUri, client.redirectUris)
  if (!isOwn) {
    const text = 'The address to which the answer would go is not one that this client named before'
    return { kind: 'problem', problem: 'redirect_not_registered', text }
  }
  const state = query.get('state')
  const told = (error: string, text: string): ReadRequest => ({
    kind: 'back',
    redirectUri,
    params: { error, error_description: text, state },
  })
  const responseType = query.get('response_type') ?? ''
  if (responseType === '') return told('invalid_request', 'response_type is missing: expected code')
  if (responseType !== 'code') return told('unsupported_response_type', 'response_type must be code')
  const challenge = query.get('code_challenge') ?? ''
  if (query.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
    return told('invalid_request', 'PKCE with code_challenge_method S256 is needed')
  }
  if (query.has('request')) return told('request_not_supported', 'Send plain parameters')
  if (query.has('request_uri')) return told('request_uri_not_supported', 'Send plain parameters')
  if (query.get('prompt') === 'none') return told('interaction_required', 'Nobody agrees without being asked')
  const resources = query.getAll('resource')
  const resource = resources.length === 0 ? gatewayResource : resourceOf(resources[0] ?? '', around.origins)
  if (resource === null || resources.length > 1)
    return told('invalid_target', 'Name one resource of this installation')
  const scopes = scopesIn(query.get('scope'), resource)
  if (scopes === null) return told('invalid_scope', `Known scopes: ${agentScopes.join(' ')}`)
  return { kind: 'ask', request: { client, redirectUri, state, challenge, resource, scopes } }
}

/** The scopes that a text names; the least one when it names none. Null: one of them is unknown. */
export function scopesIn(text: string | null, resource: string): readonly AgentScope[] | null {
  // Refresh tokens come anyway, so clients that ask for them get nothing more.
  const names = (text ?? '').split(' ').filter((name) => name !== '' && name !== 'offline_access')
  const known = agentScopes.filter((name) => names.includes(name))
  if (known.length < new Set(names).size) return null
  return known.length === 0 ? [leastScopeOf(resource)] : known
}

/** The address that the browser is sent to, with the issuer in every answer (RFC 9207). */
export function answerAddress(
  redirectUri: string,
  params: Readonly<Record<string, string | null>>,
  issuer: string,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...params, iss: issuer })) {
    if (value !== null) url.searchParams.set(name, value)
  }
  return url.href
}
