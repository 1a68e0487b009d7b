import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'

import { ErrorResponse } from '../../shared/faults.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { commandOf } from '../../scripts/world/product-programs.ts'
import { projectDir, startProgram } from '../../scripts/world/program.ts'
import { enrolWireVerifier } from '../../scripts/world/wire-verifier.ts'
import { covers } from '../support/covers.ts'

/** Threats 61 and 63 of the design: what is sent is data in the log and in the database, never form or statement. */

/** New lines, a forged line, what steers a terminal, direction marks, and the line ends of JavaScript. */
const forged =
  '\r\n{"level":"error","msg":"forged"}\n\u001b[31mred\u001b]0;title\u0007\u009b31m\u202e\u2028\u2066end'
const statements = [
  `'; DROP TABLE services; --`,
  `" OR 1=1 --`,
  String.raw`\'; SELECT pg_sleep(10); --`,
  `$1 $$ $tag$; COMMIT; DELETE FROM verifiers; $tag$`,
  `%27%20OR%201%3D1`,
  `{"a":1}::jsonb || '`,
  String.fromCodePoint(0x1f_98a),
] // prettier-ignore

let database: TestDatabase
let installation: TestInstallation
let server: GatehouseProcess

beforeAll(async () => {
  database = await testDatabase()
  installation = await createTestInstallation({ verifiers: { builtIn: false } })
  server = await installation.start({ DATABASE_URL: database.url, GATEHOUSE_LOG_LEVEL: 'debug' })
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  await database?.drop()
})

const service = (name: string) =>
  ({ name, family: 'http', provider: name, endpoint: 'http://127.0.0.1:1/' }) as const
const add = (name: string) => server.operator.services.add.mutate({ ...service(name), policy: {} })

async function enrol(name: string): Promise<void> {
  const { token } = await server.operator.verifiers.createToken.mutate({ label: name.slice(0, 100) })
  await enrolWireVerifier(server.url, token, name)
}

const tableCount = async () => (await database.database.run((sql) => sql`SELECT 1 FROM pg_tables`)).length

async function refusal(path: string, init?: RequestInit): Promise<number> {
  const response = await fetch(server.url + path, init)
  expect(ErrorResponse.safeParse(await response.json()).success).toBe(true)
  return response.status
}

describe('SQL', () => {
  covers('threat-63')
  test('in a name, a label or a note is kept as what it is', async () => {
    const before = await tableCount()
    for (const statement of statements) {
      const { id } = await add(statement)
      await server.operator.services.startMaintenance.mutate({ id, until: null, note: statement })
      await server.operator.services.endMaintenance.mutate({ id })
      await enrol(statement)
    }
    const kept = statements.map((statement) => Buffer.from(statement).toString())
    expect((await server.operator.services.list.query()).map(({ name }) => name)).toEqual(expect.arrayContaining(statements.slice(0, 6))) // prettier-ignore
    const names = await database.database.run((sql) => sql<{ name: string }[]>`SELECT name FROM verifiers`)
    expect(names.map(({ name }) => name).sort()).toEqual(kept.sort())
    expect(await tableCount()).toBe(before)
  })

  test('in an id, a path or a query is refused or not found, and changes nothing', async () => {
    const before = await tableCount()
    for (const statement of statements.slice(0, 6)) {
      const part = encodeURIComponent(statement)
      expect(await refusal(`/health/${part}`)).toBe(400)
      expect(await refusal(`/health/x/history?range=${part}`)).toBe(422)
      expect(await refusal(`/badge/${part}.svg`)).toBe(400)
      const headers = { 'verifier-id': part, 'verifier-time': '0', 'verifier-signature': part }
      expect(await refusal('/v1/verifiers/me/assignments', { headers })).toBe(401)
      const input = { id: statement }
      expect(server.operator.services.remove.mutate(input)).rejects.toThrow()
      expect(server.operator.verifiers.revoke.mutate(input)).rejects.toThrow(
        /no such verifier|id: expected an id of/,
      )
    }
    expect(await tableCount()).toBe(before)
  })

  test('has no say in what is told of values that PostgreSQL does not store', async () => {
    const { id } = await add('target')
    const { startMaintenance } = server.operator.services
    const attempts = [
      () => add('a\0b'),
      () => add('a\ud800b'),
      () => enrol('a\0b'),
      () => server.operator.verifiers.createToken.mutate({ label: 'a\0b' }),
      () => startMaintenance.mutate({ id, until: null, note: 'a\0b' }),
      () => startMaintenance.mutate({ id, until: Number.MAX_SAFE_INTEGER, note: '' }),
    ]
    for (const attempt of attempts) {
      const answer = await attempt().then(() => 'done', String) // prettier-ignore
      expect(answer).not.toBe('done')
      expect(answer).not.toMatch(/byte sequence|Invalid Date|INSERT|UTF8|\bsql\b/i)
    }
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  test('is never put together from what somebody sent', () => {
    const places = [...new Bun.Glob('server/**/*.ts').scanSync(projectDir)]
      .filter((path) => !path.endsWith('.test.ts'))
      .flatMap((path) => unsafeCalls(path))
    const unexpected = places.filter(
      ({ path, text }) => !(allowed[path] ?? []).some((form) => text.startsWith(form)),
    )
    expect(unexpected).toEqual([])
    const forms = Object.entries(allowed).flatMap(([path, texts]) => texts.map((form) => ({ path, form })))
    const isUsed = ({ path, form }: (typeof forms)[number]) =>
      places.some((place) => place.path === path && place.text.startsWith(form))
    expect(forms.filter((allowance) => !isUsed(allowance))).toEqual([])
  })
})

/**
 * Statements that PostgreSQL does not take parameters in. All names in them are our own: of tables and partitions
 * from constants and days, or from a backup's header, whose names match `SqlName`.
 */
const allowed: Record<string, string[]> = {
  'server/platform/postgres/connections.ts': ['`listen "${channel.replaceAll('], // a constant of the caller, quoted
  'server/platform/postgres/migrate.ts': ['statement)'], // of a file in server/migrations
  'server/backup/restore.ts': ['`LOCK TABLE ${nameList(ownTables)}', '`TRUNCATE ${nameList(ownTables)}', '`CREATE TABLE IF NOT EXISTS'], // names of the header
  'server/backup/copy-in.ts': ['`COPY "${name}" (${nameList(columns)})'], // names of the header
  'server/backup/dump.ts': [`'COMMIT; BEGIN ISOLATION LEVEL`, '`COPY (SELECT ${nameList(columns)}'], // of the catalogue
} // prettier-ignore

/** Everything that is run without parameters: `sql.unsafe(…)`, and raw parts in drizzle's `sql`. */
function unsafeCalls(path: string): { path: string; text: string }[] {
  const source = readFileSync(`${projectDir}/${path}`, 'utf8')
  return [...source.matchAll(/\.(?:unsafe|raw)\(\s*/g)].map(({ index, 0: call }) => ({
    path,
    text: source.slice(index + call.length, index + call.length + 60),
  }))
}

describe('line ends and escape sequences', () => {
  covers('threat-61')
  test('are sent in every header, path and field', async () => {
    const escaped = encodeURIComponent(forged)
    // HTTP itself refuses them in a header as they are; what a client may write is their UTF-8, and their escapes.
    const value = `${forged.replaceAll(/[\r\n]/g, ' ').replaceAll(/[^\x20-\x7e]/g, '')} \x9b31m ${escaped}`
    const names = ['user-agent', 'x-request-id', 'x-forwarded-for', 'origin', 'referer', 'cookie', 'authorization', 'verifier-id', 'verifier-time', 'verifier-signature', 'if-none-match', 'content-type'] // prettier-ignore
    const headers = Object.fromEntries(names.map((name) => [name, value]))
    for (const path of [
      `/${escaped}`,
      `/health/${escaped}`,
      `/health/x/history?${escaped}=${escaped}`,
      '/v1/verifiers/me/assignments',
    ]) {
      expect(await refusal(path, { headers })).toBeOneOf([400, 401, 404, 422])
      expect(await refusal(path, { method: 'POST', headers, body: forged })).toBeOneOf([400, 404, 405, 415])
    }
    const body = JSON.stringify({ [forged]: forged, token: forged, name: forged })
    const json = { 'content-type': 'application/json' }
    expect(await refusal('/v1/verifiers/enroll', { method: 'POST', headers: json, body })).toBe(422)
    expect(enrol(forged)).rejects.toThrow('text without control, invisible or direction-changing characters')
    expect(add(forged)).rejects.toThrow('text without control, invisible or direction-changing characters')
  })

  test('never make a second line of the log, nor steer a terminal', async () => {
    const lines = server.output().split('\n').filter((line) => line.startsWith('{')) // prettier-ignore
    expect(lines.length).toBeGreaterThan(20)
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
    const entries = lines.map((line) => JSON.parse(line) as { level: string; msg: string })
    expect(entries.filter(({ msg }) => msg === 'forged')).toEqual([])
    expect(entries.filter(({ msg }) => msg === 'verifier enrolled').length).toBe(statements.length)
    expect(server.output()).not.toMatch(steering)
  })

  test.each(['services list', 'verifiers list'])(
    'do not reach the terminal of who asks for %s',
    async (command) => {
      const args = command.split(' ')
      const program = startProgram([...commandOf('server/command-line/main.ts'), ...args], {
        GATEHOUSE_DATA_DIR: installation.dataDir,
      })
      expect(await program.exited).toBe(0)
      expect(program.output()).toContain('DROP TABLE')
      expect(program.output()).not.toMatch(steering)
      expect(program.output()).not.toMatch(/^\{"level"/m)
    },
  )
})

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029\u2066-\u2069]/
