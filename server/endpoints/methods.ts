import type { MethodRules } from '../../shared/endpoints.ts'

/** Returns whether a method may be called. Names are case-sensitive, as they are for nodes. */
export type MethodFilter = (method: string) => boolean

/** `deny` wins over `allow`; a blank `allow` allows what is not denied. A pattern is a name, or its beginning and `*`. */
export function createMethodFilter({ allow, deny }: MethodRules): MethodFilter {
  const isDenied = matcherOf(deny)
  if (allow.length === 0) return (method) => !isDenied(method)
  const isAllowed = matcherOf(allow)
  return (method) => isAllowed(method) && !isDenied(method)
}

function matcherOf(patterns: readonly string[]): MethodFilter {
  const names = new Set(patterns.filter((pattern) => !pattern.endsWith('*')))
  const beginnings = patterns
    .filter((pattern) => pattern.endsWith('*'))
    .map((pattern) => pattern.slice(0, -1))
  return (method) => names.has(method) || beginnings.some((beginning) => method.startsWith(beginning))
}
