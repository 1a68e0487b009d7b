import { segmentsOf } from '../../../shared/path-pattern.ts'

/** The path of a REST call behind the key, or why it is refused. */
export type RequestPath =
  /** The segments are decoded. */
  | { readonly kind: 'path'; readonly segments: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string }

/** What a path may hold by RFC 3986 (section 3.3), but for `;`, behind which some servers ignore what follows. */
const plain = /^(?:\/(?:[A-Za-z0-9._~!$&'()*+,=:@-]|%[0-9A-Fa-f]{2})*)+$/

/** What a node could read as something else than we do: another segment, another escape, the end of a line. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const ambiguous = /[/\\%;\u0000-\u001F\u007F]/

/**
 * Reads a path as it was sent. What programs on the way could understand differently is refused before anything is
 * compared with it: dot segments, escaped separators, escapes of escapes, empty segments.
 */
export function readPath(raw: string): RequestPath {
  if (!plain.test(raw)) return refused('a path holds letters, digits, some signs, and escapes such as %20')
  const segments: string[] = []
  for (const each of raw === '/' ? [] : segmentsOf(raw)) {
    const segment = decoded(each)
    if (segment === null) return refused('an escape in the path is no text in UTF-8')
    if (segment === '') return refused('a path has no empty segments')
    if (segment === '.' || segment === '..') return refused('a path has no segments . and ..')
    if (ambiguous.test(segment))
      return refused('a path has no escaped slash, percent sign, semicolon or control character')
    segments.push(segment)
  }
  return { kind: 'path', segments }
}

const refused = (why: string): RequestPath => ({ kind: 'refused', why })

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

/**
 * Returns the address that a call goes to: the path behind that of the node, and its query behind the node's own, whose
 * parameters (often a key) a caller can neither read nor replace.
 */
export function nodeAddress(node: string, path: string, query: string): string {
  const { origin, pathname, search } = new URL(node)
  const base = origin + pathname.replace(/\/$/, '') + path
  if (search === '') return query === '' ? base : `${base}?${query}`
  const own = new Set([...new URLSearchParams(search).keys()].map((name) => name.toLowerCase()))
  const others = query.split('&').filter((part) => part !== '' && !own.has(nameOf(part)))
  return `${base}${[search, ...others].join('&')}`
}

const nameOf = (part: string): string => {
  const [name = ''] = new URLSearchParams(part).keys()
  return name.toLowerCase()
}
