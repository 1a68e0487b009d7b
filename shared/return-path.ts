/**
 * A page of this site. A grammar of what is allowed, not a list of tricks: no empty segment, so never `//host`; no
 * backslash, percent sign or colon where a browser could read a scheme or a host.
 */
export const returnPathPattern =
  /^\/(?:[A-Za-z0-9._~-][A-Za-z0-9._~:-]*(?:\/[A-Za-z0-9._~-][A-Za-z0-9._~:-]*)*\/?)?(?:\?[A-Za-z0-9._~:%&=+,-]*)?$/
export const returnPathChars = 500

/** The same check as that of the schema, for pages that do without schemas. */
export const isReturnPath = (path: unknown): path is string =>
  typeof path === 'string' && path.length <= returnPathChars && returnPathPattern.test(path)
