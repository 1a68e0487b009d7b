import { expect, test } from 'bun:test'

import { createReplayWindows } from './replay-windows.ts'

test('numbers are taken once, in any order, as far back as the window goes', () => {
  const replays = createReplayWindows()
  const take = (number: number) => replays.take('one', number, 0)
  expect([5, 3, 5, 3, 4, 1_000, 4, 999].map(take)).toEqual([
    true,
    true,
    false,
    false,
    true,
    true,
    false,
    true,
  ])
  expect([140_000, 1_001, 9_000, 9_000, 300_000, 300_000, 299_999].map(take)).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
    true,
  ])
  expect(replays.take('another', 5, 0)).toBe(true)
  // A window is forgotten when its sender was silent for longer than a signature is valid.
  expect(replays.take('third', 1, 200_000)).toBe(true)
  expect(take(300_000)).toBe(true)
})
