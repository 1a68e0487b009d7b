import type { SiweMessage } from './siwe-message.ts'

/** How long a challenge is good for. */
export const challengeLifeMs = 600_000
/** Processes of one installation may have clocks this far apart. */
const clockSkewMs = 30_000

export const siweStatement = 'Sign in to Gatehouse. This costs nothing and sends no transaction.'

/** `address` and `chainId` are checked by the signature, and by the message's being the one that was issued. */
export type SiweRefusal =
  | 'domain'
  | 'uri'
  | 'statement'
  | 'version'
  | 'issued_in_future'
  | 'issued_too_long_ago'
  | 'lifetime'
  | 'expired'

/**
 * Compares every field with what this installation writes into its messages; null when all is well. Libraries skip
 * the fields for which no expectation is given, and never look at `uri` and `issuedAt`.
 */
export function checkSiwe(message: SiweMessage, origins: readonly string[], now: number): SiweRefusal | null {
  const origin = origins.find((candidate) => domainOf(candidate) === message.domain)
  if (origin === undefined) return 'domain'
  if (message.uri !== origin) return 'uri'
  if (message.statement !== siweStatement) return 'statement'
  if (message.version !== '1') return 'version'
  if (message.issuedAt > now + clockSkewMs) return 'issued_in_future'
  if (message.issuedAt <= now - challengeLifeMs) return 'issued_too_long_ago'
  if (message.expiresAt !== message.issuedAt + challengeLifeMs) return 'lifetime'
  if (message.expiresAt <= now) return 'expired'
  return null
}

/** Host and port of an origin. */
export const domainOf = (origin: string): string => origin.slice(origin.indexOf('://') + 3)
