import ipaddr from 'ipaddr.js'

import type { SignUpPolicy } from '../../shared/accounts.ts'
import { type Values, required } from './variables.ts'

/** An application that the operator registered with a provider, and the addresses of the provider. */
interface ProviderSettings {
  readonly clientId: string
  readonly clientSecret: string
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

/** Parses entries such as `1=https://rpc.example.org` into a map by chain id. */
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

/** Returns a problem for each provider of which only the id or the secret is set; sign-in would fail only later. */
export function unpairedIn(values: Values): string[] {
  return pairs.flatMap(([id, secret]) => {
    if ((values[id] === null) === (values[secret] === null)) return []
    const [given, missing] = values[id] === null ? [secret, id] : [id, secret]
    return [`${missing}: needed beside ${given}`]
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
