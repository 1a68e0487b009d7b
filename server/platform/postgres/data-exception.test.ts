import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import { Fault } from '../fault.ts'
import type { Sql } from '../database.ts'
import { dataException } from './data-exception.ts'

let own: TestDatabase

beforeAll(async () => {
  own = await testDatabase()
})

afterAll(() => own.drop())

const statements: [string, (sql: Sql) => Promise<unknown>][] = [
  ['a NUL in a text', async (sql) => sql`select ${'a\0b'}::text`],
  ['half of a surrogate pair in JSON', async (sql) => sql`select ${String.raw`"\ud800"`}::text::jsonb`],
  ['a number beyond its column', async (sql) => sql`select ${'99999999999'}::text::int`],
  ['an instant of a year with five digits', async (sql) => sql`select ${'+275760-09-13'}::text::timestamptz`],
]

test.each(statements)(
  '%s is a refusal of the request, outside and inside a transaction',
  async (_what, work) => {
    // One after the other: a second attempt that fails while the first is waited for would be an unhandled rejection.
    for (const attempt of [() => own.database.run(work), () => own.database.transaction(work)]) {
      const thrown = await attempt().then(
        () => null,
        (error: unknown) => error,
      )
      expect(thrown).toBeInstanceOf(Fault)
      expect(thrown).toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('cannot be stored'),
      })
    }
  },
)

test.each(['23505', '42P01', '08006', 'ECONNREFUSED', '2'])('%s is another matter', (code) => {
  expect(dataException(Object.assign(new Error('a failure'), { code }))).toBeNull()
})
