import type { RelayKey } from './parties.ts'

/** Headers that pages may read. */
const exposed = 'x-request-id, x-rpc-credits, ratelimit, ratelimit-policy, retry-after'

/** Which pages may read an answer: any, those of one origin, or none. `nobody`: it is not for a page at all. */
export type Readers =
  | { readonly kind: 'any' | 'none' | 'nobody' }
  | { readonly kind: 'one'; readonly origin: string }

export const anyReaders: Readers = { kind: 'any' }
export const noReaders: Readers = { kind: 'none' }
export const nobody: Readers = { kind: 'nobody' }

/** For a key whose domain list was found to allow the caller. `origin`: what the browser sent; null: there is none. */
export function readersOf(key: RelayKey, origin: string | null): Readers {
  if (key.allowedDomains.length === 0) return origin === null ? nobody : anyReaders
  return origin === null ? noReaders : { kind: 'one', origin }
}

/** Headers of an answer. Never with credentials: no cookie means anything here. */
export function addReaders(headers: Record<string, string>, readers: Readers): void {
  switch (readers.kind) {
    case 'nobody':
      return
    case 'none':
      headers.vary = 'Origin'
      return
    case 'one':
      headers['access-control-allow-origin'] = readers.origin
      headers.vary = 'Origin'
      break
    default:
      headers['access-control-allow-origin'] = '*'
  }
  headers['access-control-expose-headers'] = exposed
}

/** How long a browser may keep what a preflight said, in seconds: a changed domain list holds for new pages after it. */
const preflightAgeSec = '600'

export function addPreflight(headers: Record<string, string>, readers: Readers): void {
  addReaders(headers, readers)
  if (readers.kind === 'none' || readers.kind === 'nobody') return
  headers['access-control-allow-methods'] = 'POST, GET'
  // The asterisk does not stand for this one (Fetch standard, "CORS-preflight fetch").
  headers['access-control-allow-headers'] = '*, authorization'
  headers['access-control-max-age'] = preflightAgeSec
}
