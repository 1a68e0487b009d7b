/** The token of an Authorization header of scheme Bearer (RFC 6750, section 2.1); null when there is none. */
export function bearerToken(authorization: string | null): string | null {
  const [scheme = '', token = '', ...rest] = (authorization ?? '').trim().split(/ +/, 3)
  return scheme.toLowerCase() === 'bearer' && token !== '' && rest.length === 0 ? token : null
}
