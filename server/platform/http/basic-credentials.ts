export interface BasicCredentials {
  readonly user: string
  readonly password: string
}

/** The user and the password of an Authorization header of scheme Basic (RFC 7617); null when there is none. */
export function basicCredentials(authorization: string | null): BasicCredentials | null {
  const [, encoded] = /^ *basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return null
  const decoded = Buffer.from(encoded, 'base64').toString()
  const colon = decoded.indexOf(':')
  return colon < 0 ? null : { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}
