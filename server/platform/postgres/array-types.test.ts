import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import { formatArray, parseArray } from './array-types.ts'

let own: TestDatabase

beforeAll(async () => {
  own = await testDatabase()
})

afterAll(() => own.drop())

// PostgreSQL's text cannot hold a NUL character.
const text = fc.string({ unit: 'binary', maxLength: 12 }).map((value) => value.replaceAll('\0', ''))

test('what is formatted is parsed back', () => {
  fc.assert(
    fc.property(fc.array(fc.option(text), { maxLength: 6 }), (elements) => {
      expect(parseArray(formatArray(elements))).toEqual(elements)
    }),
  )
})

test('the server gives back every text as it was', async () => {
  const lists = fc.array(fc.option(text), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(lists, async (elements) => {
      const [row] = await own.database.run((sql) => sql`select ${elements}::text[] as list`)
      expect(row?.['list']).toEqual(elements)
    }),
    { numRuns: 200 },
  )
})

type Element = string | number | null | { a: (string | null)[] }

describe('the types of elements', () => {
  const at = new Date('2026-01-02T03:04:05.678Z')
  test.each([
    ['int[]', [1, -2, null], [1, -2, null]],
    ['smallint[]', [7], [7]],
    ['bigint[]', ['1152921504606846976', 5], ['1152921504606846976', '5']],
    ['real[]', [0.5], [0.5]],
    ['float8[]', [1.25, -1e300], [1.25, -1e300]],
    ['bool[]', ['true', 'f', null], [true, false, null]],
    ['timestamptz[]', [at.toISOString()], [at]],
    ['bytea[]', [String.raw`\x00ff`], [Buffer.from([0, 255])]],
    ['jsonb[]', [{ a: ['"', null] }], [{ a: ['"', null] }]],
    ['uuid[]', ['00000000-0000-4000-8000-000000000000'], ['00000000-0000-4000-8000-000000000000']],
    ['inet[]', ['10.0.0.1'], ['10.0.0.1']],
    ['text[]', [], []],
    ['text[]', ['NULL', 'null', '', '{}', '"', '\\'], ['NULL', 'null', '', '{}', '"', '\\']],
  ] as [string, Element[], unknown[]][])('%s', async (type, given, expected) => {
    const [row] = await own.database.run((sql) =>
      sql.unsafe(`select $1::${type} as list`, [given], { prepare: true }),
    )
    expect(row?.['list']).toEqual(expected)
  })

  test('membership', async () => {
    const ids = ['a', 'c']
    const rows = await own.database.run(
      (sql) => sql`select * from (values ('a'), ('b')) as t(id) where id = any(${ids})`,
    )
    expect([...rows]).toEqual([{ id: 'a' }])
  })

  test('undefined is a mistake', () => {
    expect(() => formatArray([undefined])).toThrow(TypeError)
  })
})
