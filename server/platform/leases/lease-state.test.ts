import { describe, expect, test } from 'bun:test'

import {
  type LeaseState,
  afterClaim,
  afterFailure,
  afterNews,
  afterRead,
  afterRelease,
  decidingEpoch,
  epochOf,
  nextLeaseStep,
  nextLeaseStepMs,
  unknownLease,
} from './lease-state.ts'

const answer = (holder: string, epoch: number, leftMs = 3_000) => ({ holder, epoch, leftMs, databaseTime: 0 })
const claimed = (state: LeaseState, answered: ReturnType<typeof answer> | null, sentAt: number) =>
  afterClaim(state, answered, { self: 'a', sentAt, isClockWrong: false })
const mine = claimed(unknownLease, answer('a', 4), 1_000)
const theirs = claimed(unknownLease, answer('b', 5), 1_000)
const news = (state: LeaseState, epoch: number, now: number) =>
  afterNews(state, { holder: 'b', epoch }, 'a', now)

describe('a lease', () => {
  test('lasts from the instant at which it was asked for, not from that of the answer', () => {
    expect(decidingEpoch(mine, 4_000)).toBe(4)
    expect(decidingEpoch(mine, 4_001)).toBeNull()
  })

  test('of another process is not decided by', () => {
    expect(decidingEpoch(theirs, 1_000)).toBeNull()
    expect(decidingEpoch(unknownLease, 1_000)).toBeNull()
  })

  test('goes on while the database is away, because nobody can take it from there either', () => {
    const overdue = afterFailure(mine, 3_900, 4_000)
    expect(decidingEpoch(overdue, 7_000)).toBe(4)
    expect(decidingEpoch(overdue, 7_001)).toBeNull()
    expect(afterFailure(theirs, 3_900, 4_000)).toBe(theirs)
  })

  test('does not go on by a claim that failed only because the process stood still', () => {
    expect(decidingEpoch(afterFailure(mine, 3_900, 9_000), 9_000)).toBeNull()
  })

  test('that was not renewed while the process stood still is asked for before anything is decided', () => {
    expect(decidingEpoch(mine, 7_000)).toBeNull()
    expect(decidingEpoch(claimed(mine, answer('b', 5), 7_000), 7_000)).toBeNull()
    expect(decidingEpoch(claimed(mine, answer('a', 4), 7_000), 7_000)).toBe(4)
  })

  test('ends with the news of a higher epoch, and with no other', () => {
    expect(decidingEpoch(news(afterFailure(mine, 1_900, 2_000), 5, 2_000), 2_000)).toBeNull()
    expect(news(mine, 4, 2_000)).toBe(mine)
    expect(news(mine, 3, 2_000)).toBe(mine)
    expect(epochOf(news(mine, 5, 2_000))).toBe(5)
  })

  test('is not believed by an answer that is older than the news', () => {
    const overtaken = news(mine, 5, 2_000)
    expect(claimed(overtaken, answer('a', 4), 1_990)).toBe(overtaken)
    expect(afterRead(overtaken, answer('a', 4), 1_990)).toBe(overtaken)
    // The database was restored: what it says is what is.
    expect(epochOf(claimed(overtaken, answer('c', 1), 3_000))).toBe(1)
  })

  test('is as before while two claim it at once', () => {
    expect(claimed(unknownLease, null, 0)).toBe(unknownLease)
    expect(claimed(mine, null, 0)).toBe(mine)
  })
})

describe('the next step', () => {
  test('is a claim, by the owner and by those that do not hear from it', () => {
    expect(nextLeaseStep(mine, false, 2_000)).toBe('claim')
    expect(nextLeaseStep(unknownLease, false, 0)).toBe('claim')
    expect(nextLeaseStep(theirs, false, 2_000)).toBe('claim')
  })

  test('leaves a lease that is over to its owner for 3 s after the database is back, as long as the owner is heard', () => {
    const back = afterRead(news(theirs, 5, 60_000), answer('b', 5, -50_000), 60_100)
    expect(nextLeaseStep(back, false, 60_200)).toBe('read')
    expect(nextLeaseStep(news(back, 5, 63_000), false, 63_000)).toBe('read')
    expect(nextLeaseStep(news(back, 5, 63_200), false, 63_200)).toBe('claim') // it lost the database, and nobody else has
    expect(nextLeaseStep(back, false, 62_001)).toBe('claim') // it is heard no more
    const renewed = afterRead(back, answer('b', 5), 61_000)
    expect(nextLeaseStep(news(renewed, 5, 90_000), false, 90_000)).toBe('read')
  })

  test('of a process with a wrong clock is to give the lease up, and to take it only when nobody else did for 10 s', () => {
    expect(nextLeaseStep(mine, true, 2_000)).toBe('release')
    const given = afterRelease(4, 2_000)
    expect(decidingEpoch(given, 2_000)).toBeNull()
    expect(nextLeaseStep(given, true, 11_999)).toBe('read')
    expect(nextLeaseStep(afterRead(given, answer('a', 4, 0), 5_000), true, 11_999)).toBe('read')
    expect(nextLeaseStep(afterRead(given, answer('a', 4, 0), 5_000), true, 12_000)).toBe('claim')
    expect(nextLeaseStep(afterRead(given, answer('b', 5), 5_000), true, 60_000)).toBe('read')
    const reluctant = afterClaim(given, answer('a', 5), { self: 'a', sentAt: 12_000, isClockWrong: true })
    expect(decidingEpoch(reluctant, 12_000)).toBe(5)
    expect(nextLeaseStep(reluctant, true, 13_000)).toBe('claim')
  })

  test('comes right after the end of another’s lease, and every second else', () => {
    expect(nextLeaseStepMs(mine, 1_500)).toBe(1_000)
    expect(nextLeaseStepMs(theirs, 1_000)).toBe(1_000)
    expect(nextLeaseStepMs(theirs, 3_800)).toBe(250)
    expect(nextLeaseStepMs(theirs, 5_000)).toBe(500)
  })
})
