import { afterEach, expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { silentLog } from '../../../scripts/world/database.ts'
import { assignments, healthyRunner, movableClock, target } from '../test-support/fixtures.ts'
import { createProber } from './prober.ts'
import type { FinishedRound } from './round.ts'

const stopping: AbortController[] = []
afterEach(() => {
  for (const controller of stopping.splice(0)) controller.abort()
})

const oldAddress = 'http://127.0.0.1:1/'
const newAddress = 'http://127.0.0.1:2/'

/** A prober of one service whose address may change, under a clock that the test moves. */
function world() {
  const clock = movableClock()
  const asked: string[] = []
  const finished: FinishedRound[] = []
  const service = { address: oldAddress, isUp: true }
  const prober = createProber({
    runner: {
      ...healthyRunner,
      probeHead(probed, chain) {
        asked.push(probed.endpoint)
        if (service.isUp) return healthyRunner.probeHead(probed, chain)
        return Promise.resolve({ ok: false, error: 'TIMEOUT', rttMs: 0 })
      },
    },
    clock,
    random: () => 0.5,
    log: silentLog,
    onFinished: (round) => void finished.push(round),
    onBroken(error) {
      throw error
    },
  })
  const controller = new AbortController()
  stopping.push(controller)
  const assign = () => prober.assign(assignments([target('a', { endpoint: service.address })]))
  assign()
  void prober.run(controller.signal)

  /** Lets time pass, and resolves to what the rounds asked that began then, once there are so many. */
  async function pass(ms: number, rounds: number): Promise<string[]> {
    const [askedBefore, finishedBefore] = [asked.length, finished.length]
    clock.pass(ms)
    assign() // wakes the prober, which does not see that time has passed
    await waitUntil('the rounds', () => finished.length >= finishedBefore + rounds)
    return asked.slice(askedBefore)
  }
  return { service, prober, pass }
}

test('a service that has moved since it failed is retested where it is now', async () => {
  const { service, pass } = world()
  expect(await pass(1_000, 1)).toEqual([oldAddress])
  service.isUp = false
  expect(await pass(11_000, 1)).toEqual([oldAddress])
  expect(await pass(1_050, 1)).toEqual([oldAddress])
  service.address = newAddress
  expect(await pass(2_100, 2)).toEqual([newAddress, newAddress])
})

test('a service that has moved since it was suspected is probed where it is now', async () => {
  const { service, prober, pass } = world()
  expect(await pass(1_000, 1)).toEqual([oldAddress])
  prober.suspect('a')
  service.address = newAddress
  expect(await pass(100, 1)).toEqual([newAddress])
})
