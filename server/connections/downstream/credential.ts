import type { AuthSource } from '../../../shared/connections.ts'

/** A secret on its way to one tool server. */
export interface Credential {
  readonly source: Exclude<AuthSource, 'none'>
  readonly secret: string
  /** The header that carries the secret; null sends it as a bearer token in `Authorization`. */
  readonly headerName: string | null
}

/** The access of a connection by OAuth: its tokens are renewed while the connection stays open. */
export interface BearerAccess {
  /** A token that is good for a while; at once where it is in memory. Rejects with a `DownstreamError`. */
  current(): string | Promise<string>
  /** Another token than the one that the tool server has just refused. Rejects likewise. */
  after(refused: string): Promise<string>
  /** The token that was sent last, to be found where it is quoted; null where none is known. */
  last(): string | null
  /** Takes note of scopes that a call lacked. Resolves to whether their owner can be asked for them. */
  lacks(scopes: readonly string[]): Promise<boolean>
}

/** The headers of a request, with their names in lower case. */
export type SentHeaders = Readonly<Record<string, string>>

/**
 * Returns the header that carries the secret, with its name in lower case; no header without a credential.
 */
export function credentialHeader(credential: Credential | null): SentHeaders {
  if (credential === null) return {}
  const { headerName, secret } = credential
  const name = headerName?.toLowerCase() ?? 'authorization'
  return { [name]: name !== 'authorization' || hasScheme(secret) ? secret : `Bearer ${secret}` }
}

/** Returns true for a whole value such as `Bearer …`. A token itself contains no space. */
const hasScheme = (secret: string): boolean => /^[A-Za-z][A-Za-z0-9-]* \S/.test(secret)
