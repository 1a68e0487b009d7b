/**
 * Patterns of REST calls, which stand in place of methods at endpoints whose nodes are not called by JSON-RPC: a method of
 * HTTP and a path, `GET /eth/v1/beacon/headers/*`. `*` is any text within a segment, `**` at the end is all that follows,
 * nothing included. HEAD is GET.
 */

const characters = String.raw`[A-Za-z0-9._~$'()+,=:@!-]*`
const segment = String.raw`/(?=[^/])(?!\.{1,2}(?:/|$))${characters}\*?${characters}`

/** The source of the regular expression of a pattern. No segment is blank, `.` or `..`, or has more than one `*`. */
export const pathPatternSource = String.raw`(?:GET|POST|PUT|PATCH|DELETE) (?:/|(?:${segment})*/\*\*|(?:${segment})+)`

/** Whether an entry of a list is about paths; the names of methods have no blanks. */
export const isPathPattern = (entry: string): boolean => entry.includes(' ')

/** Whether an endpoint with these rules is called by paths. */
export const hasPaths = ({ allow }: { readonly allow: readonly string[] }): boolean =>
  allow.some(isPathPattern)

interface Compiled {
  readonly pattern: string
  readonly method: string
  readonly segments: readonly RegExp[]
  /** Whether more segments may follow. */
  readonly isOpen: boolean
}

/** Returns the first of the patterns that a call matches; null: none does. `segments` are decoded. */
export type FindPathPattern = (method: string, segments: readonly string[]) => string | null

/** `isAnyCase`: letters match in either case, because some servers find paths so. */
export function createPathMatcher(patterns: readonly string[], isAnyCase = false): FindPathPattern {
  const all = patterns.filter(isPathPattern).map((pattern) => compile(pattern, isAnyCase))
  return (method, segments) => {
    const asked = method === 'HEAD' ? 'GET' : method
    return all.find((each) => each.method === asked && matches(each, segments))?.pattern ?? null
  }
}

function compile(pattern: string, isAnyCase: boolean): Compiled {
  const [method = '', path = ''] = pattern.split(' ', 2)
  const segments = segmentsOf(path)
  const isOpen = segments.at(-1) === '**'
  const fixed = isOpen ? segments.slice(0, -1) : segments
  const expressions = fixed.map((each) => new RegExp(`^${sourceOf(each)}$`, isAnyCase ? 'isu' : 'su'))
  return { pattern, method, segments: expressions, isOpen }
}

const sourceOf = (text: string): string => text.split('*').map(RegExp.escape).join('.*')

function matches({ segments, isOpen }: Compiled, asked: readonly string[]): boolean {
  const fits = isOpen ? asked.length >= segments.length : asked.length === segments.length
  return fits && segments.every((expression, index) => expression.test(asked[index] ?? ''))
}

/** Returns the segments of a path. A slash at its end makes no difference. */
export const segmentsOf = (path: string): string[] => path.replace(/\/$/, '').split('/').slice(1)
