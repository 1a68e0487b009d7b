import type { MethodRules } from './endpoints.ts'
import { isPattern } from './method-pattern.ts'

/** `ordinary`: reads, submissions of what the caller has signed, subscriptions and filters. */
export type MethodGroup = 'ordinary' | 'node-control' | 'key-use' | 'unknown'

/**
 * Whether a method may be called, or why not. `denied` and `not-listed` are what the rules of the endpoint say;
 * `node-control`, `key-use` and `unknown` are the groups that are refused unless the rules open them.
 */
export type MethodAccess = 'allowed' | 'denied' | 'not-listed' | Exclude<MethodGroup, 'ordinary'>

/**
 * Returns what the rules of an endpoint say of a method of a group. Names are case-sensitive, as they are for nodes.
 *
 * `deny` wins. What `allow` names in full is allowed, whatever its group. A pattern (a beginning and `*`) opens neither
 * node control nor key use: who wrote it cannot have looked at every method that it matches. Unknown methods are
 * refused unless `unknown` says otherwise. A blank `allow` allows all others.
 */
export function createMethodAccess(rules: MethodRules): (method: string, group: MethodGroup) => MethodAccess {
  const isDenied = createPatternMatcher(rules.deny)
  const isMatched = createPatternMatcher(rules.allow)
  const named = new Set(rules.allow)
  return (method, group) => {
    if (isDenied(method)) return 'denied'
    if (named.has(method)) return 'allowed'
    if (group === 'node-control' || group === 'key-use') return group
    if (group === 'unknown' && rules.unknown === 'refuse') return group
    return rules.allow.length === 0 || isMatched(method) ? 'allowed' : 'not-listed'
  }
}

/** Returns whether a method is one of the names, or begins like one of the patterns. */
export function createPatternMatcher(patterns: readonly string[]): (method: string) => boolean {
  const names = new Set(patterns.filter((pattern) => !isPattern(pattern)))
  const beginnings = patterns.filter(isPattern).map((pattern) => pattern.slice(0, -1))
  return (method) => names.has(method) || beginnings.some((beginning) => method.startsWith(beginning))
}
