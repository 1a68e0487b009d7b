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
  isSuspended: false,
  expiresAt: null,
  allowedIps: [],
  allowedDomains: [],
  ...more,
})

/** A table in memory, read as the store reads it. */
function memoryOf(rows: Map<string, StoredKey>, duringRead: () => void = () => undefined, mostKeys = 50_000) {
  const heard: (string | null)[] = []
  const memory = createKeyMemory<StoredKey>(
    'query_key',
    {
      async page(after, limit) {
        duringRead()
        const behind = [...rows.values()].filter(({ id }) => id > after)
        return behind.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit)
      },
      findAll: async (ids) => ids.flatMap((id) => rows.get(id) ?? []),
      hasMoreThan: async (count) => rows.size > count,
    },
    mostKeys,
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

const many = (count: number) => Array.from({ length: count }, (_, place) => stored(`k${place}`))

/** Keeps a key as a look-up does that found it in the database. */
const keep = (memory: ReturnType<typeof memoryOf>['memory'], key: StoredKey): void => memory.beginRead()(key)

test('with more keys than it holds, it is not complete, and keeps those that are used', async () => {
  const keys = many(100)
  const { memory, heard } = memoryOf(table(...keys), undefined, 10)
  await memory.reload()
  expect(memory.isComplete()).toBe(false)
  expect(heard).toEqual([null])
  const [used] = keys
  if (used === undefined) throw new Error('no key')
  for (const key of keys) {
    keep(memory, key)
    expect(memory.find(used.keyHash)?.key).toBe(used)
  }
  const held = keys.filter(({ keyHash }) => memory.find(keyHash) !== null)
  expect(held.length).toBeGreaterThan(4)
  expect(held.length).toBeLessThanOrEqual(10)
  await memory.reload()
  expect(held.every(({ keyHash }) => memory.find(keyHash) !== null)).toBe(true)
})

test('it is complete no longer once one key more is made than it holds, and again when they are few', async () => {
  const rows = table(...many(10))
  const { memory } = memoryOf(rows, undefined, 10)
  await memory.reload()
  expect(memory.isComplete()).toBe(true)
  rows.set('one more', stored('one more'))
  await memory.refresh(['one more'])
  expect(memory.isComplete()).toBe(false)
  expect(memory.find('hash of one more')?.key.id).toBe('one more')
  rows.delete('k1')
  await memory.reload()
  expect(memory.isComplete()).toBe(true)
})

test('what was read before a change was applied is not kept', async () => {
  const [key] = many(1)
  if (key === undefined) throw new Error('no key')
  const rows = table(key)
  const { memory } = memoryOf(rows, undefined, 0)
  await memory.reload()
  const keepRead = memory.beginRead()
  rows.set(key.id, { ...key, isEnabled: false })
  await memory.refresh([key.id])
  keepRead(key)
  expect(memory.find(key.keyHash)?.key.isEnabled).not.toBe(true)
})
