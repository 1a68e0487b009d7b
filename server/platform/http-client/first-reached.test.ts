import { describe, expect, test } from 'bun:test'

import { firstReached } from './first-reached.ts'

/** Attempts and waits that end when the test says so. */
function race(...addresses: string[]) {
  const begun: string[] = []
  const ends = new Map<string, { isFirst: () => boolean; usable(): void; fail(reason: string): void }>()
  const waits = new Set<() => void>()
  const outcome = firstReached(
    addresses,
    (address, isFirst) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      begun.push(address)
      ends.set(address, { isFirst, usable: resolve, fail: (reason) => reject(new Error(reason)) })
      return promise
    },
    (next) => {
      const wait = (): void => {
        waits.delete(wait)
        next()
      }
      waits.add(wait)
      return () => waits.delete(wait)
    },
  )
  outcome.catch(() => undefined)
  const at = (address: string) => {
    const end = ends.get(address)
    if (end === undefined) throw new Error(`${address} was not tried`)
    return end
  }
  const timePasses = (): void => {
    const begunBefore = [...waits]
    for (const next of begunBefore) next()
  }
  return { begun, at, waits, timePasses, outcome }
}

/** What follows from a failure has happened by then. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('of several addresses', () => {
  test('the first one that is reached is the one, and no other is tried', async () => {
    const { begun, at, waits, outcome } = race('a', 'b')
    expect(at('a').isFirst()).toBe(true)
    expect(waits.size).toBe(0)
    at('a').usable()
    expect(await outcome).toBe('a')
    expect(begun).toEqual(['a'])
  })

  test('the next is tried after a while, and the first may still be the first', async () => {
    const { begun, at, timePasses, outcome } = race('a', 'b', 'c')
    timePasses()
    expect(begun).toEqual(['a', 'b'])
    expect(at('a').isFirst()).toBe(true)
    expect(at('b').isFirst()).toBe(false)
    timePasses()
    at('b').fail('closed here')
    at('a').usable()
    expect(await outcome).toBe('a')
    expect(begun).toEqual(['a', 'b'])
  })

  test('a dead one delays a good one by that while only', async () => {
    const { at, timePasses, outcome } = race('dead', 'good')
    timePasses()
    expect(at('good').isFirst()).toBe(true)
    at('good').usable()
    expect(await outcome).toBe('good')
    expect(at('dead').isFirst()).toBe(false)
  })

  test('the next is tried at once when one is refused', async () => {
    const { begun, at, waits, outcome } = race('a', 'b', 'c')
    at('a').fail('refused')
    await settled()
    expect(begun).toEqual(['a', 'b'])
    expect(waits.size).toBe(1)
    at('b').isFirst()
    at('b').usable()
    expect(await outcome).toBe('b')
  })

  test('the latest failure is told when none is reached, and not before all have failed', async () => {
    const { begun, at, timePasses, outcome } = race('a', 'b')
    timePasses()
    at('b').fail('second')
    await settled()
    at('a').fail('first')
    expect(outcome).rejects.toThrow('first')
    await outcome.catch(() => undefined)
    expect(begun).toEqual(['a', 'b'])
  })

  test('what goes wrong at one that was reached is no reason to try another', async () => {
    const { begun, at, outcome } = race('a', 'b')
    at('a').isFirst()
    at('a').fail('its certificate')
    expect(outcome).rejects.toThrow('its certificate')
    await outcome.catch(() => undefined)
    expect(begun).toEqual(['a'])
  })
})

test('one address is tried without a wait for another', () => {
  expect(race('a').waits.size).toBe(0)
})
