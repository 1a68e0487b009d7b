import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import { containsText } from './contains-text.ts'

let own: TestDatabase

beforeAll(async () => {
  own = await testDatabase()
})

afterAll(() => own.drop())

async function contains(text: string | null, part: string): Promise<boolean | null> {
  const [row] = await own.database.run(
    (sql) => sql<{ found: boolean | null }[]>`SELECT ${containsText(sql, sql`${text}::text`, part)} AS found`,
  )
  return row?.found ?? null
}

test.each([
  ['Über-Bot', 'über'],
  ['über-bot', 'ÜBER-B'],
  ['ZÜRICH', 'Zürich'],
  ['Ключ сервера', 'ключ С'],
  ['Élan', 'éLAN'],
  ['ΟΔΟΣ', 'οδος'],
  ['STRAẞE', 'straẞe'],
  ['Straße', 'straße'],
  ['İstanbul', 'İSTANBUL'],
  ['𐐀𐐁', '𐐨𐐩'],
  ['100 %_\\', '%_\\'],
])('%s contains %s', async (text, part) => {
  expect(await contains(text, part)).toBe(true)
})

test.each([
  ['Zurich', 'zü'],
  ['ab', 'abc'],
  ['ab', 'ba'],
  ['100', '%'],
])('%s does not contain %s', async (text, part) => {
  expect(await contains(text, part)).toBe(false)
})

test('of no text it is unknown', async () => {
  expect(await contains(null, 'a')).toBeNull()
})

test('every text contains each of its parts', async () => {
  // PostgreSQL's text cannot hold a NUL character, and its driver no half of a pair.
  const letters = fc.array(
    fc.oneof(
      fc.constantFrom('a', 'Z', 'İ', 'ı', 'ſ', 'ß', 'ẞ', 'Dž', 'ς', 'Σ', 'K', '%', ' '),
      fc
        .string({ unit: 'binary', minLength: 1, maxLength: 1 })
        .filter((letter) => letter !== '\0' && letter.isWellFormed()),
    ),
    { maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(letters, fc.nat(12), fc.nat(12), async (text, from, length) => {
      const part = text.slice(from, from + length).join('')
      expect(await contains(text.join(''), part)).toBe(true)
    }),
    { numRuns: 200 },
  )
})
