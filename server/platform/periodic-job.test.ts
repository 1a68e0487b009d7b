import { expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createPeriodicJob } from './periodic-job.ts'

test('a job that takes longer than its period never runs twice at once, and stop waits for the run under way', async () => {
  let active = 0
  let most = 0
  let runs = 0
  const gates: PromiseWithResolvers<void>[] = []
  const job = createPeriodicJob(
    1,
    async () => {
      active += 1
      runs += 1
      most = Math.max(most, active)
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      await gate.promise
      active -= 1
    },
    () => undefined,
  )
  job.start()
  await waitUntil('a run', () => runs === 1)
  const joined = job.run()
  gates[0]?.resolve()
  await joined
  await waitUntil('the next run', () => runs === 2)
  const stopped = job.stop()
  expect(active).toBe(1)
  gates[1]?.resolve()
  await stopped
  expect([active, most, runs]).toEqual([0, 1, 2])
})

test('a run that fails is reported and the next one comes; one that was asked for rejects', async () => {
  const failures: unknown[] = []
  const job = createPeriodicJob(
    1,
    () => Promise.reject(new RangeError('no')),
    (error) => failures.push(error),
  )
  expect(job.run()).rejects.toThrow('no')
  job.start()
  await waitUntil('two failures', () => failures.length >= 2)
  await job.stop()
  expect(failures[0]).toBeInstanceOf(RangeError)
})
