import { expect, test } from 'bun:test'

import { createInTurn } from './in-turn.ts'

test('work of one key is done one after the other in the order of asking, that of others beside it', async () => {
  const inTurn = createInTurn()
  const events: string[] = []
  const work = (name: string) => async () => {
    events.push(`${name} begins`)
    await new Promise<void>((resolve) => setImmediate(resolve))
    events.push(`${name} ends`)
    return name
  }
  const done = await Promise.all([
    inTurn('a', work('a1')),
    inTurn('a', work('a2')),
    inTurn('b', work('b1')),
    inTurn('a', work('a3')),
  ])
  expect(done).toEqual(['a1', 'a2', 'b1', 'a3'])
  expect(events.filter((event) => event.startsWith('a'))).toEqual([
    'a1 begins',
    'a1 ends',
    'a2 begins',
    'a2 ends',
    'a3 begins',
    'a3 ends',
  ])
  expect(events.slice(0, 2)).toEqual(['a1 begins', 'b1 begins'])
})

test('what fails is the failure of its own caller only', async () => {
  const inTurn = createInTurn()
  const failing = inTurn('a', () => Promise.reject(new RangeError('no')))
  const next = inTurn('a', () => Promise.resolve(7))
  expect(failing).rejects.toThrow('no')
  expect(await next).toBe(7)
})
