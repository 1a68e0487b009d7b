import { OAuth2Server } from 'oauth2-mock-server'

/** Somebody with an account at the provider. The parts that GitHub and Google each tell of them. */
export interface ProviderUser {
  readonly id: number
  readonly login: string
  readonly sub: string
  readonly name: string
  readonly email: string
}

/** What the server can be told to do with the next ID tokens. */
export type AlterToken = (header: Record<string, unknown>, claims: Record<string, unknown>) => void

/** A provider of identities on loopback, with the addresses of an OAuth 2.0 and OpenID Connect server. */
export interface TestIdentityProvider {
  readonly url: string
  readonly issuer: string
  /** Fields of the requests to the token address. */
  readonly tokenRequests: readonly Readonly<Record<string, string>>[]
  /** Who is signed in at the provider, and confirms. */
  signInAs(user: ProviderUser): void
  /** Undefined: as they should be. */
  alterTokens(alter: AlterToken | undefined): void
  /** What stands in the token address's answer in place of the ID token. */
  replaceIdToken(replace: ((idToken: string) => string) | undefined): void
  /** The status of the token address's answers. */
  answerTokensWith(status: number): void
  stop(): Promise<void>
}

export const ada: ProviderUser = {
  id: 583_231,
  login: 'ada',
  sub: '113456789012345678901',
  name: 'Ada L.',
  email: 'ada@example.org',
}

/** It signs with RS256 unless told otherwise, and checks PKCE. */
export async function startIdentityProvider(algorithm = 'RS256'): Promise<TestIdentityProvider> {
  const server = new OAuth2Server()
  const { service, issuer } = server
  await issuer.keys.generate(algorithm)
  await server.start(0, '127.0.0.1')
  const url = `http://127.0.0.1:${server.address().port}`
  issuer.url = url

  let user = ada
  let alter: AlterToken | undefined
  let replace: ((idToken: string) => string) | undefined
  let status = 200
  const tokenRequests: Record<string, string>[] = []

  service.on('beforeTokenSigning', (token) => {
    Object.assign(token.payload, { sub: user.sub, name: user.name, email: user.email, email_verified: true })
    alter?.(token.header, token.payload)
  })
  service.on('beforeUserinfo', (response) => {
    response.body = { id: user.id, login: user.login, email: user.email }
  })
  service.on('beforeResponse', (response, request) => {
    tokenRequests.push({ ...request.body })
    response.statusCode = status
    if (replace !== undefined) response.body.id_token = replace(String(response.body.id_token))
  })

  return {
    url,
    issuer: url,
    tokenRequests,
    signInAs: (next) => {
      user = next
    },
    alterTokens: (next) => {
      alter = next
    },
    replaceIdToken: (next) => {
      replace = next
    },
    answerTokensWith: (next) => {
      status = next
    },
    stop: () => server.stop(),
  }
}
