import { expect, test } from 'bun:test'

import { nextSort, sortRows } from './sort-rows.ts'
import type { Column, Sort } from './sort-rows.ts'

interface Key {
  name: string
  uses: number | null
}

const columns: Column<Key>[] = [
  { key: 'name', title: 'Name', value: ({ name }) => name },
  { key: 'uses', title: 'Uses', value: ({ uses }) => uses },
  { key: 'menu', title: 'Menu' },
]
const rows: Key[] = [
  { name: 'key 10', uses: 3 },
  { name: 'Key 9', uses: null },
  { name: 'älter', uses: 20 },
]

test.each<[Sort | null, string[]]>([
  [null, ['key 10', 'Key 9', 'älter']],
  [{ key: 'name', direction: 'ascending' }, ['älter', 'Key 9', 'key 10']],
  [{ key: 'name', direction: 'descending' }, ['key 10', 'Key 9', 'älter']],
  [{ key: 'uses', direction: 'ascending' }, ['key 10', 'älter', 'Key 9']],
  [{ key: 'uses', direction: 'descending' }, ['älter', 'key 10', 'Key 9']],
  [{ key: 'menu', direction: 'ascending' }, ['key 10', 'Key 9', 'älter']],
])('sorted by %j', (sort, names) => {
  expect(sortRows(rows, columns, sort).map(({ name }) => name)).toEqual(names)
  expect(rows[0]?.name).toBe('key 10')
})

test('a title sorts upwards, then downwards, then upwards again', () => {
  const name = { key: 'name' }
  const first = nextSort(null, name)
  const second = nextSort(first, name)
  expect([first, second, nextSort(second, name), nextSort(first, { key: 'uses' })]).toEqual([
    { key: 'name', direction: 'ascending' },
    { key: 'name', direction: 'descending' },
    { key: 'name', direction: 'ascending' },
    { key: 'uses', direction: 'ascending' },
  ])
})

test('a title of numbers of which the greatest matter sorts downwards first', () => {
  const uses = { key: 'uses', isGreatestFirst: true }
  const first = nextSort(null, uses)
  expect([first, nextSort(first, uses)]).toEqual([
    { key: 'uses', direction: 'descending' },
    { key: 'uses', direction: 'ascending' },
  ])
})
