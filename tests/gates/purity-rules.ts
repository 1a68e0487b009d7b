import { basename } from 'node:path/posix'

import { findUses } from './identifiers.ts'
import { isTestFile, type Violation, type Rule } from './rule.ts'
import type { Import, SourceFile } from './source-file.ts'

/** Folders in which every file is pure. */
const pureFolders = ['shared/', 'server/health/decide/', 'server/limits/window/']

/** Verbs of decisions: a file of the server with such a name is pure, wherever it stands. */
const pureNames = new Set([
  'actions',
  'admit',
  'aggregate',
  'check',
  'choose',
  'credentials-precedence',
  'decide',
  'merge',
  'parse',
  'price',
  'rank',
  'rollup',
  'search',
])

const impurePackages = [
  /^bun(:|$)/,
  /^node:/,
  /^(elysia|postgres|pino|prom-client|ioredis)$/,
  /^drizzle-orm(\/|$)/,
  /^@trpc\//,
]

const impureGlobals = new Set([
  'Bun',
  'Date.now',
  'Math.random',
  'crypto',
  'fetch',
  'new Date()',
  'performance',
  'process',
  'setInterval',
  'setTimeout',
])

export function isPure(path: string): boolean {
  if (isTestFile(path)) return false
  if (pureFolders.some((folder) => path.startsWith(folder))) return true
  return path.startsWith('server/') && pureNames.has(basename(path, '.ts'))
}

const reason = 'pure files take time, randomness and everything else as arguments: values in, values out'

const pureImports: Rule = {
  name: 'pure-imports',
  reason,
  find: (files) =>
    pureFilesOf(files).flatMap((file) =>
      valueImports(file)
        .filter(isImpureImport)
        .map((edge) => ({
          file: file.path,
          line: edge.line,
          what: `imports ${edge.target ?? edge.specifier}`,
        })),
    ),
}

const valueImports = (file: SourceFile): Import[] => file.imports.filter((edge) => !edge.typeOnly)

function isImpureImport(edge: Import): boolean {
  if (edge.target !== null) return basename(edge.target) === 'store.ts'
  return impurePackages.some((pattern) => pattern.test(edge.specifier))
}

const pureCalls: Rule = {
  name: 'pure-calls',
  reason,
  find: (files) => pureFilesOf(files).flatMap(impureUses),
}

const impureUses = (file: SourceFile): Violation[] =>
  findUses(file, impureGlobals).map((use) => ({ file: file.path, line: use.line, what: `uses ${use.text}` }))

/** The pure files and all that they take values from: what those do, the pure ones do. */
function pureFilesOf(files: readonly SourceFile[]): SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const reached = new Set(files.filter((file) => isPure(file.path)))
  for (const file of reached) {
    for (const edge of valueImports(file)) {
      const target = byPath.get(edge.target ?? '')
      if (target !== undefined) reached.add(target)
    }
  }
  return [...reached]
}

export const purityRules: readonly Rule[] = [pureImports, pureCalls]
