import { findServices } from '../next-actions.ts'
import { type ToolRefusal, toolRefusal } from '../tool-result.ts'
import type { ToolServices, ClientCall } from '../tools/tool.ts'
import { type GatewayCaller, isLoopback } from '../authentication.ts'
import type { OperationCall } from './operation.ts'
import { sourceOf } from '../../platform/http/address-limit.ts'
import type { CallLink, OfferedCredentials, Scope } from '../../connections/connections.ts'
import type { GatewaySession } from '../sessions/session.ts'

export const scopeOf = ({ client, session }: OperationCall): Scope => scopeIn(client.caller, session.current)

/** Returns the scope of a call. Without a session it contains no session connections. */
export function scopeIn(caller: GatewayCaller, session: GatewaySession | null): Scope {
  const owner =
    caller.kind === 'account' ? { accountId: caller.accountId, keyId: caller.name } : { accountId: null }
  if (session !== null) return { ...owner, sessionId: session.id }
  return { ...owner, sessionId: '', address: countedAddress(caller) }
}

export const offeredBy = (
  { headers }: Pick<ClientCall, 'headers'>,
  session: GatewaySession | null,
): OfferedCredentials => ({
  bag: session?.bag ?? nothing,
  /** Parsed on access, because most tool servers take no credentials. */
  get headers() {
    return credentialHeaders(headers)
  },
  tokens: session?.tokens ?? nothing,
})

const nothing: ReadonlyMap<string, string> = new Map()

/** Returns the client's side of a downstream call: cancellation, progress, capabilities and trace fields. */
export const linkOf = ({ signal, onProgress, clientCapabilities, meta }: ClientCall): CallLink => ({
  signal,
  ...(onProgress !== null && { onProgress }),
  ...(clientCapabilities !== null && { clientCapabilities }),
  ...(meta !== null && { meta }),
})

/**
 * Returns the address by which anonymous callers are counted, or null on the loopback interface, where all
 * callers share one address.
 */
export function countedAddress({ from }: GatewayCaller): string | null {
  const { address } = from.caller()
  return address !== null && isLoopback(address) ? null : sourceOf(address)
}

/**
 * Returns the seconds to wait before the caller may make another downstream call. Only callers without a key are
 * limited.
 */
export function downstreamCallWaitSec(
  caller: GatewayCaller,
  countDownstreamCall: ToolServices['countDownstreamCall'],
): number {
  if (caller.kind === 'account') return 0
  const address = countedAddress(caller)
  return address === null ? 0 : countDownstreamCall(address)
}

export const tooManyDownstreamCalls = (waitSec: number): string =>
  `Too many calls to tool servers from this address: try again in ${waitSec} seconds, or send an API key with the permission Gateway Use`

export function downstreamCallRefusal(
  { client }: OperationCall,
  { countDownstreamCall }: ToolServices,
): ToolRefusal | null {
  const waitSec = downstreamCallWaitSec(client.caller, countDownstreamCall)
  if (waitSec === 0) return null
  return toolRefusal('rate_limited', tooManyDownstreamCalls(waitSec), [findServices], {
    retry_after_seconds: waitSec,
  })
}

/** The prefix of request headers that carry secrets for tool servers. */
const prefix = 'x-gateway-cred-'

const maxSecretChars = 8_192

/**
 * Returns secrets by provider from the `x-gateway-cred-<provider>` headers. Provider names are in lower case, as
 * header names are.
 */
export function credentialHeaders(headers: Headers | null): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>()
  headers?.forEach((value, name) => {
    const provider = name.startsWith(prefix) ? name.slice(prefix.length) : ''
    const secret = value.trim()
    if (provider !== '' && secret !== '' && secret.length <= maxSecretChars) secrets.set(provider, secret)
  })
  return secrets
}

/**
 * Returns validated secrets by provider in lower case, so that headers, bags and tokens can be compared by name.
 */
export const secretsByProvider = (bag: Readonly<Record<string, unknown>>): Map<string, string> =>
  new Map(
    Object.entries(bag).flatMap(([name, secret]) =>
      typeof secret === 'string' ? [[name.toLowerCase(), secret.trim()] as const] : [],
    ),
  )
