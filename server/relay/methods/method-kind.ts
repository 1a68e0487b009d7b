import type { Family } from '../../../shared/chains.ts'
import { methodsByFamily } from './methods-by-family.ts'

/**
 * - `read`: asking twice changes nothing, and every node can answer it.
 * - `stateful`: only the node knows of it that was asked before, such as a filter.
 * - `write`: anything else. Of a method that nobody listed, nothing good is assumed.
 */
export type MethodKind = 'read' | 'stateful' | 'write'

export function methodKind(family: Family, method: string): MethodKind {
  const { reads, writes, stateful } = methodsByFamily[family]
  if (isListed(stateful, method)) return 'stateful'
  return isListed(reads, method) && !isListed(writes, method) ? 'read' : 'write'
}

const isListed = (patterns: readonly string[], method: string): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? method.startsWith(pattern.slice(0, -1)) : method === pattern,
  )
