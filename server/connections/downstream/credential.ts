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
  if (credential === null) return
  const { headerName, secret } = credential
  if (headerName === null || headerName.toLowerCase() === 'authorization') {
    headers.set('authorization', hasScheme(secret) ? secret : `Bearer ${secret}`)
  } else {
    headers.set(headerName, secret)
  }
}

/** `Bearer …` and the like, given whole. A token itself holds no space. */
const hasScheme = (secret: string): boolean => /^[A-Za-z][A-Za-z0-9-]* \S/.test(secret)
