import type { AuthSource } from '../../../shared/connections.ts'

/** A secret on its way to one tool server. */
export interface Credential {
  readonly source: Exclude<AuthSource, 'none'>
  readonly secret: string
  /** The header that carries the secret; null sends it as a bearer token in `Authorization`. */
  readonly headerName: string | null
}

/** Adds the secret where the tool server expects it. */
export function addCredential(headers: Headers, credential: Credential | null): void {
  for (const [name, value] of Object.entries(credentialHeader(credential))) headers.set(name, value)
}

/**
 * Returns the header that carries the secret, with its name in lower case; no header without a credential.
 */
export function credentialHeader(credential: Credential | null): Readonly<Record<string, string>> {
  if (credential === null) return {}
  const { headerName, secret } = credential
  const name = headerName?.toLowerCase() ?? 'authorization'
  return { [name]: name !== 'authorization' || hasScheme(secret) ? secret : `Bearer ${secret}` }
}

/** Returns true for a whole value such as `Bearer …`. A token itself contains no space. */
const hasScheme = (secret: string): boolean => /^[A-Za-z][A-Za-z0-9-]* \S/.test(secret)
