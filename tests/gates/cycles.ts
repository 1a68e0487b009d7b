import type { Violation, Rule } from './rule.ts'
import type { SourceFile } from './source-file.ts'

/** No cycle of imports, type-only ones included. Each cycle is printed once, as the path that closes it. */
export const noCycles: Rule = {
  name: 'no-cycles',
  reason:
    'files that import each other in a circle cannot be read or moved one by one, even if only types are meant',
  find: (files) => findCycles(files).map((cycle) => describeCycle(cycle, files)),
}

type Graph = Map<string, string[]>

/** Walks the graph depth first; an edge back to a file that is still being walked closes a cycle. */
export function findCycles(files: readonly SourceFile[]): string[][] {
  const graph = graphOf(files)
  const finished = new Set<string>()
  const path: string[] = []
  const cycles: string[][] = []

  function enter(file: string): void {
    if (finished.has(file)) return
    const start = path.indexOf(file)
    if (start >= 0) {
      cycles.push([...path.slice(start), file])
      return
    }
    path.push(file)
    for (const target of graph.get(file) ?? []) enter(target)
    path.pop()
    finished.add(file)
  }

  for (const file of graph.keys()) enter(file)
  return cycles
}

function graphOf(files: readonly SourceFile[]): Graph {
  const known = new Set(files.map((file) => file.path))
  const isKnown = (target: string | null): target is string => target !== null && known.has(target)
  return new Map(files.map((file) => [file.path, file.imports.map((edge) => edge.target).filter(isKnown)]))
}

function describeCycle(cycle: string[], files: readonly SourceFile[]): Violation {
  const [first = '', second = ''] = cycle
  const edge = files
    .find((file) => file.path === first)
    ?.imports.find((candidate) => candidate.target === second)
  return { file: first, line: edge?.line ?? 1, what: cycle.join(' -> ') }
}
