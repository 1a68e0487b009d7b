import type { CallLink, OfferedCredentials, Scope } from '../../connections/connections.ts'
import type { ClientCall } from '../client-call.ts'
import { countedAddress } from '../counted-address.ts'
import { credentialHeaders } from '../credential-headers.ts'
import type { Principal } from '../principal.ts'
import type { GatewaySession } from '../sessions/session.ts'
import type { OperationCall } from './operation.ts'

/** Where there is no session, a scope without any session connection. */
export function scopeOf({ client: { principal }, session }: OperationCall): Scope {
  if (session.current !== null) return { accountId: accountIdOf(principal), sessionId: session.current.id }
  return { accountId: accountIdOf(principal), sessionId: '', address: countedAddress(principal) }
}

const accountIdOf = (principal: Principal): string | null =>
  principal.kind === 'account' ? principal.accountId : null

export const offeredBy = (client: ClientCall, session: GatewaySession | null): OfferedCredentials => ({
  bag: session?.bag ?? nothing,
  /** Read when a tool server wants any. */
  get headers() {
    return credentialHeaders(client.headers)
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
