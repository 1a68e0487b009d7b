import type { CallLink, OfferedCredentials, Scope } from '../../connections/connections.ts'
import type { ClientCall } from '../client-call.ts'
import { countedAddress } from '../counted-address.ts'
import { credentialHeaders } from '../credential-headers.ts'
import type { Principal } from '../principal.ts'
import type { GatewaySession } from '../sessions/session.ts'
import type { OperationCall } from './operation.ts'

export const scopeOf = ({ client, session }: OperationCall): Scope =>
  scopeIn(client.principal, session.current)

/** Where there is no session, a scope without any session connection. */
export function scopeIn(principal: Principal, session: GatewaySession | null): Scope {
  const accountId = principal.kind === 'account' ? principal.accountId : null
  if (session !== null) return { accountId, sessionId: session.id }
  return { accountId, sessionId: '', address: countedAddress(principal) }
}

export const offeredBy = (
  { headers }: Pick<ClientCall, 'headers'>,
  session: GatewaySession | null,
): OfferedCredentials => ({
  bag: session?.bag ?? nothing,
  /** Read when a tool server wants any. */
  get headers() {
    return credentialHeaders(headers)
  },
  tokens: session?.tokens ?? nothing,
})

const nothing: ReadonlyMap<string, string> = new Map()

/** The client's side of a call that reaches out. */
export const linkOf = ({ signal, onProgress, clientCapabilities, meta }: ClientCall): CallLink => ({
  signal,
  ...(onProgress !== null && { onProgress }),
  ...(clientCapabilities !== null && { clientCapabilities }),
  ...(meta !== null && { meta }),
})
