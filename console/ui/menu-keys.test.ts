import { expect, test } from 'bun:test'

import { itemForKey } from './menu-keys.ts'

const titles = ['Edit', 'Rotate', 'Enable', 'Delete']

test.each<[key: string, current: number, expected: number | null]>([
  ['ArrowDown', -1, 0],
  ['ArrowDown', 3, 0],
  ['ArrowUp', 0, 3],
  ['ArrowUp', 2, 1],
  ['Home', 2, 0],
  ['End', 0, 3],
  ['e', 0, 2],
  ['E', 2, 0],
  ['d', -1, 3],
  ['x', 0, null],
  ['Tab', 0, null],
])('%s from %d goes to %p', (key, current, expected) => {
  expect(itemForKey(key, titles, current)).toBe(expected)
})

test('an empty menu has nowhere to go', () => {
  expect(itemForKey('ArrowDown', [], -1)).toBeNull()
})
