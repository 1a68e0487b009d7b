import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import fc from 'fast-check'

import { testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import { type LeftFile, readLeftFile } from './counting/read-slot.ts'
import { createUsageStore } from './store.ts'
import { type DyingDatabase, dyingDatabase, type Weather } from './test-support/dying-database.ts'
import {
  everyStatistic,
  type ManualClock,
  manualClock,
  removeFolder,
  temporaryFolder,
  usageUnderTest,
} from './test-support/usage-under-test.ts'
import type { MeasuredCalls, Usage } from './usage.ts'
import { minuteMs } from '../../shared/durations.ts'
import { covers } from '../../tests/support/covers.ts'

let testbed: TestDatabase
beforeAll(async () => {
  testbed = await testDatabase()
})
afterAll(() => testbed?.drop())

const methods = ['eth_call', 'eth_chainId', 'eth_getLogs'] as const
const place = fc.nat({ max: methods.length - 1 })

/** One step of a life: what happens next in the process, to it, or between it and the database. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('call'), places: fc.array(place, { minLength: 1, maxLength: 4 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('end'), which: fc.nat(), answered: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refusal'), place, isRate: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('time'), minutes: fc.integer({ min: 0, max: 90 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('flush'), isAwaited: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('roll up') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('weather'), weather: fc.constantFrom<Weather>('fair', 'away', 'lost answer') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('snapshot') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replay') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop') }) },
) // prettier-ignore
type Step = typeof step extends fc.Arbitrary<infer Kind> ? Kind : never

const none = { requests: 0, credits: 0, ok: 0, errors: 0, rateLimited: 0, creditLimited: 0, bytesIn: 0, bytesOut: 0 } // prettier-ignore

/** A server that is killed and started again and again on one data folder, and what it should have counted. */
class Lives {
  readonly accountId = `acc_${crypto.randomUUID()}`
  readonly clock: ManualClock = manualClock()
  readonly expected = new Map<string, typeof none>()
  readonly folders: string[] = []
  #database: DyingDatabase = dyingDatabase(testbed.database)
  #usage: Usage
  #open: { metered: MeasuredCalls; places: readonly number[]; since: number }[] = []
  #flushes: Promise<unknown>[] = []
  #snapshots: LeftFile[] = []

  constructor() {
    this.#usage = this.#start(temporaryFolder())
  }

  #start(folder: string): Usage {
    this.folders.push(folder)
    this.#database = dyingDatabase(testbed.database)
    return usageUnderTest(this.#database, this.clock, folder).open()
  }

  #countsOf(index: number): typeof none {
    const name = methods[index] ?? ''
    const counts = this.expected.get(name) ?? { ...none }
    this.expected.set(name, counts)
    return counts
  }

  async take(next: Step): Promise<void> {
    const key = { id: `${this.accountId}_key`, accountId: this.accountId, endpoint: 'testnet' }
    switch (next.kind) {
      case 'call':
        return this.#call(key, next.places)
      case 'end':
        return this.#end(next.which, next.answered)
      case 'refusal':
        this.#usage.meter.refuse(
          key,
          [{ method: methods[next.place] ?? '', credits: 1 }],
          next.isRate ? 'rate' : 'credits',
        )
        this.#countsOf(next.place)[next.isRate ? 'rateLimited' : 'creditLimited']++
        return
      case 'time':
        this.clock.at += next.minutes * minuteMs
        return this.#endLong()
      case 'flush':
        return this.#flush(next.isAwaited)
      case 'roll up':
        return this.#usage.rollUp().catch(expectUnavailable)
      case 'weather':
        this.#database.weather = next.weather
        return
      case 'snapshot':
        this.#snapshots.push(...this.#filesNow())
        return
      case 'replay':
        return this.#replay()
      case 'crash':
        return this.#crash()
      case 'stop':
        await this.#usage.stop()
        this.#endAll()
        this.#usage = this.#start(this.folders.at(-1) ?? '')
    }
  }

  #call(key: Parameters<Usage['meter']['admit']>[0], places: readonly number[]): void {
    const calls = places.map((index) => ({ method: methods[index] ?? '', credits: 10 + index }))
    const metered = this.#usage.meter.admit(key, calls, 100 * calls.length)
    this.#open.push({ metered, places, since: this.clock.at })
    for (const index of places) {
      const counts = this.#countsOf(index)
      counts.requests++
      counts.credits += 10 + index
      counts.bytesIn += 100
    }
  }

  /** What has not ended within an hour is not told to have ended any more. */
  #endLong(): void {
    const longest = 60 * minuteMs
    while ((this.#open[0]?.since ?? this.clock.at) < this.clock.at - longest) this.#end(0, true)
  }

  /** What is under way when a process ends is an error that costs nothing. */
  #endAll(): void {
    for (const index of this.#open.splice(0).flatMap(({ places }) => places)) {
      const counts = this.#countsOf(index)
      counts.errors++
      counts.credits -= 10 + index
    }
  }

  #end(which: number, isAnswered: boolean): void {
    const [ending] = this.#open.splice(which % Math.max(1, this.#open.length), 1)
    if (ending === undefined) return
    const { metered, places } = ending
    const outcome = isAnswered ? 'ok' : 'unanswered'
    const creditsBack = places.map((index) => (isAnswered ? 0 : 10 + index))
    metered.settle(places.map(() => outcome), { bytesOut: 7 * places.length, tookMs: 3, creditsBack }) // prettier-ignore
    for (const index of places) {
      const counts = this.#countsOf(index)
      counts.bytesOut += 7
      counts[isAnswered ? 'ok' : 'errors']++
      if (!isAnswered) counts.credits -= 10 + index
    }
  }

  async #flush(isAwaited: boolean): Promise<void> {
    const flush = this.#usage.flush().catch(expectUnavailable)
    this.#flushes.push(flush)
    if (isAwaited) await flush
  }

  #filesNow(): LeftFile[] {
    const folder = this.folders.at(-1) ?? ''
    return usageFiles(folder).flatMap(
      (name) => readLeftFile(new Uint8Array(readFileSync(join(folder, name)))) ?? [],
    )
  }

  /** A write that a dead process sent long ago arrives only now. */
  async #replay(): Promise<void> {
    const store = createUsageStore(testbed.database)
    for (const { writer, slots } of this.#snapshots) if (slots.length > 0) await store.write(writer, slots)
  }

  /** What the kernel has of the mapped files at this moment is what the next process finds. */
  async #crash(): Promise<void> {
    this.#database.isDead = true
    const [before, after] = [this.folders.at(-1) ?? '', temporaryFolder()]
    for (const name of usageFiles(before)) copyFileSync(join(before, name), join(after, name))
    this.#endAll()
    await Promise.all(this.#flushes.splice(0))
    this.#usage = this.#start(after)
  }

  async finish(): Promise<{ methods: Map<string, typeof none>; sum: typeof none }> {
    await this.#crash()
    await this.#usage.rollUp()
    await this.#replay()
    const { items, totals } = await this.#usage.statistics.methods(this.accountId, everyStatistic)
    await this.#usage.stop()
    for (const folder of this.folders) removeFolder(folder)
    return {
      methods: new Map(items.map(({ method, ...row }) => [method, countsIn(row)])),
      sum: countsIn(totals),
    }
  }
}

const usageFiles = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.usage'))

const countsIn = (row: typeof none): typeof none =>
  Object.fromEntries(Object.keys(none).map((name) => [name, Reflect.get(row, name)])) as typeof none

function expectUnavailable(error: unknown): void {
  expect(error).toMatchObject({ code: 'unavailable' })
}

describe('counted once, whatever happens', () => {
  covers('threat-16')
  test('any order of calls, ends, writes, lost answers, late writes, crashes and restarts', async () => {
    covers('statistics-answer')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 50, size: 'max' }), async (steps) => {
        const lives = new Lives()
        for (const next of steps) await lives.take(next)
        const { methods: found, sum } = await lives.finish()
        expect(found).toEqual(lives.expected)
        const expected = { ...none }
        for (const counts of lives.expected.values()) {
          for (const name of Object.keys(none) as (keyof typeof none)[]) expected[name] += counts[name]
        }
        expect(sum).toEqual(expected)
      }),
      { numRuns: Number(process.env['GATEHOUSE_TEST_RUNS'] ?? 8) },
    )
  }, 120_000)
})
