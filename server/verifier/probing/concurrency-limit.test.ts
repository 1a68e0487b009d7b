import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { createConcurrencyLimit } from './concurrency-limit.ts'

test('never more than the limit run, and everybody gets through in order', async () => {
  const tasks = fc.array(fc.record({ turns: fc.nat(4), fails: fc.boolean() }), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), tasks, async (limit, list) => {
      const concurrency = createConcurrencyLimit(limit)
      const started: number[] = []
      let running = 0
      let most = 0
      const results = await Promise.allSettled(
        list.map(({ turns, fails }, index) =>
          concurrency.run(async () => {
            started.push(index)
            running += 1
            most = Math.max(most, running)
            for (let turn = 0; turn < turns; turn++) await Promise.resolve()
            running -= 1
            if (fails) throw new Error('task')
            return index
          }),
        ),
      )
      expect(most).toBeLessThanOrEqual(limit)
      expect(started).toEqual(list.map((_, index) => index))
      expect(results.map(({ status }) => status === 'rejected')).toEqual(list.map(({ fails }) => fails))
      expect(await concurrency.run(() => Promise.resolve('open again'))).toBe('open again')
    }),
  )
})
