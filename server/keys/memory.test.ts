import { expect, test } from 'bun:test'

import { createKeyMemory } from './memory.ts'
import type { StoredKey } from './stored-key.ts'

const stored = (id: string, more: Partial<StoredKey> = {}): StoredKey => ({
  id,
  accountId: 'acc_1',
  name: id,
  keyHash: `hash of ${id}`,
  hint: '',
  previous: null,
  createdAt: 0,
  isEnabled: true,
  expiresAt: null,
  allowedIps: [],
  allowedDomains: [],
  ...more,
})

/** A table in memory, read as the store reads it. */
function memoryOf(rows: Map<string, StoredKey>, duringRead: () => void = () => undefined) {
  const heard: string[] = []
  const memory = createKeyMemory<StoredKey>(
    'query_key',
    {
      async page(after, limit) {
        duringRead()
        const behind = [...rows.values()].filter(({ id }) => id > after)
        return behind.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit)
      },
      findAll: async (ids) => ids.flatMap((id) => rows.get(id) ?? []),
    },
    (id) => heard.push(id),
  )
  return { memory, heard }
}

const table = (...keys: StoredKey[]) => new Map(keys.map((key) => [key.id, key]))

test('all pages are read', async () => {
  const rows = table(...Array.from({ length: 4_500 }, (_, place) => stored(`k${place}`)))
  const { memory } = memoryOf(rows)
  await memory.reload()
  for (const id of rows.keys()) expect(memory.find(`hash of ${id}`)?.key.id).toBe(id)
})

test('a key is found by its value and by the one before, which says when that ends', async () => {
  const previous = { hash: 'old', hint: '', endsAt: 7 }
  const { memory } = memoryOf(table(stored('a', { keyHash: 'new', previous })))
  await memory.reload()
  expect(memory.find('new')).toMatchObject({ key: { id: 'a' }, replacedAt: null })
  expect(memory.find('old')).toMatchObject({ key: { id: 'a' }, replacedAt: 7 })
})

test('a refresh forgets what is gone, also hashes that a key had, and tells of each key', async () => {
  const rows = table(stored('a'), stored('b'), stored('c'))
  const { memory, heard } = memoryOf(rows)
  await memory.reload()
  rows.delete('a')
  rows.set('b', stored('b', { keyHash: 'another' }))
  rows.set('d', stored('d'))
  await memory.refresh(['a', 'b', 'd'])
  expect(['hash of a', 'hash of b', 'another', 'hash of c', 'hash of d'].map((hash) => memory.find(hash)?.key.id))
    .toEqual([undefined, undefined, 'b', 'c', 'd']) // prettier-ignore
  expect(heard).toEqual(['a', 'b', 'd'])
})

test('while all are read anew, what was known stands; then it is told of', async () => {
  const rows = table(stored('a'), stored('b'))
  const seen: (string | undefined)[] = []
  const { memory, heard } = memoryOf(rows, () => seen.push(memory.find('hash of a')?.key.id))
  await memory.reload()
  rows.delete('a')
  await memory.reload()
  expect(seen).toEqual([undefined, 'a'])
  expect(memory.find('hash of a')).toBeNull()
  expect(heard).toEqual(['a', 'b'])
})
