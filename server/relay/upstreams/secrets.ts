import type { Upstream } from '../../endpoints/endpoints.ts'
import { parseJson } from '../../platform/json.ts'

/** Shorter parts of a path are words such as `v2`, which ordinary messages hold too. */
const leastSecretChars = 8

/** Returns the parts of an upstream's address and headers that callers must not learn, the longest first. */
export function secretsOf({ url, headers }: Pick<Upstream, 'url' | 'headers'>): readonly string[] {
  const { host, hostname, username, password, pathname, searchParams } = new URL(url)
  const parts = [...pathname.split('/'), ...searchParams.values(), username, password]
  const credentials = Object.values(headers).flatMap((value) => [value, ...value.split(/\s+/)])
  const secrets = [...parts, ...credentials].filter(({ length }) => length >= leastSecretChars)
  const all = [url, host, hostname, ...secrets, ...secrets.map(encodeURIComponent)]
  return [...new Set(all)].toSorted((one, other) => other.length - one.length)
}

const genericError = '{"code":-32000,"message":"the node refused the call"}'

/**
 * Returns an error object without the secrets in it: providers put project ids and addresses into their messages.
 * Results of JSON-RPC are not searched, because nodes make them of chain data; those of REST hold links (`rest/upstream-traces.ts`).
 */
export function withoutSecrets(error: string, secrets: readonly string[]): string {
  const lower = error.toLowerCase()
  if (!secrets.some((secret) => lower.includes(secret.toLowerCase()))) return error
  let cleaned = error
  for (const secret of secrets) cleaned = cleaned.replaceAll(new RegExp(RegExp.escape(secret), 'gi'), '…')
  return parseJson(cleaned) === undefined ? genericError : cleaned
}
