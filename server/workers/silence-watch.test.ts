import { expect, test } from 'bun:test'

import { createSilenceWatch } from './silence-watch.ts'

function createWorker(number: number) {
  const state = { signs: 0, killed: 0 }
  return {
    state,
    worker: { number, signsOfLife: () => state.signs, kill: () => void state.killed++ },
  }
}

function setUp() {
  const workers = [createWorker(1), createWorker(2)] as const
  const errors: unknown[] = []
  const watch = createSilenceWatch(() => workers.map(({ worker }) => worker), {
    error: (message, fields) => void errors.push([message, fields]),
  })
  return { states: workers.map(({ state }) => state), workers, errors, look: watch.look }
}

test('one that gives no sign of life at 15 looks in a row is killed, and the log says so once', () => {
  const { workers, errors, look } = setUp()
  const [frozen, busy] = workers
  frozen.state.signs = 1
  for (let second = 0; second <= 14; second++) {
    busy.state.signs++
    look()
  }
  expect([frozen.state.killed, errors]).toEqual([0, []])
  for (let second = 0; second < 3; second++) {
    busy.state.signs++
    look()
  }
  expect([frozen.state.killed, busy.state.killed]).toEqual([3, 0])
  expect(errors).toEqual([['a worker stands still and is killed', { worker: 1, silentMs: 15_000 }]])
})

test('a late sign of life begins the count anew, and one that has not begun to give any is left alone', () => {
  const { workers, look } = setUp()
  const [slow, starting] = workers
  for (let second = 0; second < 100; second++) {
    if (second % 15 === 0) slow.state.signs++
    look()
  }
  expect([slow.state.killed, starting.state.killed]).toEqual([0, 0])
})
