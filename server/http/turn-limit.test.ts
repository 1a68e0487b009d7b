import { expect, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { createTurnLimit } from './turn-limit.ts'

const turnMs = 8

test('a turn begins what fits into its time; the rest follows in later ones, in the order of coming', async () => {
  let now = 0
  const limit = createTurnLimit(() => now)
  const begun: number[] = []
  const later: Promise<number>[] = []
  for (let count = 0; count < 350; count++) {
    now += 0.1
    if (limit.hasRoom(now)) begun.push(count)
    else {
      later.push(
        limit.later(() => {
          now += 0.1
          return begun.push(count)
        }),
      )
    }
  }
  const inTurn = begun.length
  expect(inTurn).toBeWithin(64, 64 + turnMs / 0.1 + 2)
  const sizes: number[] = []
  for (let before = begun.length; before < 350; before = begun.length) {
    await nextTurn()
    sizes.push(begun.length - before)
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(turnMs / 0.1 + 1)
  expect(begun).toEqual(Array.from({ length: 350 }, (_, index) => index))
  expect(await Promise.all(later)).toEqual(
    Array.from({ length: 350 - inTurn }, (_, index) => inTurn + index + 1),
  )
})

test('what is quick to answer does not wait behind what is slow, unless there is a flood of it as well', async () => {
  let now = 0
  const limit = createTurnLimit(() => now)
  const waiting: Promise<number>[] = []
  for (let count = 0; count < 400; count++) {
    now += 0.1
    if (!limit.hasRoom(now)) waiting.push(limit.later(() => count))
  }
  expect(waiting.length).toBeGreaterThan(100)
  const rooms = Array.from({ length: 1_000 }, () => limit.hasRoom(now) || limit.hasQuickRoom())
  expect(rooms.indexOf(false)).toBe(512 - 400)
  expect(rooms.lastIndexOf(true)).toBe(512 - 400 - 1)
  await Promise.all(waiting)
})

test('what fails later fails for the one who asked', async () => {
  const limit = createTurnLimit(() => 0)
  const failing = limit.later(() => {
    throw new Error('ours')
  })
  for (let count = 0; count < 100; count++) limit.hasRoom(0)
  expect(await failing.catch(({ message }: Error) => message)).toBe('ours')
})

test('calm traffic never waits, however long it lasts', async () => {
  let now = 0
  const limit = createTurnLimit(() => now)
  for (let turn = 0; turn < 50; turn++) {
    for (let count = 0; count < 99; count++) expect(limit.hasRoom(now)).toBe(true)
    now += 1_000
    await nextTurn()
    await nextTurn()
  }
})
