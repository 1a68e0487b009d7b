const weak = /^W\//

/**
 * Whether a caller has what is behind an ETag already (RFC 9110 section 13.1.2). Weak and strong ETags are the same here: a proxy
 * that compresses answers makes every ETag a weak one. None of ours has a comma in it.
 */
export function isKnownByCaller(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((one) => one.trim().replace(weak, '') === etag)
}
