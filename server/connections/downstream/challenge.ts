import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client'

import { scopeNamesIn } from '../oauth/issuer.ts'

/** What a tool server says when it refuses a request. */
export interface Challenge {
  readonly error: string | null
  readonly resourceMetadataUrl: URL | null
  readonly scopes: readonly string[]
}

export function serverChallengeOf(response: Response): Challenge {
  const { error, resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
  return {
    error: error ?? null,
    resourceMetadataUrl: resourceMetadataUrl ?? null,
    scopes: scopeNamesIn(scope),
  }
}
