import { expect, test } from 'bun:test'

import { runPool } from './run-pool.ts'

/** Records how many items run at once, and lets the test end each one. */
function poolOf(names: readonly string[], slots: number) {
  const endings = new Map<string, () => void>()
  const order: string[] = []
  const result = runPool(names, {
    slots,
    runsAlone: (name) => name.startsWith('alone'),
    run: async (name) => {
      order.push(name)
      await new Promise<void>((resolve) => endings.set(name, resolve))
      endings.delete(name)
      return name
    },
  })
  const end = async (name: string): Promise<void> => {
    endings.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { running: () => [...endings.keys()], order, end, result }
}

test('as many items run as there are slots, and the next one starts when one ends', async () => {
  const pool = poolOf(['a', 'b', 'c'], 2)
  expect(pool.running()).toEqual(['a', 'b'])
  await pool.end('b')
  expect(pool.running()).toEqual(['a', 'c'])
  await pool.end('c')
  await pool.end('a')
  expect(await pool.result).toEqual(['b', 'c', 'a'])
})

test('items that run alone come after all others, one at a time', async () => {
  const pool = poolOf(['alone 1', 'a', 'alone 2', 'b'], 3)
  expect(pool.running()).toEqual(['a', 'b'])
  await pool.end('a')
  expect(pool.running()).toEqual(['b'])
  await pool.end('b')
  expect(pool.running()).toEqual(['alone 1'])
  await pool.end('alone 1')
  expect(pool.running()).toEqual(['alone 2'])
  await pool.end('alone 2')
  expect(await pool.result).toHaveLength(4)
})

test('no items need no slots', async () => {
  expect(await poolOf([], 2).result).toEqual([])
})
