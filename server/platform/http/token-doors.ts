import type { AgentScope } from '../../../shared/agents.ts'
import { tokenPrefixes } from '../token-prefixes.ts'
import { bearerToken } from './bearer-token.ts'
import { type PublicAddress, askedOrigin } from './public-address.ts'

/** What the token of an agent needs where it is shown. */
interface TokenDoor {
  /** The resource that the token is for: a path. */
  readonly resource: string
  /** All of them are needed. Null: no token opens it, whatever it allows. */
  readonly scopes: readonly AgentScope[] | null
}

export const gatewayResource = '/mcp'
export const accountResource = '/account'

/** The path of the protected-resource metadata (RFC 9728), before the path of the resource. */
export const metadataPath = '/.well-known/oauth-protected-resource'

/** The end of the address of a virtual server's older transport, which is no resource of its own. */
const virtualTransport = /(?<=^\/mcp\/v\/[a-z0-9-]{1,64})\/(?:sse|messages)$/

/** The resource that an address belongs to: a virtual server is one, whichever transport is used. */
export const resourceAt = (path: string): string => path.replace(virtualTransport, '')

const gateway: TokenDoor = { resource: gatewayResource, scopes: ['gateway_use'] }

/** By prefix; the first that fits. What is not here, no token opens. */
const doors: readonly (readonly [prefix: string, door: (path: string) => TokenDoor])[] = [
  ['/mcp/c/', (path) => ({ ...gateway, resource: path })],
  ['/mcp/v/', (path) => ({ ...gateway, resource: resourceAt(path) })],
  ['/mcp', () => gateway],
  ['/sse', () => gateway],
  ['/messages', () => gateway],
  ['/account/statistics/', () => ({ resource: accountResource, scopes: ['statistics_read'] })],
]

/** The one place that says which scopes a call needs, by the path that is asked for. */
export const doorOf = (path: string): TokenDoor =>
  doors.find(([prefix]) => path.startsWith(prefix))?.[1](path) ?? { resource: accountResource, scopes: null }

/** The scope without which a grant for a resource would be good for nothing. */
export const leastScopeOf = (resource: string): AgentScope =>
  resource === accountResource ? 'statistics_read' : 'gateway_use'

/** The address at which the metadata of what is asked for is found: messages of the older transport belong to its stream. */
function metadataUrlOf(path: string, origin: string): string {
  const resource = path.startsWith('/account/')
    ? accountResource
    : path === '/messages'
      ? '/sse'
      : resourceAt(path)
  return `${origin}${metadataPath}${resource}`
}

interface ChallengedRequest {
  readonly path: string
  readonly headers: Headers
  readonly address: PublicAddress
}

const challengeText = (path: string, origin: string, scopes: readonly AgentScope[], error: string): string =>
  `Bearer ${error}resource_metadata="${metadataUrlOf(path, origin)}", scope="${scopes.join(' ')}"`

/**
 * Tells a client how to be let in (RFC 6750, section 3; RFC 9728, section 5.1), with all scopes that the call needs, so
 * that it asks its owner once. Null where no token would help. A scope that is missing is told to agents only: whoever
 * shows an API key cannot ask for more.
 */
export function challengeFor(
  { path, headers, address }: ChallengedRequest,
  why: 'unauthorized' | 'permission_missing',
): string | null {
  const { scopes } = doorOf(path)
  const shown = headers.get('authorization')
  const isAgent = bearerToken(shown)?.startsWith(tokenPrefixes.agentAccess) === true
  if (scopes === null || (why === 'permission_missing' && !isAgent)) return null
  const code = why === 'permission_missing' ? 'insufficient_scope' : 'invalid_token'
  const error = shown === null ? '' : `error="${code}", `
  return challengeText(path, askedOrigin(headers, address), scopes, error)
}

/**
 * The same for the result of a tool that only an account may use: clients that were let in as strangers do not expect to be
 * refused later (`_meta["mcp/www_authenticate"]` of OpenAI's clients). Null where OAuth is not offered.
 */
export function lateChallenge(headers: Headers | null, address: PublicAddress): string | null {
  if (!address.isTls && !address.isLoopback) return null
  const origin = headers === null ? address.origin : askedOrigin(headers, address)
  const error =
    'error="insufficient_scope", error_description="Sign in to use what belongs to your account", '
  return challengeText(gatewayResource, origin, gateway.scopes ?? [], error)
}
