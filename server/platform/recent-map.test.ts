import { expect, test } from 'bun:test'

import { RecentMap } from './recent-map.ts'

test('what was set longest ago is forgotten', () => {
  const map = new RecentMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4])
  map.delete('a')
  expect(map.get('a')).toBeUndefined()
})

test('it holds exactly as many as it may, and one that is set again makes no other one leave', () => {
  const map = new RecentMap<string, number>(3)
  for (const key of ['a', 'b', 'c']) map.set(key, 1)
  expect([...map.keys()]).toEqual(['a', 'b', 'c'])
  map.set('a', 2)
  expect([...map]).toEqual([
    ['b', 1],
    ['c', 1],
    ['a', 2],
  ])
  map.set('d', 1)
  expect([...map.keys()]).toEqual(['c', 'a', 'd'])
})
