import { expect, test } from 'bun:test'

import { createSerialRuns } from './serial-runs.ts'

/** Work that ends when the test says so. */
function steeredWork() {
  const begun: PromiseWithResolvers<void>[] = []
  const runs = createSerialRuns(() => {
    const run = Promise.withResolvers<void>()
    begun.push(run)
    return run.promise
  })
  return { begun, runs }
}

test('a call waits for a run that began after it, and shares it', async () => {
  const { begun, runs } = steeredWork()
  const first = runs.run()
  const [second, third] = [runs.run(), runs.run()]
  expect(begun).toHaveLength(1)
  begun[0]?.resolve()
  await first
  while (begun.length < 2) await Bun.sleep(0)
  begun[1]?.resolve()
  await Promise.all([second, third])
  expect(begun).toHaveLength(2)
})

test('a call that only wants one to be on joins it', async () => {
  const { begun, runs } = steeredWork()
  const both = [runs.run(), runs.runUnlessRunning()]
  expect(begun).toHaveLength(1)
  begun[0]?.resolve()
  await Promise.all(both)
})

test('a failure is told to those who waited for it, and to nobody else', async () => {
  const { begun, runs } = steeredWork()
  const first = runs.run()
  const second = runs.run()
  begun[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  while (begun.length < 2) await Bun.sleep(0)
  begun[1]?.resolve()
  expect(await second).toBeUndefined()
})

test('settled waits also for the run that is still to begin', async () => {
  const { begun, runs } = steeredWork()
  const all = [runs.run(), runs.run()]
  const order: string[] = []
  const settled = runs.settled().then(() => order.push('settled'))
  begun[0]?.resolve()
  while (begun.length < 2) await Bun.sleep(0)
  order.push('the second run ends')
  begun[1]?.resolve()
  await Promise.all([...all, settled])
  expect(order).toEqual(['the second run ends', 'settled'])
})
