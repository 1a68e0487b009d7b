import { generateKeyPairSync } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Provider } from 'oidc-provider'

import { browse } from './oauth-peer.ts'

/** Somebody with an account there. */
export interface PeerUser {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly email_verified: boolean
  readonly groups: readonly string[]
}

export type OpenidPeer = Awaited<ReturnType<typeof startOpenidPeer>>

/**
 * A provider of OpenID Connect of another maker, `oidc-provider`, that is certified: in memory, with a person who agrees to
 * everything. It insists on PKCE and on our secret in the header, names itself in redirects (RFC 9207), and tells claims by
 * its userinfo address alone, as the specification has it.
 */
export async function startOpenidPeer(
  client: { readonly clientId: string; readonly clientSecret: string; readonly redirectUrl: string },
  user: PeerUser,
) {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('ed25519')
  let current = user
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [client.redirectUrl],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
        id_token_signed_response_alg: 'EdDSA',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'EdDSA', use: 'sig' }] },
    cookies: { keys: ['k'.repeat(32)] },
    pkce: { required: () => true },
    responseTypes: ['code'],
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    claims: {
      openid: ['sub'],
      profile: ['name'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    findAccount: async (_context, id) => ({ accountId: id, claims: async () => ({ ...current, sub: id }) }),
    interactions: { url: (_context, { uid }) => `/consent/${uid}` },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  })
  const answerOf = provider.callback()

  async function agree(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response)
    const accountId = current.sub
    const grant = new provider.Grant({ accountId, clientId: client.clientId })
    grant.addOIDCScope(String(params['scope']))
    await provider.interactionFinished(request, response, {
      login: { accountId, remember: false },
      consent: { grantId: await grant.save() },
    })
  }

  server.on('request', (request, response) => {
    if (request.url?.startsWith('/consent/') !== true) answerOf(request, response)
    else agree(request, response).catch(() => response.writeHead(500).end())
  })

  return {
    issuer,
    signInAs(next: PeerUser): void {
      current = next
    },
    /** Follows the address of a request to sign in with a browser of its own, to where it is sent back. Null: it ends on a page. */
    browse: (url: string | URL): Promise<URL | null> => browse(url, issuer),
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
