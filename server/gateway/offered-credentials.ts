/** The prefix of request headers that carry secrets for tool servers. */
const prefix = 'x-gateway-cred-'

const maxSecretChars = 8_192

/**
 * Returns secrets by provider from the `x-gateway-cred-<provider>` headers. Provider names are in lower case, as
 * header names are.
 */
export function credentialHeaders(headers: Headers | null): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>()
  headers?.forEach((value, name) => {
    const provider = name.startsWith(prefix) ? name.slice(prefix.length) : ''
    const secret = value.trim()
    if (provider !== '' && secret !== '' && secret.length <= maxSecretChars) secrets.set(provider, secret)
  })
  return secrets
}

/**
 * Returns validated secrets by provider in lower case, so that headers, bags and tokens can be compared by name.
 */
export const secretsByProvider = (bag: Readonly<Record<string, unknown>>): Map<string, string> =>
  new Map(
    Object.entries(bag).flatMap(([name, secret]) =>
      typeof secret === 'string' ? [[name.toLowerCase(), secret.trim()] as const] : [],
    ),
  )
