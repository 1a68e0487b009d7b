import { createHash, timingSafeEqual } from 'node:crypto'

import { fault } from '../fault.ts'

/**
 * Lets whoever scrapes metrics pass. Throws the fault `unauthorized` unless the request carries the token, and
 * `not_found` where there is none (null), because metrics are switched off then.
 */
export function requireMetricsToken(headers: Headers, token: string | null): void {
  if (token === null) throw fault('not_found', 'Metrics are switched off')
  if (!carriesToken(headers, token)) {
    throw fault('unauthorized', 'This address needs the metrics token as a bearer token')
  }
}

/** Compared by digest: in constant time, whatever the lengths. */
function carriesToken(headers: Headers, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
