import ts from 'typescript'

import { isTestFile, type Rule } from './rule.ts'
import { type SourceFile, walk } from './source-file.ts'

/** What a person or a package script starts. */
const programs = new Set([
  'server/main.ts',
  'server/verifier/main.ts',
  'server/workers/worker.ts',
  'server/command-line/main.ts',
  'console/main.ts',
  'console/vite.config.ts',
  'console/test-support/kitchen-sink/main.ts',
  'scripts/client/client.ts',
])

const isScript = (path: string): boolean =>
  /^scripts\/[^/]+\.ts$/.test(path) || path === 'scripts/bench/run.ts'

/** Files of the product must be reached from a program or a script: what only tests use is dead. */
export const noDeadFiles: Rule = {
  name: 'no-dead-files',
  reason: 'nothing that runs reaches this file: use it or delete it',
  find: (files) => {
    const paths = files.map((file) => file.path)
    const shipped = reach(
      files,
      paths.filter((path) => programs.has(path) || isScript(path)),
    )
    const tried = reach(
      files,
      paths.filter((path) => path.endsWith('.test.ts')),
    )
    return paths
      .filter((path) => !shipped.has(path) && !(isOfTests(path) && tried.has(path)))
      .map((path) => ({ file: path, line: 1, what: 'is dead' }))
  },
}

/** Fakes, fixtures and generators serve tests, wherever they stand. */
const isOfTests = (path: string): boolean =>
  isTestFile(path) || path.startsWith('scripts/world/') || /(?:^|\/)(?:fixtures?|arbitraries)[/.]/.test(path)

function reach(files: readonly SourceFile[], entries: readonly string[]): Set<string> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const reached = new Set(entries)
  for (const path of reached) {
    const file = byPath.get(path)
    if (file === undefined) continue
    for (const target of [...importsOf(file), ...pathsNamedIn(file, byPath.keys())]) {
      if (byPath.has(target)) reached.add(target)
    }
  }
  return reached
}

const importsOf = (file: SourceFile): string[] => file.imports.flatMap((edge) => edge.target ?? [])

// Scripts and tests also name files by path or pattern: '--preload=./tests/support/preload.ts', './server/*/tables.ts'.
function pathsNamedIn(file: SourceFile, known: Iterable<string>): string[] {
  if (!file.path.startsWith('scripts/') && !isTestFile(file.path)) return []
  const named: string[] = []
  walk(file.syntax, (node) => {
    if (!ts.isStringLiteralLike(node)) return
    const path = /^(?:--[a-z]+=)?(?:\.\/)?([\w-]+\/[\w./*-]+\.ts)$/.exec(node.text)?.[1]
    if (path === undefined) return
    named.push(...(path.includes('*') ? [...known].filter((candidate) => isLike(candidate, path)) : [path]))
  })
  return named
}

const isLike = (path: string, pattern: string): boolean => new Bun.Glob(pattern).match(path)
