import { expect, test } from 'bun:test'

import { createTurns } from './turns.ts'

test('work is done in the order of asking, with a turn of the event loop after each piece', async () => {
  const takeTurn = createTurns()
  const order: string[] = []
  const works = ['a', 'b', 'c'].map((name) => takeTurn(() => order.push(name)))
  setImmediate(() => order.push('somebody else'))
  await Promise.all(works)
  expect(order).toEqual(['a', 'somebody else', 'b', 'c'])
})

test('what fails is the failure of its own caller only', async () => {
  const takeTurn = createTurns()
  const failing = takeTurn(() => {
    throw new RangeError('no')
  })
  const next = takeTurn(() => 7)
  expect(failing).rejects.toThrow('no')
  expect(await next).toBe(7)
})
