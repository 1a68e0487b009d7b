import { findUses } from './identifiers.ts'
import { isTestFile, type Place, type Rule } from './rule.ts'
import type { SourceFile } from './source-file.ts'

/** Something of the outside world that few files may touch. */
interface Reserve {
  name: string
  reason: string
  /** Paths, or folders ending with `/`, that may. */
  allowed: readonly string[]
  globals?: readonly string[]
  /** Packages whose value import (not a type) counts as a use. */
  packages?: readonly string[]
}

const reserves: readonly Reserve[] = [
  {
    name: 'environment-in-one-place',
    reason: 'only server/config/env.ts reads the environment; everything else gets values',
    allowed: ['server/config/env.ts'],
    globals: ['process.env', 'Bun.env', 'import.meta.env'],
  },
  {
    name: 'one-guarded-fetch',
    reason:
      'only platform/egress.ts and relay/forward.ts open connections: anything else would be a way around the address guard',
    allowed: ['server/platform/egress.ts', 'server/platform/egress/', 'server/relay/'],
    globals: ['fetch', 'Bun.fetch', 'Bun.connect', 'WebSocket'],
    packages: ['node:http', 'node:https', 'node:http2', 'undici'],
  },
  {
    name: 'one-clock',
    reason:
      'only platform/clock.ts reads the clock; everything else gets a Clock or an instant, so that tests can move time',
    allowed: ['server/platform/clock.ts'],
    globals: [
      'Date.now',
      'new Date()',
      'performance.now',
      'performance.timeOrigin',
      'process.hrtime',
      'Bun.nanoseconds',
    ],
  },
  {
    name: 'one-database',
    reason: 'only platform/database.ts opens a database',
    allowed: ['server/platform/database.ts', 'server/platform/postgres/'],
    globals: ['Bun.sql', 'Bun.SQL'],
    packages: ['postgres', 'drizzle-orm/postgres-js', 'bun:sqlite', 'pg'],
  },
]

function ruleOf(reserve: Reserve): Rule {
  return {
    name: reserve.name,
    reason: reserve.reason,
    find: (files) =>
      files.filter((file) => isRuled(file.path, reserve)).flatMap((file) => placesIn(file, reserve)),
  }
}

function isRuled(path: string, reserve: Reserve): boolean {
  const isProduct = path.startsWith('server/') || path.startsWith('shared/')
  return isProduct && !isTestFile(path) && !reserve.allowed.some((allowed) => matchesPath(path, allowed))
}

/** A folder is written with a `/` at its end. */
const matchesPath = (path: string, allowed: string): boolean =>
  allowed.endsWith('/') ? path.startsWith(allowed) : path === allowed

function placesIn(file: SourceFile, reserve: Reserve): Place[] {
  const globals = findUses(file, new Set(reserve.globals ?? []))
  const packages = file.imports.filter(
    (edge) => !edge.typeOnly && (reserve.packages ?? []).includes(edge.specifier),
  )
  return [
    ...globals.map((use) => ({ file: file.path, line: use.line, what: `uses ${use.text}` })),
    ...packages.map((edge) => ({ file: file.path, line: edge.line, what: `imports ${edge.specifier}` })),
  ]
}

export const outsideWorldRules: readonly Rule[] = reserves.map(ruleOf)
