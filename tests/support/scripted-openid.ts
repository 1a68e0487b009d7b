import { SignJWT, type JWK, UnsecuredJWT, exportJWK, generateKeyPair } from 'jose'

import { definedOf } from '../../shared/fields.ts'

/** Claims, or metadata, as they are sent. */
type Fields = Record<string, unknown>

/** What the provider does otherwise than it should. Undefined fields are left out of what is sent. */
export interface OpenidScript {
  readonly metadata?: Fields
  readonly claims?: Fields
  readonly userinfo?: Fields | undefined
  /** How ID tokens are signed; by default with the key that is published. */
  readonly signed?: 'none' | 'with the secret' | 'with another key'
  /** The status of the discovery document. */
  readonly status?: number
}

export type ScriptedOpenid = Awaited<ReturnType<typeof startScriptedOpenid>>

/** A provider of OpenID Connect that lies as it is told. There is no page to sign in: whoever has the state is sent back. */
export async function startScriptedOpenid(client: {
  readonly clientId: string
  readonly clientSecret: string
}) {
  const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const published: JWK = { ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  let script: OpenidScript = {}
  let nonce = ''
  const asked: string[] = []

  async function idToken(): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const usual = { iss: issuer, aud: client.clientId, sub: '248', iat: now, exp: now + 300, nonce }
    const claims = definedOf({ ...usual, ...script.claims })
    if (script.signed === 'none') return new UnsecuredJWT(claims).encode()
    if (script.signed === 'with the secret') {
      const secret = new TextEncoder().encode(client.clientSecret)
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(secret)
    }
    const { privateKey } = script.signed === 'with another key' ? other : own
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey)
  }

  const answers: Readonly<Record<string, () => Promise<Response>>> = {
    '/.well-known/openid-configuration': async () =>
      Response.json(
        definedOf({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          userinfo_endpoint: `${issuer}/userinfo`,
          ...script.metadata,
        }),
        { status: script.status ?? 200 },
      ),
    '/token': async () =>
      Response.json({ id_token: await idToken(), access_token: 'token', token_type: 'Bearer' }),
    '/keys': async () => Response.json({ keys: [published] }),
    '/userinfo': async () =>
      Response.json(definedOf({ sub: script.claims?.['sub'] ?? '248', ...script.userinfo })),
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      asked.push(pathname)
      return answers[pathname]?.() ?? new Response(null, { status: 404 })
    },
  })
  const issuer = server.url.origin

  return {
    issuer,
    /** Paths of all requests, in order. */
    asked: asked as readonly string[],
    play(next: OpenidScript): void {
      script = next
    },
    /** Where a browser is sent back to that was sent here. */
    sendBack(location: URL): URL {
      nonce = location.searchParams.get('nonce') ?? ''
      const back = new URL(location.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', 'code')
      back.searchParams.set('state', location.searchParams.get('state') ?? '')
      return back
    },
    stop: () => server.stop(true),
  }
}
