import type {
  AuthorizationServerMetadata,
  OAuthTokens,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client'
import * as z from 'zod/mini'

import type { SealedColumn } from '../../platform/resealing.ts'
import type { Vault } from '../../platform/vault.ts'
import type { SavedConnection } from '../saved/saved-connection.ts'

/** What an owner's consent gave, with all that is needed to renew and to end it. Sealed as one: no part can be exchanged. */
export interface KeptAccess {
  readonly issuer: string
  readonly metadata: AuthorizationServerMetadata
  /** Our name there when the consent was given; a later registration does not change it. */
  readonly client: StoredOAuthClientInformation
  readonly resource: string
  readonly accessToken: string
  readonly refreshToken: string | null
  /** For how long the access token was good when it was given; null: not told. */
  readonly lifeMs: number | null
}

const Kept = z.object({
  issuer: z.string(),
  metadata: z.looseObject({ issuer: z.string(), token_endpoint: z.string() }),
  client: z.looseObject({ client_id: z.string() }),
  resource: z.string(),
  accessToken: z.string(),
  refreshToken: z.nullable(z.string()),
  lifeMs: z.nullable(z.number()),
})

const accessPlace = ({ id, accountId }: Pick<SavedConnection, 'id' | 'accountId'>): string =>
  `oauth_connections:${id}:${accountId}:tokens`

export const sealedAccessTokens: SealedColumn = {
  table: 'oauth_connections',
  column: 'tokens_sealed',
  key: 'connection_id',
  owner: 'account_id',
  place: (id, accountId) => accessPlace({ id, accountId }),
}

export const sealAccess = (
  vault: Vault,
  of: Pick<SavedConnection, 'id' | 'accountId'>,
  access: KeptAccess,
): string => vault.seal(JSON.stringify(access), accessPlace(of))

export const openAccess = (
  vault: Vault,
  of: Pick<SavedConnection, 'id' | 'accountId'>,
  sealed: string,
): KeptAccess => Kept.parse(JSON.parse(vault.open(sealed, accessPlace(of)))) as KeptAccess

const maxTokenChars = 16_384
const maxLifeSec = 10 * 365 * 86_400

/** Why tokens that were given are no good here. */
export class UnusableTokens extends Error {
  override readonly name = 'UnusableTokens'
}

/** Takes what a token address gave. Throws `UnusableTokens` for what no header can carry, or is no bearer token. */
export function tokensFrom(given: OAuthTokens): Pick<KeptAccess, 'accessToken' | 'refreshToken' | 'lifeMs'> {
  const {
    access_token: accessToken,
    refresh_token: refreshToken = null,
    token_type: type,
    expires_in,
  } = given
  if (type.toLowerCase() !== 'bearer') throw new UnusableTokens('no bearer token')
  for (const token of refreshToken === null ? [accessToken] : [accessToken, refreshToken]) {
    if (token.length > maxTokenChars || !/^[\x21-\x7e]+$/.test(token))
      throw new UnusableTokens('not printable')
  }
  const isTold = expires_in !== undefined && Number.isFinite(expires_in)
  return {
    accessToken,
    refreshToken,
    lifeMs: isTold ? Math.min(Math.max(expires_in, 0), maxLifeSec) * 1_000 : null,
  }
}
