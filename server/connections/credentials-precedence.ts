import type { Credential } from './downstream/credential.ts'
import type { DownstreamService } from './downstream-service.ts'
import type { OfferedCredentials } from './scope.ts'

/**
 * Which secret goes to a tool server: that of the saved connection itself; else what the session's bag holds for its
 * provider, the header of this request, a bound token; else none. A server that wants no credentials gets none.
 */
export function chooseCredential(
  service: Pick<DownstreamService, 'authType' | 'credentialKey'>,
  saved: Credential | null,
  /** Its headers are read when they are wanted. */
  offers: OfferedCredentials,
): Credential | null {
  if (saved !== null) return saved
  const { authType, credentialKey: provider } = service
  if (authType === 'none' || provider === null) return null
  return (
    offered('session_bag', offers.bag, provider) ??
    offered('request_header', offers.headers, provider) ??
    offered('bound_token', offers.tokens, provider)
  )
}

/** Header names come in lower case, whatever the registry writes. */
function offered(
  source: Credential['source'],
  secrets: ReadonlyMap<string, string>,
  provider: string,
): Credential | null {
  const secret = secrets.get(provider) ?? secrets.get(provider.toLowerCase())
  return secret === undefined ? null : { source, secret, headerName: null }
}
