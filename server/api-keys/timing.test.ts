import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { apiKeyPrefix, keyRandomBytes, generateKey } from '../keys/key-value.ts'
import { author } from '../keys/test-support/key-world.ts'
import { type KeyNode, keyInput, keyNode, plainUse } from './test-support/key-nodes.ts'
import { covers } from '../../tests/support/covers.ts'

let own: TestDatabase
let node: KeyNode

beforeAll(async () => {
  own = await testDatabase()
  node = await keyNode(own.database)
})
afterAll(async () => {
  await node.apiKeys.stop()
  await own.drop()
})

const samples = 20_000
const randomKey = () => generateKey(apiKeyPrefix, randomBytes(keyRandomBytes))

/** Of the quicker nine tenths: the rest are other processes. */
function meanAndVariance(times: Float64Array): { mean: number; variance: number; count: number } {
  const kept = times.toSorted().subarray(0, times.length * 0.9)
  const mean = kept.reduce((sum, time) => sum + time, 0) / kept.length
  const variance = kept.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (kept.length - 1)
  return { mean, variance, count: kept.length }
}

/** Welch's t: how surely two samples have different means; beyond 4.5 nobody doubts it. */
function welch(one: Float64Array, other: Float64Array): number {
  const [a, b] = [meanAndVariance(one), meanAndVariance(other)]
  return Math.abs(a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count)
}

type Maker = () => string

/**
 * How surely the time of a refusal tells one kind of guess from another. All guesses are made before the first is timed,
 * in the order in which they are used: neither what it costs to make one nor where it lies in memory tells its kind.
 */
async function distinguishability(...makers: readonly [Maker, Maker]): Promise<number> {
  const guesses = Array.from({ length: 2 * samples }, (_, place) => {
    const kind = place % 4 === 0 || place % 4 === 3 ? 0 : 1
    return { kind, guess: makers[kind]() } as const
  })
  const times = [new Float64Array(samples), new Float64Array(samples)] as const
  for (const [place, { kind, guess }] of guesses.entries()) {
    const startedAt = performance.now()
    await node.apiKeys.authorize(guess, plainUse)
    times[kind][place >> 1] = performance.now() - startedAt
  }
  return welch(...times)
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Another well-formed key with the same first 28 random characters. */
function nearMiss(known: string): string {
  const shared = known.slice(apiKeyPrefix.length, apiKeyPrefix.length + 28)
  const bytes = Uint8Array.from(shared.split(''), (character) => alphabet.indexOf(character))
  return generateKey(apiKeyPrefix, Buffer.concat([bytes, randomBytes(keyRandomBytes)]))
}

test('how long a refusal takes does not tell that a guess begins like a key', async () => {
  covers('threat-5')
  const { value } = await node.apiKeys.create(author('acc_anna'), keyInput())
  expect(nearMiss(value).slice(0, 32)).toBe(value.slice(0, 32))
  expect((await node.apiKeys.authorize(nearMiss(value), plainUse)).kind).toBe('invalid')
  const near = () => nearMiss(value)
  // Made in the same way, so that the guesses differ in what they share with a real key and in nothing else.
  const strangers = Array.from({ length: samples }, randomKey)
  let turn = 0
  const far = () => nearMiss(strangers[turn++ % samples] ?? '')
  await distinguishability(near, far) // until the code is compiled
  // Noise of the machine can look like a difference once; a real one is there each time.
  let surest = Number.POSITIVE_INFINITY
  for (let round = 0; round < 8 && surest >= 4.5; round++) {
    surest = await distinguishability(near, far)
  }
  expect(surest).toBeLessThan(4.5)
  expect(await distinguishability(() => 'gak_nonsense', far)).toBeGreaterThan(4.5) // as everybody may know
})
