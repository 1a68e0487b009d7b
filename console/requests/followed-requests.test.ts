import { describe, expect, test } from 'bun:test'

import { cursorAt } from '../../shared/record-position.ts'
import type { ShownRequest } from '../../shared/request-log.ts'
import {
  type FollowedRequests,
  nothingFollowed,
  withHeldShown,
  withLive,
  withNewest,
  withOlder,
} from './followed-requests.ts'

const requestAt = (at: number): ShownRequest => ({
  id: `req_${String(at).padStart(5, '0')}`,
  at,
  notKept: 1,
  accountId: 'acc_1',
  keyName: null,
})
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** The page of a hundred that the server gives while this one is the newest. */
function pageFrom(newest: number) {
  const rows = range(Math.max(1, newest - 99), newest)
    .toReversed()
    .map(requestAt)
  const last = rows.at(-1)
  return { rows, cursor: newest > 100 && last !== undefined ? cursorAt(last) : null }
}

const instantsIn = ({ list }: FollowedRequests): number[] => list.rows.map(({ at }) => at)
const live = (known: FollowedRequests, from: number, to: number, isHeld = false, isGapless = true) =>
  withLive(known, range(from, to).map(requestAt), { isHeld, isGapless })
const expectWhole = (known: FollowedRequests, newest: number, count: number): void =>
  expect(instantsIn(known)).toEqual(range(newest - count + 1, newest).toReversed())

const begun = withNewest(nothingFollowed, pageFrom(1_000), false)

describe('while requests come', () => {
  test('the list has no hole after any number of them, and older ones go on where it ends', () => {
    let known = begun
    for (const at of range(1_001, 1_800)) known = live(known, at, at)
    expectWhole(known, 1_800, 500)
    expect(known.list.cursor).toBe(cursorAt(requestAt(1_301)))
    known = withOlder(known, pageFrom(1_300))
    expectWhole(known, 1_800, 600)
    expectWhole(live(known, 1_801, 1_850), 1_850, 600)
  })

  test('those that come before their page, out of order, or twice are shown once', () => {
    const early = live(nothingFollowed, 1_001, 1_003)
    expectWhole(withNewest(early, pageFrom(1_002), false), 1_003, 101)
    expectWhole(live(live(begun, 1_002, 1_003), 1_001, 1_002), 1_003, 103)
  })

  test('of too many at once, and after a hole, the newest page is read again and stands alone', () => {
    const behind = live(begun, 1_301, 1_400, false, false)
    expectWhole(withNewest(behind, pageFrom(1_402), false), 1_402, 100)
    expectWhole(withNewest(begun, pageFrom(1_500), false), 1_500, 100)
    expectWhole(withNewest(begun, pageFrom(1_050), false), 1_050, 150)
  })
})

describe('while the list is held', () => {
  const older = withOlder(begun, pageFrom(900))

  test('it stays as it is, and has everything when it goes on', () => {
    const held = live(older, 1_001, 1_050, true)
    expectWhole(held, 1_000, 200)
    const shown = withHeldShown(held)
    expect(shown?.held).toEqual([])
    expectWhole(shown ?? held, 1_050, 250)
  })

  test('it stays while nobody looks, and a page that reaches it is held as well', () => {
    const held = withNewest(live(older, 1_001, 1_010, true), pageFrom(1_080), true)
    expectWhole(held, 1_000, 200)
    expect(held.held.length).toBe(80)
    expectWhole(withHeldShown(held) ?? held, 1_080, 280)
  })

  test.each([
    ['more came than are held', live(older, 1_001, 1_501, true)],
    ['more came meanwhile than a page holds', withNewest(older, pageFrom(1_300), true)],
    ['a process told of its requests too late', live(older, 1_001, 1_001, true, false)],
  ])('it begins anew where %s', (_what, known) => {
    expectWhole(known, 1_000, 200)
    expect(known.held.length).toBeLessThanOrEqual(500)
    expect(withHeldShown(known)).toBeNull()
  })
})
