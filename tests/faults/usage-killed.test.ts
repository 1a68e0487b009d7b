import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import {
  everyStatistic,
  manualClock,
  removeFolder,
  usageUnderTest,
} from '../../server/usage/test-support/usage-under-test.ts'
import type { Limit } from '../../shared/limits.ts'
import { testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import { seenOrder } from './usage/order.ts'

/** The promise says 50: GATEHOUSE_TEST_KILLS=50 tries that. */
const lives = Number(process.env['GATEHOUSE_TEST_KILLS'] ?? 10)
const methods = 5
const accountId = 'acc_killed'
const limit: Limit = { units: 400, period: 'week' }
const program = fileURLToPath(new URL('./usage/calling-process.ts', import.meta.url))

let testbed: TestDatabase
let folder = ''
beforeAll(async () => {
  testbed = await testDatabase()
})
afterAll(async () => {
  if (folder !== '') removeFolder(folder)
  await testbed?.drop()
})

/** What a process told of its calls, a letter for each step, until it was killed after about `letters` of them. */
async function liveAndDie(order: object, letters: number): Promise<string> {
  const child = Bun.spawn([process.execPath, '--no-env-file', program, JSON.stringify(order)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let told = ''
  const listening = (async () => {
    const decoder = new TextDecoder()
    for await (const part of child.stdout) told += decoder.decode(part)
  })()
  try {
    await waitUntil('the process calls', () => told.length >= letters || child.exitCode !== null, 30_000)
  } finally {
    child.kill('SIGKILL')
    await child.exited
    await listening
  }
  expect(child.signalCode).toBe('SIGKILL')
  return told
}

const countOf = (letters: string, letter: string): number => letters.split(letter).length - 1

describe('a process that is killed again and again while it counts and writes', () => {
  test(`(threat 16) [statistics-answer] [rate-limit-enforced] after ${lives} kills the statistics say what upstreams and callers saw`, async () => {
    const under = usageUnderTest(testbed.database, manualClock(Date.now()))
    folder = under.folder
    const order = { url: testbed.url, folder, accountId, methods, limit }
    let told = ''
    for (let life = 0; life < lives; life++) told += await liveAndDie(order, 3_000 + Math.random() * 9_000)

    under.clock.at = Date.now()
    const usage = under.open()
    const first = await usage.statistics.methods(accountId, everyStatistic)
    await usage.rollUp()
    const second = await usage.statistics.methods(accountId, everyStatistic)
    await usage.stop()
    expect(second.items).toEqual(first.items)

    // A kill may fall between counting a call and telling of it: three calls at most are one request.
    const untold = 3 * lives
    const { requests, credits, ok, errors, bytesIn } = first.totals
    const upstream = [...told].filter((letter) => letter >= 'a')
    expect(upstream.length).toBeGreaterThan(1_000 * lives)
    expect(requests).toBeWithin(upstream.length, upstream.length + untold + 1)
    for (const { method, ...numbers } of first.items) {
      const place = Number(method.replace('method_', ''))
      const calls = countOf(told, seenOrder.byUpstream(place))
      expect(numbers.requests).toBeWithin(calls, calls + untold + 1)
      // Calls that were under way when the process was killed are errors that cost nothing; but one that was killed
      // between its charge and its end, which are two words of memory.
      expect(numbers.requests).toBe(numbers.ok + numbers.errors)
      expect(numbers.credits).toBeWithin(numbers.ok * (place + 1), (numbers.ok + 1) * (place + 1) + 1)
    }
    const answered = countOf(told, seenOrder.byCaller)
    expect(ok).toBeWithin(answered, answered + untold + 1)
    expect(errors).toBeWithin(0, untold + 1)
    expect([credits, bytesIn].every(Number.isSafeInteger)).toBe(true)

    const admitted = countOf(told, seenOrder.admission)
    expect(admitted).toBeWithin(limit.units - lives, limit.units + 1)
    expect(readdirSync(folder).filter((name) => name.endsWith('.usage'))).toEqual([])
  }, 300_000)
})
