import { describe, expect, test } from 'bun:test'

import { boundedTo, reaches, withNewestPage, withOlderPage, withoutRepetition } from './record-list.ts'

const rowsOf = (newest: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(newest - index) }))
const idsOf = ({ rows }: { readonly rows: readonly { readonly id: string }[] }) =>
  rows.map(({ id }) => Number(id))

/** A page of three from this one on, of records that go down to 1. */
const pageFrom = (newest: number) => ({
  rows: rowsOf(newest, Math.min(3, newest)),
  cursor: newest > 3 ? newest - 2 : null,
})

describe('the first page, read anew', () => {
  const known = withOlderPage(pageFrom(20), pageFrom(17))

  test('goes before what is known', () => {
    const list = withNewestPage(known, pageFrom(22))
    expect(idsOf(list)).toEqual([22, 21, 20, 19, 18, 17, 16, 15])
    expect(list.cursor).toBe(15)
  })

  test('stands alone where more came than it holds, and what is older is read again', () => {
    const list = withNewestPage(known, pageFrom(30))
    expect(idsOf(list)).toEqual([30, 29, 28])
    expect(idsOf(withOlderPage(list, pageFrom(27)))).toEqual([30, 29, 28, 27, 26, 25])
    expect(reaches(pageFrom(30), known.rows)).toBeFalse()
    expect(reaches(pageFrom(22), known.rows)).toBeTrue()
  })

  test('leaves out what is in the list no more', () => {
    const page = { rows: [{ id: '20' }, { id: '18' }, { id: '17' }], cursor: 17 }
    expect(idsOf(withNewestPage(known, page))).toEqual([20, 18, 17, 16, 15])
  })

  test('is the whole list where it is all that there is', () => {
    expect(withNewestPage(known, pageFrom(2))).toEqual({ rows: [{ id: '2' }, { id: '1' }], cursor: null })
    expect(withNewestPage(known, { rows: [], cursor: null })).toEqual({ rows: [], cursor: null })
  })
})

test('what is too much is left out where it is oldest, and can be read again', () => {
  const list = boundedTo(4, { rows: rowsOf(9, 6), cursor: 4 }, ({ id }) => Number(id))
  expect([idsOf(list), list.cursor]).toEqual([[9, 8, 7, 6], 6])
  expect(boundedTo(6, { rows: rowsOf(9, 6), cursor: null }, ({ id }) => Number(id)).cursor).toBeNull()
})

test('a record that comes twice is shown once, whichever comes first', () => {
  const [one, two, three] = [{ id: '1' }, { id: '2' }, { id: '3' }]
  expect(withoutRepetition([three, two], [two, one])).toEqual([three, two, one])
  expect(withoutRepetition([two], [three, two, one])).toEqual([two, three, one])
  expect(withoutRepetition([], [one])).toEqual([one])
})
