import { expect, test } from 'bun:test'

import { Fault } from '../platform/fault.ts'
import { sortedPage } from './pages.ts'

const ids = Array.from({ length: 25 }, (_, index) => `id ${index} ü`)
const own = (id: string): string => id

function read(all: readonly string[], limit: number): string[] {
  const seen: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = sortedPage(all, own, { limit, ...(cursor !== undefined && { cursor }) })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    seen.push(...page.items)
    cursor = page.nextCursor
  }
  return seen
}

test('pages hold everything once, in one order, whatever their size', () => {
  for (const limit of [1, 7, 24, 25, 100]) expect(read(ids.toReversed(), limit)).toEqual(ids.toSorted())
  expect(read([], 10)).toEqual([])
})

test('what was removed between two pages is no end of them', () => {
  const { nextCursor } = sortedPage(ids, own, { limit: 5 })
  const rest = ids.toSorted().slice(5)
  const left = ids.filter((id) => id !== ids.toSorted()[4])
  expect(sortedPage(left, own, { limit: 100, cursor: nextCursor ?? '' }).items).toEqual(rest)
})

test('a cursor that nobody gave is refused', () => {
  for (const cursor of ['!', 'a b', 'YQ=='])
    expect(() => sortedPage(ids, own, { limit: 5, cursor })).toThrow(Fault)
})
