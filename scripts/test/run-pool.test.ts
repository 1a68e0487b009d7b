import { expect, test } from 'bun:test'

import { runPool } from './run-pool.ts'

/** Records how many items run at once, and lets the test end each one. */
function poolOf(names: readonly string[], slots: number) {
  const endings = new Map<string, () => void>()
  let isOver = false
  const result = runPool(names, slots, async (name) => {
    await new Promise<void>((resolve) => endings.set(name, resolve))
    endings.delete(name)
  }).then(() => (isOver = true))
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
