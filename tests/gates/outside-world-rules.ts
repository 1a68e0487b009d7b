import { findUses } from './identifiers.ts'
import { isTestFile, type Violation, type Rule } from './rule.ts'
import type { Import, SourceFile } from './source-file.ts'

/** Something of the outside world that few files may touch. */
interface Reserve {
  name: string
  reason: string
  /** Paths, or folders ending with `/`, that may. */
  allowed: readonly string[]
  globals?: readonly string[]
  /** Packages whose value import (not a type) counts as a use. */
  packages?: readonly string[]
  /** Names in those packages that touch nothing. */
  harmlessNames?: readonly string[]
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
      'only the HTTP client dials, what the guard has checked, and the command line one to its own server: anything else would be a way around the address guard',
    allowed: [
      'server/platform/http-client/dial.ts',
      'server/platform/http-client/web-socket-client.ts',
      'server/command-line/control-client.ts',
      'server/platform/http/control-socket.ts',
    ],
    globals: ['fetch', 'Bun.fetch', 'Bun.connect', 'WebSocket'],
    packages: ['node:http', 'node:https', 'node:http2', 'undici'],
    harmlessNames: ['STATUS_CODES', 'METHODS'],
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
    reason: 'only platform/database.ts opens a database; platform/value-file.ts keeps texts by key in a file',
    allowed: ['server/platform/database.ts', 'server/platform/postgres/', 'server/platform/value-file.ts'],
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

function placesIn(file: SourceFile, reserve: Reserve): Violation[] {
  const globals = findUses(file, new Set(reserve.globals ?? []))
  const packages = file.imports.filter((edge) => isReserved(edge, reserve))
  return [
    ...globals.map((use) => ({ file: file.path, line: use.line, what: `uses ${use.text}` })),
    ...packages.map((edge) => ({ file: file.path, line: edge.line, what: `imports ${edge.specifier}` })),
  ]
}

function isReserved(edge: Import, reserve: Reserve): boolean {
  if (edge.typeOnly || !(reserve.packages ?? []).includes(edge.specifier)) return false
  return edge.names.length === 0 || edge.names.some((name) => !(reserve.harmlessNames ?? []).includes(name))
}

export const outsideWorldRules: readonly Rule[] = reserves.map(ruleOf)
