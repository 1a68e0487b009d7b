/** The address of a server in the form that postgres.js takes. */
export interface ConnectionAddress {
  url: string
  /** File name of the Unix socket, when there is one. */
  path?: string
}

const defaultPort = '5432'

/**
 * Reads a PostgreSQL URL. postgres.js does not understand the two ways to name a Unix socket's folder
 * (PostgreSQL manual, "Connection URIs"): percent-encoded in place of the host, and `?host=/folder`.
 * @throws TypeError when it is no URL.
 */
export function parseAddress(url: string): ConnectionAddress {
  const parsed = new URL(url)
  const socketDir = decodeURIComponent(parsed.hostname) || parsed.searchParams.get('host')
  if (!socketDir?.startsWith('/')) return { url }
  // Left in the URL, it would be sent to the server as a setting.
  parsed.searchParams.delete('host')
  return { url: parsed.href, path: `${socketDir}/.s.PGSQL.${parsed.port || defaultPort}` }
}
