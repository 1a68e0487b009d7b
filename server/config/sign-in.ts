import { required } from './required.ts'
import type { Values } from './variables.ts'

/** An application that the operator registered at a provider, and where that provider is. */
interface ProviderSettings {
  readonly clientId: string
  readonly clientSecret: string
  readonly authorizeUrl: string
  readonly tokenUrl: string
}

export interface GithubSettings extends ProviderSettings {
  readonly userUrl: string
}

export interface GoogleSettings extends ProviderSettings {
  readonly jwksUrl: string
  readonly issuer: string
}

export function githubIn(values: Values): GithubSettings | null {
  const { GATEHOUSE_GITHUB_CLIENT_ID: clientId, GATEHOUSE_GITHUB_CLIENT_SECRET: clientSecret } = values
  if (clientId === null || clientSecret === null) return null
  return {
    clientId,
    clientSecret,
    authorizeUrl: required(values.GATEHOUSE_GITHUB_AUTHORIZE_URL),
    tokenUrl: required(values.GATEHOUSE_GITHUB_TOKEN_URL),
    userUrl: required(values.GATEHOUSE_GITHUB_USER_URL),
  }
}

export function googleIn(values: Values): GoogleSettings | null {
  const { GATEHOUSE_GOOGLE_CLIENT_ID: clientId, GATEHOUSE_GOOGLE_CLIENT_SECRET: clientSecret } = values
  if (clientId === null || clientSecret === null) return null
  return {
    clientId,
    clientSecret,
    authorizeUrl: required(values.GATEHOUSE_GOOGLE_AUTHORIZE_URL),
    tokenUrl: required(values.GATEHOUSE_GOOGLE_TOKEN_URL),
    jwksUrl: required(values.GATEHOUSE_GOOGLE_JWKS_URL),
    issuer: required(values.GATEHOUSE_GOOGLE_ISSUER),
  }
}

/** Entries such as `1=https://rpc.example.org`, by chain id. */
export function chainRpcsIn(values: Values): ReadonlyMap<number, string> {
  return new Map(
    required(values.GATEHOUSE_CHAIN_RPC).map((entry) => {
      const at = entry.indexOf('=')
      return [Number(entry.slice(0, at)), entry.slice(at + 1)]
    }),
  )
}

const pairs = [
  ['GATEHOUSE_GITHUB_CLIENT_ID', 'GATEHOUSE_GITHUB_CLIENT_SECRET'],
  ['GATEHOUSE_GOOGLE_CLIENT_ID', 'GATEHOUSE_GOOGLE_CLIENT_SECRET'],
] as const

/** A provider needs both, and half of it would only show when nobody can sign in. */
export function unpairedIn(values: Values): string[] {
  return pairs.flatMap(([id, secret]) => {
    if ((values[id] === null) === (values[secret] === null)) return []
    const [given, missing] = values[id] === null ? [secret, id] : [id, secret]
    return [`${missing}: needed beside ${given}`]
  })
}
