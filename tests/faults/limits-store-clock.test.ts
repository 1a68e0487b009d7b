import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { RedisClient } from 'bun'

import { storeSlots } from '../../server/limits/shared-store/lease.ts'
import { joinScript } from '../../server/limits/shared-store/membership-scripts.ts'
import { askScript, peekScript } from '../../server/limits/shared-store/scripts.ts'
import type { Script } from '../../server/platform/shared-store/store-connection.ts'
import { hasRedis, sharedStore } from './limits/shared-store.ts'

/** The scripts in a real store, whose clock says what the test says. */

const store = sharedStore()
let client: RedisClient

beforeEach(() => {
  if (hasRedis) client = new RedisClient(store.url)
})
afterEach(async () => {
  if (!hasRedis) return
  await client.send('FLUSHALL', [])
  client.close()
})

async function runAt(
  sec: number,
  { text }: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown[]> {
  const script = text.replace("redis.call('TIME')", `{'${sec}', '0'}`)
  const answer: unknown = await client.send('EVAL', [
    script,
    String(keys.length),
    ...keys,
    ...args.map(String),
  ])
  if (!Array.isArray(answer)) throw new Error(`not a list: ${String(answer)}`)
  return answer
}

const secondMicros = 1_000_000

const settleMicros = 1_500_000

const beginEpoch = (sinceSec: number): Promise<unknown> =>
  client.send('HSET', ['epoch', 'id', 'e', 'since', `${sinceSec}000000`, 'missing', '0', 'seat:a', '1'])

/** Asks for units of a limit of 10 a minute, whose sub-buckets are seconds. */
async function ask(sec: number, units: number): Promise<unknown[]> {
  const granted = Number((await client.send('HGET', ['account', 'granted'])) ?? 0)
  const limit = [10, secondMicros, units, units, granted]
  return await runAt(
    sec,
    askScript,
    ['epoch', 'held', 'ring', 'account'],
    ['e', 'a', storeSlots, settleMicros, ...limit],
  )
}

const askForKind = async (sec: number, units: number): Promise<unknown> => (await ask(sec, units))[0]

const join = (sec: number, node: string): Promise<unknown[]> =>
  runAt(
    sec,
    joinScript,
    ['epoch', 'nodes', 'expected', 'posted', 'departed', `held:${node}`],
    ['run', node, 3 * secondMicros, '', ''],
  )

describe.skipIf(!hasRedis)('a clock of the store that is set back', () => {
  test('neither opens a limit nor closes it: what was granted is as old as before', async () => {
    await beginEpoch(0)
    expect([await askForKind(1_000, 6), await askForKind(1_030, 4)]).toEqual(['granted', 'granted'])
    expect(await runAt(530, peekScript, ['ring'], [storeSlots, secondMicros])).toEqual([10])
    expect(await ask(530, 6)).toEqual(['refused', 32 * secondMicros, 0])
    expect([await askForKind(561, 1), await askForKind(562, 6)]).toEqual(['refused', 'granted'])
    expect([await askForKind(591, 1), await askForKind(592, 4)]).toEqual(['refused', 'granted'])
    expect(await runAt(624, peekScript, ['ring'], [storeSlots, secondMicros])).toEqual([4])
  })

  test('to before the epoch lets it settle once more, and no longer', async () => {
    await beginEpoch(1_000)
    expect(await ask(990, 1)).toEqual(['settling', settleMicros])
    expect(await askForKind(992, 1)).toBe('granted')
  })

  test('keeps no node for alive that says nothing any more', async () => {
    await join(1_000, 'a')
    const living = async (sec: number): Promise<unknown> => (await join(sec, 'b'))[4]
    expect(await living(500)).toEqual(['a', 'b'])
    await living(501)
    await living(502)
    expect(await living(503)).toEqual(['b'])
  })
})
