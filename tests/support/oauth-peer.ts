import { generateKeyPairSync } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { type Configuration, Provider, errors } from 'oidc-provider'

/** The account that whoever is asked signs in as. */
const peerAccount = 'acc_peer'

interface PeerOptions {
  /** The one resource that its tokens are for. */
  readonly resource: string
  readonly scope: string
}

export type OAuthPeer = Awaited<ReturnType<typeof startOAuthPeer>>

/**
 * An authorization server of another maker, `oidc-provider`, that is certified: in memory, with a person who agrees to
 * everything. Its issuer is a loopback address.
 */
export async function startOAuthPeer({ resource, scope }: PeerOptions) {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, configuration(resource, scope))
  const answerOf = provider.callback()

  async function agree(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: peerAccount, clientId: String(params['client_id']) })
    grant.addResourceScope(resource, scope)
    grant.addOIDCScope(`${scope} offline_access`)
    await provider.interactionFinished(request, response, {
      login: { accountId: peerAccount, remember: false },
      consent: { grantId: await grant.save() },
    })
  }

  const requests: string[] = []
  let held: Promise<unknown> = Promise.resolve()
  server.on('request', (request, response) => {
    const path = request.url?.split('?', 1)[0]
    requests.push(`${request.method} ${path}`)
    if (path === '/oauth/token') void held.then(() => answerOf(request, response))
    else if (path?.startsWith('/consent/') !== true) answerOf(request, response)
    else agree(request, response).catch(() => response.writeHead(500).end())
  })

  return {
    issuer,
    /** Method and path of every request, in order. */
    requests: requests as readonly string[],
    /** Answers no request for tokens before that. */
    holdTokens(until: Promise<unknown>): void {
      held = until
    },
    /** Whether it issued this access token, and the token is alive. */
    isToken: async (value: string): Promise<boolean> =>
      (await provider.AccessToken.find(value)) !== undefined,
    /** Follows the address of a request for access in a browser of its own. Null: it ends on a page that says no. */
    browse: (url: string | URL): Promise<URL | null> => browse(url, issuer),
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function configuration(resource: string, scope: string): Configuration {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    // It wants a signing key, although no token here is a JWT.
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    cookies: { keys: ['k'.repeat(32)] },
    pkce: { required: () => true },
    responseTypes: ['code'],
    // Registrations that name an unknown scope are refused.
    scopes: ['openid', 'offline_access', scope],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      jwks: '/oauth/jwks',
    },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    ttl: {
      AccessToken: 3_600,
      AuthorizationCode: 60,
      RefreshToken: 86_400,
      Grant: 86_400,
      Interaction: 600,
      Session: 600,
    },
    findAccount: async (_context, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id }),
    }),
    interactions: { url: (_context, { uid }) => `/consent/${uid}` },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => resource,
        useGrantedResource: async () => true,
        async getResourceServerInfo(_context, asked) {
          if (asked !== resource) throw new errors.InvalidTarget()
          return { scope, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: 3_600 }
        },
      },
    },
  }
}

/** A browser with cookies, which goes wherever it is sent at the issuer. Returns the first address elsewhere. */
export async function browse(url: string | URL, issuer: string): Promise<URL | null> {
  const jar = new Map<string, string>()
  let at = String(url)
  for (let steps = 0; steps < 6; steps++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } })
    await answer.body?.cancel()
    for (const kept of answer.headers.getSetCookie()) {
      const [pair = ''] = kept.split(';', 1)
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = answer.headers.get('location')
    if (location === null) return null
    const next = new URL(location, issuer)
    if (next.origin !== issuer) return next
    at = next.href
  }
  throw new Error('it goes round in circles')
}
