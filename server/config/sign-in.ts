import ipaddr from 'ipaddr.js'

import type { SignUpPolicy } from '../../shared/accounts.ts'
import { type Values, required } from './variables.ts'

/** An application that the operator registered with a provider. */
interface RegisteredClient {
  readonly clientId: string
  readonly clientSecret: string
}

/** The same with the addresses of the provider. */
interface ProviderSettings extends RegisteredClient {
  readonly authorizeUrl: string
  readonly tokenUrl: string
}

export interface GithubConfig extends ProviderSettings {
  readonly userUrl: string
}

export interface GoogleConfig extends ProviderSettings {
  readonly jwksUrl: string
  readonly issuer: string
}

/** A provider whose addresses are found by its issuer. */
export interface OidcConfig extends RegisteredClient {
  readonly issuer: string
  readonly name: string
  readonly groupsClaim: string
}

/** Returns null when sign-in by GitHub is not configured. */
export function githubIn(values: Values): GithubConfig | null {
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

/** Returns null when sign-in by Google is not configured. */
export function googleIn(values: Values): GoogleConfig | null {
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

/** Returns null when sign-in by OpenID Connect is not configured. */
export function oidcIn(values: Values): OidcConfig | null {
  const {
    GATEHOUSE_OIDC_ISSUER: issuer,
    GATEHOUSE_OIDC_CLIENT_ID: clientId,
    GATEHOUSE_OIDC_CLIENT_SECRET: clientSecret,
  } = values
  if (issuer === null || clientId === null || clientSecret === null) return null
  return {
    issuer,
    clientId,
    clientSecret,
    name: values.GATEHOUSE_OIDC_NAME ?? new URL(issuer).host,
    groupsClaim: required(values.GATEHOUSE_OIDC_GROUPS_CLAIM),
  }
}

/** Parses entries such as `1=https://rpc.example.org` into a map by chain id. */
export function chainRpcsIn(values: Values): ReadonlyMap<number, string> {
  return new Map(
    required(values.GATEHOUSE_CHAIN_RPC).map((entry) => {
      const at = entry.indexOf('=')
      return [Number(entry.slice(0, at)), entry.slice(at + 1)]
    }),
  )
}

/** What each provider needs as a whole, and what is of no use without it. */
const sets = [
  { needed: ['GATEHOUSE_GITHUB_CLIENT_ID', 'GATEHOUSE_GITHUB_CLIENT_SECRET'], further: [] },
  { needed: ['GATEHOUSE_GOOGLE_CLIENT_ID', 'GATEHOUSE_GOOGLE_CLIENT_SECRET'], further: [] },
  {
    needed: ['GATEHOUSE_OIDC_ISSUER', 'GATEHOUSE_OIDC_CLIENT_ID', 'GATEHOUSE_OIDC_CLIENT_SECRET'],
    further: ['GATEHOUSE_OIDC_NAME'],
  },
] as const

/** Returns a problem for each setting that a provider lacks of which another one is set; sign-in would fail only later. */
export function incompleteIn(values: Values): string[] {
  return sets.flatMap(({ needed, further }) => {
    const given = [...needed, ...further].find((name) => values[name] !== null)
    if (given === undefined) return []
    return needed.filter((name) => values[name] === null).map((name) => `${name}: needed beside ${given}`)
  })
}

/** Who can only be reached from this machine lets everybody in; a public address says that others reach it, too. */
export function defaultSignUp({ GATEHOUSE_HOST, GATEHOUSE_PUBLIC_URL }: Values): SignUpPolicy {
  const hosts = [
    required(GATEHOUSE_HOST),
    ...(GATEHOUSE_PUBLIC_URL === null ? [] : [new URL(GATEHOUSE_PUBLIC_URL).hostname]),
  ]
  return hosts.every(isLoopback) ? 'open' : 'approval'
}

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return bare === 'localhost' || (ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback')
}
