import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { RedisClient } from 'bun'

import { createOwnLimitStore } from '../../server/limits/own-store/own-store.ts'
import { storeSlots } from '../../server/limits/shared-store/lease.ts'
import { joinScript, leaveScript, postedScript } from '../../server/limits/shared-store/membership-scripts.ts'
import { askScript, giveBackScript, peekScript } from '../../server/limits/shared-store/scripts.ts'
import { settleMicros } from '../../server/limits/shared-store/store-calls.ts'
import type { Clock } from '../../server/platform/clock.ts'
import type { Script } from '../../server/platform/shared-store/store-connection.ts'
import type { ScriptLogic } from '../../server/platform/shared-store/store-server.ts'
import { createOwnTips } from '../../server/relay/tip/own-tips.ts'
import { exchangeScript } from '../../server/relay/tip/shared-tips.ts'
import { hasRedis, sharedStore } from './limits/shared-store.ts'

/**
 * The store that workers share without Redis, beside a real redis-server: the same commands at the same instants, to the
 * scripts there and to the functions here.
 */

const store = sharedStore()
const runId = 'run'
const begin = 1_790_000_000_000_000
const seeds = [1, 2, 3, 4, 5, 6]
let redis: RedisClient

beforeAll(() => {
  if (hasRedis) redis = new RedisClient(store.url)
})
afterAll(() => redis?.close())

/** A script whose time is given, in µs. */
const atTime = ({ text }: Script, now: number): string =>
  text.replaceAll("redis.call('TIME')", `{'${Math.floor(now / 1_000_000)}', '${now % 1_000_000}'}`)

const inRedis = (script: Script, now: number, keys: readonly string[], values: readonly string[]) =>
  redis.send('EVAL', [atTime(script, now), String(keys.length), ...keys, ...values]) as Promise<unknown>

/** Numbers below a bound, the same ones for a seed. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

interface Sides {
  now: number
  /** By how much the clock of Redis was set back, in µs. That of the other store is monotonic. */
  setBack: number
  /** Expects the same answer of both, and returns it. */
  same(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>
  /** Answers may differ. */
  both(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<void>
}

/** The epoch begins in Redis; the other store is made when it has settled, as it is when workers are started. */
async function startSides(scriptsOf: (micros: () => number) => readonly (readonly [Script, ScriptLogic])[]) {
  await redis.send('FLUSHALL', [])
  await inRedis(joinScript, begin, memberKeys('a'), [runId, 'a', '1500000', '', '0'])
  const sides: Sides = {
    now: begin + settleMicros,
    setBack: 0,
    async same(script, keys, values) {
      const texts = values.map(String)
      const answer = await inRedis(script, sides.now - sides.setBack, keys, texts)
      const own: unknown = logic.get(script)?.(keys, texts)
      expect([sides.now - begin, own]).toEqual([sides.now - begin, answer])
      return answer
    },
    async both(script, keys, values) {
      await inRedis(script, sides.now - sides.setBack, keys, values.map(String))
      logic.get(script)?.(keys, values.map(String))
    },
  }
  const logic = new Map(scriptsOf(() => sides.now))
  return sides
}

/** That of a process which starts now. */
function clockOver(micros: () => number): Clock {
  const startedAt = micros()
  return { now: () => micros() / 1_000, monotonic: () => (micros() - startedAt) / 1_000 }
}

const limitStore = (micros: () => number) =>
  createOwnLimitStore({ clock: clockOver(micros), runId, kept: [] }).scripts

const memberKeys = (node: string) => ['epoch', 'nodes', 'expected', 'posted', 'departed', `held:${node}`]

async function join(sides: Sides, node: string, known: [epoch: string, roster: number]) {
  const [epoch, , , roster] = (await sides.same(joinScript, memberKeys(node), [
    runId,
    node,
    1_500_000,
    ...known,
  ])) as [string, number, number, number]
  return [epoch, roster] satisfies [string, number]
}

/** The clock of Redis is set back between two beats at the same instant; it would lose what passes between them. */
async function setBack(sides: Sides, node: string, known: [epoch: string, roster: number], by: number) {
  const [epoch, roster] = await join(sides, node, known)
  sides.setBack += by
  return await join(sides, node, [epoch, roster])
}

describe.skipIf(!hasRedis)('the store of workers answers as Redis does', () => {
  test.each(seeds)('to nodes that ask, look and give back (seed %p)', async (seed) => {
    const sides = await startSides(limitStore)
    const next = numbersOf(seed)
    const known = await join(sides, 'a', ['', 0])
    const [epoch] = known
    sides.now += 10_000_000
    const width = seed % 2 === 0 ? 16_667 : 1_000_000
    const granted = new Map<string, number>()
    const leases: [ring: string, bucket: number, units: number][] = []
    for (let step = 0; step < 300; step++) {
      // Mostly within a sub-bucket, at times beyond the whole window.
      sides.now += next(20) === 0 ? next(70 * width) : next(width)
      if (next(20) === 0) await setBack(sides, 'a', known, next(200 * width))
      const kind = next(10)
      if (kind < 6) {
        const asked = ['rate', 'credits'].slice(0, 1 + next(2))
        const keys = asked.flatMap((ring) => [ring, `${ring}:a`])
        const wishes = asked.flatMap((ring) => {
          const need = 1 + next(120)
          return [100, width, need, need + next(40), granted.get(ring) ?? 0]
        })
        const values = [epoch, 'a', storeSlots, settleMicros, ...wishes]
        const [said, ...numbers] = (await sides.same(askScript, ['epoch', 'held:a', ...keys], values)) as [
          string,
          ...number[],
        ]
        if (said !== 'granted') continue
        for (const [index, ring] of asked.entries()) {
          const [units = 0, , bucket = 0, total = 0] = numbers.slice(index * 4)
          granted.set(ring, total)
          if (units > 0) leases.push([ring, bucket, units])
        }
      } else if (kind < 8) {
        await sides.same(peekScript, ['epoch', 'rate', 'credits', 'never'], [storeSlots, width, width, width])
      } else {
        const [ring, bucket, units] = leases.splice(next(leases.length), 1)[0] ?? ['never', 1, 1]
        await sides.both(giveBackScript, [ring], [storeSlots, bucket, next(units + 1)])
      }
    }
  })

  test.each(seeds)('to nodes that come, go, fall silent and come back (seed %p)', async (seed) => {
    const sides = await startSides(limitStore)
    const next = numbersOf(seed)
    const known = new Map<string, [string, number]>()
    known.set('a', await join(sides, 'a', ['', 0]))
    for (let step = 0; step < 200; step++) {
      sides.now += next(12) === 0 ? 2_000_000 : next(400_000)
      const node = ['a', 'b', 'c', 'd'][next(4)] ?? 'a'
      if (next(12) === 0) await sides.same(leaveScript, ['epoch', 'nodes', 'departed'], [node])
      else known.set(node, await join(sides, node, known.get(node) ?? ['', 0]))
      if (next(12) === 0)
        known.set(node, await setBack(sides, node, known.get(node) ?? ['', 0], next(10_000_000)))
      const values = [known.get(node)?.[0] ?? '', node, storeSlots, settleMicros, 10, 16_667, 1, 1, 0]
      await sides.same(askScript, ['epoch', `held:${node}`, `ring:${step}`, `account:${step}`], values)
    }
  })

  test.each(seeds)('to processes that tell each other the newest blocks (seed %p)', async (seed) => {
    const sides = await startSides((micros) => createOwnTips(() => Math.floor(micros() / 1_000)).scripts)
    const next = numbersOf(seed)
    for (let step = 0; step < 200; step++) {
      sides.now += next(3_000_000)
      const epoch = Math.floor(step / 60) + next(2)
      const tips = [0, 1, 2].flatMap((): (string | number)[] =>
        next(5) === 0 ? ['', '', ''] : [epoch, 100 + step + next(20), next(5_000)],
      )
      const nodes = ['one', 'two', 'three'].slice(next(3)).flatMap((node) => [node, 100 + step + next(20)])
      await sides.same(exchangeScript, [`tips:${next(2)}`], [3_600_000, ...tips, ...nodes])
    }
  })
})

test.skipIf(!hasRedis)(
  'one that takes over with a clock an hour behind closes nothing for longer',
  async () => {
    const sides = await startSides(limitStore)
    const inStore = async (script: Script, keys: readonly string[], values: readonly (string | number)[]) =>
      await inRedis(script, sides.now - sides.setBack, keys, values.map(String))
    let [epoch] = await join(sides, 'a', ['', 0])
    async function ask(wish: number, granted: number): Promise<unknown> {
      const values = [epoch, 'a', storeSlots, settleMicros, 100, 1_000_000, wish, wish, granted]
      return await inStore(askScript, ['epoch', 'held:a', 'ring', 'account'], values)
    }
    // Half a second of the sub-bucket has passed.
    expect(unitsOf(await ask(100, 0))).toBe(100)
    sides.setBack = 3_600_000_000
    expect(await ask(1, 100)).toEqual(['refused', 61_500_000, 0])
    const joined = await inStore(joinScript, memberKeys('a'), ['another', 'a', 1_500_000, epoch, 1, 'a'])
    epoch = Array.isArray(joined) ? String(joined[0]) : ''
    await inStore(postedScript, ['epoch', 'expected', 'posted', 'departed'], [epoch, 'a'])
    expect(await ask(1, 100)).toEqual(['settling', settleMicros])
    sides.now += 61_499_999
    expect(await ask(1, 100)).toEqual(['refused', 1, 0])
    sides.now += 1
    expect(unitsOf(await ask(100, 100))).toBe(100)
  },
)

/** A run of the store with one node. Returns what becomes of a wish; what was granted is kept for the next run. */
function startRun(run: string, clock: Clock, kept: Map<string, string>, width = 1_000_000) {
  const own = createOwnLimitStore({ clock, runId: run, kept })
  const logic = new Map(own.scripts)
  const joined = logic.get(joinScript)?.(memberKeys('a'), [run, 'a', '1500000', '', '0'])
  const epoch = Array.isArray(joined) ? String(joined[0]) : ''
  return (wish: number, granted = 0) => {
    const values = [epoch, 'a', storeSlots, settleMicros, 100, width, wish, wish, granted].map(String)
    const answer = logic.get(askScript)?.(['epoch', 'held:a', 'ring', 'account'], values)
    for (const [key, text] of own.takeChanges()) kept.set(key, text ?? '')
    return answer
  }
}

test('what was granted is kept for the next run, at once and whole', () => {
  let now = begin
  const kept = new Map<string, string>()
  const time = () => now
  const ask = (run: string, wish: number) => startRun(run, clockOver(time), kept)(wish)
  expect(ask('first', 60)).toMatchObject(['granted', 60, 40, begin / 1_000_000, 60])
  now += 1_000_000
  expect(ask('second', 60)).toEqual(['refused', 61_000_000, 40])
  now += 61_000_000
  expect(ask('third', 61)).toEqual(['granted', 61, 39, now / 1_000_000, 61])
  now += 70_000_000
  const last = createOwnLimitStore({ clock: clockOver(time), runId: 'last', kept })
  last.dropOld()
  expect(last.takeChanges()).toEqual([['ring', null]])
})

const unitsOf = (answer: unknown): unknown =>
  Array.isArray(answer) && answer[0] === 'granted' ? answer[1] : 0

describe('a wall clock that is set neither opens a limit of workers nor closes it', () => {
  const hourMs = 3_600_000
  /** Of a limit of an hour: nothing leaves it before, and everything then. */
  const windowMs = storeSlots * 60_000
  /** The start of a minute, which is a sub-bucket. */
  const minuteMs = begin / 1_000 + 40_000
  const kept = new Map<string, string>()

  function startAt(wallMs: number) {
    const time = { sinceMs: 0, wallMs }
    const clock = { now: () => time.wallMs + time.sinceMs, monotonic: () => time.sinceMs }
    const ask = startRun(`run of ${wallMs}`, clock, kept, 60_000_000)
    return { time, ask: (wish: number, granted: number) => unitsOf(ask(wish, granted)) }
  }

  /** All 100 were granted at 0. Asks every second, so that a step which stands is noticed by whoever looks. */
  function expectWholeWindow({ time, ask }: ReturnType<typeof startAt>, granted: number) {
    for (; time.sinceMs < windowMs; time.sinceMs += 1_000) expect(ask(1, granted)).toBe(0)
    expect(ask(100, granted)).toBe(100)
  }

  beforeEach(() => kept.clear())

  test.each([-hourMs, -30_000, 30_000, hourMs])('while they run (by %d ms)', (step) => {
    const run = startAt(minuteMs)
    expect(run.ask(100, 0)).toBe(100)
    run.time.wallMs += step
    expectWholeWindow(run, 100)
  })

  test.each([-hourMs, -30_000])('between two runs (by %d ms)', (step) => {
    expect(startAt(minuteMs).ask(100, 0)).toBe(100)
    expectWholeWindow(startAt(minuteMs + step), 0)
  })
})
