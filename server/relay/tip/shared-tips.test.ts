import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'

import { temporaryDataDir } from '../../../scripts/world/database.ts'
import { startStore, type TestStore } from '../../../scripts/world/limit-nodes/nodes.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { needs } from '../../../tests/support/needs.ts'
import { createLog } from '../../platform/log.ts'
import type { ServedTip } from './served-tip.ts'
import { createSharedTips, type SharedTips, type TipView } from './shared-tips.ts'

const hasRedis = needs('redis-server')
const folder = temporaryDataDir()
let store: TestStore
const opened: SharedTips[] = []

beforeAll(async () => {
  if (hasRedis) store = await startStore(folder)
})

afterAll(async () => {
  for (const tips of opened) tips.close()
  await store?.kill()
  rmSync(folder, { recursive: true, force: true })
})

const noTips = { latest: null, safe: null, finalized: null }
const nothing: TipView = { tips: noTips, heads: new Map() }
const viewOf = (latest: Partial<ServedTip> & { height: number }, heads: Record<string, number> = {}) => ({
  tips: { ...noTips, latest: { confirmedAt: 0, epoch: 0, ...latest } },
  heads: new Map(Object.entries(heads)),
})

/** A process that has a connection. Its monotonic clock stands at `now`. */
async function processAt(now: number): Promise<SharedTips> {
  const tips = createSharedTips({
    store: { url: store.url, prefix: 'gatehouse:test' },
    now: () => now,
    log: createLog({ level: 'silent' }),
  })
  opened.push(tips)
  await waitUntil('the store answers', async () => (await tips.exchange('any', nothing)) !== null)
  return tips
}

describe.skipIf(!hasRedis)('tips of several processes', () => {
  test('a process knows at once what another one has told, with its age, whatever their clocks are', async () => {
    const [one, other] = await Promise.all([processAt(5_000), processAt(900_000)])
    await one.exchange('a', viewOf({ height: 100, confirmedAt: 4_000 }, { x: 100, y: 97 }))
    const seen = await other.exchange(
      'a',
      viewOf({ height: 98, confirmedAt: 900_000 }, { x: 98, y: 98, z: 90 }),
    )
    expect(seen?.tips.latest).toMatchObject({ height: 100, epoch: 0 })
    expect(Math.abs((seen?.tips.latest?.confirmedAt ?? 0) - 899_000)).toBeLessThan(500)
    expect(seen?.heads).toEqual(
      new Map([
        ['x', 100],
        ['y', 98],
        ['z', 90],
      ]),
    )
    expect((await other.exchange('b', nothing))?.tips).toEqual(noTips)
  })

  test('a tip that was lowered replaces the higher one, and late reports of that one change nothing', async () => {
    const [one, other] = await Promise.all([processAt(0), processAt(0)])
    await one.exchange('c', viewOf({ height: 100 }, { x: 100 }))
    await other.exchange('c', viewOf({ height: 97, epoch: 1 }, { x: 97 }))
    const seen = await one.exchange('c', viewOf({ height: 101 }, { x: 101 }))
    expect(seen?.tips.latest).toMatchObject({ height: 97, epoch: 1 })
    expect(seen?.heads).toEqual(new Map([['x', 97]]))
  })

  test('while the store is away each process goes on alone, and finds the others again', async () => {
    const one = await processAt(0)
    await store.kill()
    expect(await one.exchange('d', viewOf({ height: 1 }))).toBeNull()
    await store.start()
    await waitUntil(
      'the store answers',
      async () => (await one.exchange('d', viewOf({ height: 1 }))) !== null,
    )
  })
})
