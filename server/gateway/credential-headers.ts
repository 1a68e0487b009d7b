/** Of headers with which a request brings secrets for the servers of others. */
const prefix = 'x-gateway-cred-'

const maxSecretChars = 8_192

/** Secrets by provider, from `x-gateway-cred-<provider>`; providers are in lower case, as header names are. */
export function credentialHeaders(headers: Headers | null): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>()
  headers?.forEach((value, name) => {
    const provider = name.startsWith(prefix) ? name.slice(prefix.length) : ''
    const secret = value.trim()
    if (provider !== '' && secret !== '' && secret.length <= maxSecretChars) secrets.set(provider, secret)
  })
  return secrets
}
