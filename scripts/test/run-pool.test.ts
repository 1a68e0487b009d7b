import { expect, test } from 'bun:test'

import { runPool } from './run-pool.ts'

/** Records how many items run at once, and lets the test end each one. */
function poolOf(names: readonly string[], slots: number, isRoom?: () => Promise<boolean>) {
  const endings = new Map<string, () => void>()
  let isOver = false
  const result = runPool(
    names,
    slots,
    async (name) => {
      await new Promise<void>((resolve) => endings.set(name, resolve))
      endings.delete(name)
    },
    isRoom,
  ).then(() => (isOver = true))
  const end = async (name: string): Promise<void> => {
    endings.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { running: () => [...endings.keys()], end, isOver: () => isOver, result }
}

test('as many items run as there are slots, and the next one starts when one ends', async () => {
  const pool = poolOf(['a', 'b', 'c'], 2)
  expect(pool.running()).toEqual(['a', 'b'])
  await pool.end('b')
  expect(pool.running()).toEqual(['a', 'c'])
  await pool.end('c')
  expect(pool.isOver()).toBe(false)
  await pool.end('a')
  expect(pool.isOver()).toBe(true)
})

test('no items need no slots', async () => {
  await poolOf([], 2).result
})

test('an item that fails ends the pool with its error', () => {
  const failing = runPool(['a'], 1, () => Promise.reject(new Error('broken')))
  expect(failing).rejects.toThrow('broken')
})

test('one more runs while there is room, and the pool ends whether or not there is', async () => {
  const asked: ((answer: boolean) => void)[] = []
  const pool = poolOf(['a', 'b', 'c', 'd'], 1, () => new Promise((resolve) => asked.push(resolve)))
  const answer = async (isRoom: boolean): Promise<void> => {
    asked.shift()?.(isRoom)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await answer(false)
  expect(pool.running()).toEqual(['a'])
  await answer(true)
  expect(pool.running()).toEqual(['a', 'b'])
  await pool.end('a')
  await pool.end('b')
  expect(pool.running()).toEqual(['c'])
  await pool.end('c')
  await pool.end('d')
  expect(pool.isOver()).toBe(false)
  await answer(true)
  expect(pool.isOver()).toBe(true)
})
