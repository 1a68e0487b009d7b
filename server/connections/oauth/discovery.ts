import {
  type AuthorizationServerMetadata,
  type FetchLike,
  type OAuthDiscoveryState,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client'

import type { EgressFetch } from '../../platform/egress.ts'
import { dropped } from '../downstream/bodies.ts'
import { type Challenge, serverChallengeOf } from '../downstream/challenge.ts'
import type { DownstreamService } from '../downstream-service.ts'
import {
  ConsentRefusal,
  type Discovered,
  isPrintable,
  isSecure,
  keptMetadata,
  scopeNamesIn,
} from './issuer.ts'

const limits = { timeoutMs: 10_000, maxBytes: 128 << 10 }

/** The guarded fetch for authorization servers: each exchange short and small, and redirects refused. */
export const issuerFetch =
  (fetch: EgressFetch): FetchLike =>
  (input, init = {}) =>
    fetch(input, {
      ...init,
      body: init.body instanceof URLSearchParams ? String(init.body) : (init.body ?? null),
      limits,
    })

/**
 * Requests without credentials, only to be refused. Any server that wants them says so before it reads; some let
 * everybody begin, and refuse what comes then.
 */
const knocks = [
  {
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'gatehouse', version: '1.0.0' },
    },
  },
  { method: 'tools/list', params: {} },
].map((request) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }))

/** Asks the tool server what it wants. Null: it refuses nothing, or not in words that say where to go. */
async function askForChallenge(
  { url, transport }: DownstreamService,
  fetch: FetchLike,
): Promise<Challenge | null> {
  if (transport === 'sse') return challengeTo({ headers: { accept: 'text/event-stream' } })
  for (const body of knocks) {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const challenge = await challengeTo({ method: 'POST', headers, body })
    if (challenge !== null) return challenge
  }
  return null

  async function challengeTo(init: RequestInit): Promise<Challenge | null> {
    const answer = await fetch(url, init)
    await dropped(answer.body?.cancel())
    return answer.status === 401 ? serverChallengeOf(answer) : null
  }
}

/**
 * Finds out where a tool server sends people to consent. Rejects with a `ConsentRefusal` where that is nowhere, or not safe.
 * Without metadata the SDK would guess addresses, as the protocol of March 2025 did; here both documents are required.
 */
export async function discover(
  service: DownstreamService,
  fetch: FetchLike,
): Promise<Discovered & { readonly scopes: readonly string[] }> {
  if (!isSecure(service.url)) throw insecure()
  const challenge = await askForChallenge(service, fetch).catch(() => {
    throw new ConsentRefusal('server_unreachable', 'The tool server cannot be reached')
  })
  const resourceMetadata = await resourceMetadataOf(service.url, challenge, fetch)
  const [issuer] = resourceMetadata.authorization_servers ?? []
  if (issuer === undefined || !isPrintable(issuer))
    throw noMetadata('The tool server names no authorization server')
  if (!isSecure(issuer)) throw insecure()
  const found = await metadataOf(issuer, fetch)
  requireSafe(found)
  return {
    issuer: found.issuer,
    metadata: keptMetadata(found),
    resourceMetadata: {
      resource: resourceMetadata.resource,
      authorization_servers: [issuer],
      scopes_supported: scopeNamesIn(resourceMetadata.scopes_supported?.join(' ')),
    },
    scopes: challenge?.scopes ?? [],
  }
}

async function resourceMetadataOf(
  url: string,
  challenge: Challenge | null,
  fetch: FetchLike,
): Promise<NonNullable<OAuthDiscoveryState['resourceMetadata']>> {
  const resourceMetadataUrl = challenge?.resourceMetadataUrl ?? undefined
  if (resourceMetadataUrl !== undefined && !isSecure(resourceMetadataUrl.href)) throw insecure()
  const found = await discoverOAuthProtectedResourceMetadata(
    url,
    resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl },
    fetch,
  ).catch(() => {
    throw noMetadata(
      'The tool server does not say where its accounts are (RFC 9728), so it cannot be connected by OAuth',
    )
  })
  if (!isPrintable(found.resource) || !URL.canParse(found.resource) || !isFor(url, found.resource)) {
    throw new ConsentRefusal('other_resource', 'The tool server asks for access to somebody else’s address')
  }
  return found
}

const isFor = (url: string, configuredResource: string): boolean =>
  checkResourceAllowed({ requestedResource: resourceUrlFromServerUrl(url), configuredResource })

async function metadataOf(issuer: string, fetch: FetchLike): Promise<AuthorizationServerMetadata> {
  const found = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch }).catch(() => {
    throw noMetadata('The authorization server does not answer, or calls itself something else')
  })
  if (found === undefined) throw noMetadata('The authorization server does not say what it is (RFC 8414)')
  return found
}

/** The SDK refuses a list of PKCE methods without S256, and goes on where there is no list: the specification does not. */
function requireSafe(metadata: AuthorizationServerMetadata): void {
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true) {
    throw new ConsentRefusal('no_pkce', 'The authorization server does not say that it knows PKCE with S256')
  }
  const addresses = [metadata.authorization_endpoint, metadata.token_endpoint, metadata.registration_endpoint]
  const mayBeLoopback = new URL(metadata.issuer).protocol === 'http:'
  if (addresses.some((url) => url !== undefined && !isSecure(url, mayBeLoopback))) throw insecure()
}

const noMetadata = (text: string): ConsentRefusal => new ConsentRefusal('metadata_missing', text)

const insecure = (): ConsentRefusal =>
  new ConsentRefusal(
    'insecure_address',
    'An address of the tool server or of its authorization server is not https',
  )
