import { foldedName } from '../platform/folded-name.ts'

/** A tool of a service, as patterns are compared with it. */
export interface NamedTool {
  readonly serviceId: string
  readonly tool: string
}

/** Whether a pattern covers a tool, in exactly the case that is written. */
export const isCovered = (pattern: string, { serviceId, tool }: NamedTool): boolean =>
  matches(pattern, isOfService(pattern) ? `${serviceId}/${tool}` : tool)

/**
 * The same for what is denied, in any case and any spelling of the same letters: a tool server that is lenient about
 * names must not be a way around a rule.
 */
export const isCoveredInAnyCase = (pattern: string, { serviceId, tool }: NamedTool): boolean =>
  isCovered(folded(pattern), { serviceId: folded(serviceId), tool: folded(tool) })

/** Returns a name as lenient tool servers read it. */
export const folded = (name: string): string => foldedName(name).trim()

/** A pattern with `<category>:<slug>/` before it is never compared with a tool's name alone, which its server chooses. */
const isOfService = (pattern: string): boolean => /^[^/]*:[^/]*\//.test(pattern)

/** Compares with `*` for any characters. No more steps than the product of both lengths, whatever the pattern. */
function matches(pattern: string, name: string): boolean {
  let at = 0
  let from = 0
  let star = -1
  let starAt = 0
  while (at < name.length) {
    if (pattern[from] === '*') {
      star = from
      starAt = at
      from += 1
    } else if (pattern[from] === name[at]) {
      from += 1
      at += 1
    } else if (star >= 0) {
      starAt += 1
      at = starAt
      from = star + 1
    } else {
      return false
    }
  }
  while (pattern[from] === '*') from += 1
  return from === pattern.length
}
