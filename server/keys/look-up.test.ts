import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { covers } from '../../tests/support/covers.ts'
import type { Database } from '../platform/database.ts'
import { Fault } from '../platform/fault.ts'
import { keyForm, plainCaller, queryKeyNode } from '../query-keys/test-support/query-key-nodes.ts'
import { dyingDatabase } from '../usage/test-support/dying-database.ts'
import { generateKey, keyRandomBytes, queryKeyPrefix } from './key-value.ts'
import { author, connectTo, handClock } from './test-support/key-world.ts'

const mostInMemory = 6
const keyCount = 30
const anna = author('acc_anna')

let own: TestDatabase
let other: Database
const values: { readonly id: string; readonly value: string }[] = []
const ends: (() => Promise<void>)[] = []

beforeAll(async () => {
  own = await testDatabase()
  other = await connectTo(own.url)
  const { queryKeys } = await queryKeyNode(own.database)
  for (let made = 0; made < keyCount; made++) {
    const { key, value } = await queryKeys.create(anna, keyForm())
    values.push({ id: key.id, value })
  }
  await queryKeys.stop()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
afterAll(async () => {
  await other.close()
  await own.drop()
})

/** A process that holds fewer keys than there are, and how many statements it sent. */
async function smallNode(database: Database = own.database) {
  const clock = handClock(Date.now())
  const dying = dyingDatabase(database)
  const asked = { count: 0 }
  const counting: Database = {
    ...dying,
    sql: database.sql,
    run: (work, deadlineMs) => {
      asked.count += 1
      return dying.run(work, deadlineMs)
    },
  }
  const { queryKeys } = await queryKeyNode(counting, { clock, mostInMemory })
  ends.push(queryKeys.stop)
  const answerOf = async (value: string, address: string = plainCaller.address): Promise<string> => {
    try {
      return (await queryKeys.authorize(value, 'testnet', { ...plainCaller, address })).kind
    } catch (error) {
      if (error instanceof Fault) return error.code
      throw error
    }
  }
  return { queryKeys, clock, asked, dying, answerOf }
}

const valueAt = (place: number) => {
  const found = values[place]
  if (found === undefined) throw new Error('there are fewer keys')
  return found
}
const unknownValue = () => generateKey(queryKeyPrefix, randomBytes(keyRandomBytes))

describe('more keys than memory holds', () => {
  covers('query-keys-give-access')
  test('all of them work, and one that was just used asks the database nothing', async () => {
    const { queryKeys, asked, answerOf } = await smallNode()
    for (const { value } of values) {
      expect(await answerOf(value)).toBe('allowed')
      const before = asked.count
      expect(queryKeys.authorize(value, 'testnet', plainCaller)).toMatchObject({ kind: 'allowed' })
      expect(asked.count).toBe(before)
    }
  })

  test('however many ask for however many keys at once, two statements answer', async () => {
    const { asked, answerOf } = await smallNode()
    const before = asked.count
    const all = Array.from({ length: 20 }, () => values.map(({ value }) => answerOf(value))).flat()
    expect(new Set(await Promise.all(all))).toEqual(new Set(['allowed']))
    expect(asked.count - before).toBeLessThanOrEqual(2)
  })

  test('a change holds at every process when its call returns, whether or not the key is in memory', async () => {
    const [here, there] = [await smallNode(), await smallNode(other)]
    for (const { queryKeys } of [here, there]) queryKeys.start()
    for (const [place, isUsedBefore] of [
      [0, true],
      [1, false],
    ] as const) {
      const { id, value } = valueAt(place)
      if (isUsedBefore) expect(await there.answerOf(value)).toBe('allowed')
      // Many look-ups are under way while it is disabled.
      const meanwhile = values.map(async ({ value: any }) => there.answerOf(any))
      const { propagated } = await here.queryKeys.setEnabled(anna, id, false)
      expect([propagated, await there.answerOf(value)]).toEqual([true, 'invalid'])
      await Promise.all(meanwhile)
      expect(await there.answerOf(value)).toBe('invalid')
      await here.queryKeys.setEnabled(anna, id, true)
      expect(await there.answerOf(value)).toBe('allowed')
    }
    const { value } = await here.queryKeys.create(anna, keyForm())
    expect(await there.answerOf(value)).toBe('allowed')
  })

  test('a key that does not exist is looked up once a second', async () => {
    const { clock, asked, answerOf } = await smallNode()
    const value = unknownValue()
    const before = asked.count
    for (let time = 0; time < 10; time++) expect(await answerOf(value)).toBe('invalid')
    expect(asked.count - before).toBe(1)
    clock.at += 1_001
    expect(await answerOf(value)).toBe('invalid')
    expect(asked.count - before).toBe(2)
  })

  test('an address with many unknown keys has to wait, with them alone', async () => {
    const { answerOf } = await smallNode()
    const flood = await Promise.all(Array.from({ length: 600 }, () => answerOf(unknownValue())))
    expect(new Set(flood)).toEqual(new Set(['invalid']))
    expect(await answerOf(unknownValue())).toBe('rate_limited')
    expect(await answerOf(valueAt(2).value, '203.0.113.9')).toBe('allowed')
    expect(await answerOf(valueAt(2).value)).toBe('allowed')
  })

  test('while the database is away, keys in memory go on, and others are unavailable', async () => {
    const { dying, answerOf } = await smallNode()
    expect(await answerOf(valueAt(3).value)).toBe('allowed')
    dying.weather = 'away'
    expect(await answerOf(valueAt(3).value)).toBe('allowed')
    expect(await answerOf(valueAt(4).value)).toBe('unavailable')
    dying.weather = 'fair'
    expect(await answerOf(valueAt(4).value)).toBe('allowed')
  })
})
