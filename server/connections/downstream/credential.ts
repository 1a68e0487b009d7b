import type { AuthSource } from '../../../shared/connections.ts'

/** A secret on its way to one downstream. */
export interface Credential {
  readonly source: Exclude<AuthSource, 'none'>
  readonly secret: string
  /** Null: `Authorization`, as a bearer token. */
  readonly headerName: string | null
}

/** Puts the secret where the downstream expects it. */
export function addCredential(headers: Headers, credential: Credential | null): void {
  for (const [name, value] of Object.entries(credentialHeader(credential))) headers.set(name, value)
}

/** The header by which the downstream gets the secret; none without one. Its name is in lower case. */
export function credentialHeader(credential: Credential | null): Readonly<Record<string, string>> {
  if (credential === null) return {}
  const { headerName, secret } = credential
  const name = headerName?.toLowerCase() ?? 'authorization'
  return { [name]: name !== 'authorization' || hasScheme(secret) ? secret : `Bearer ${secret}` }
}

/** `Bearer …` and the like, given whole. A token itself holds no space. */
const hasScheme = (secret: string): boolean => /^[A-Za-z][A-Za-z0-9-]* \S/.test(secret)
