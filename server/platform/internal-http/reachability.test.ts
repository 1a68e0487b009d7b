import { expect, test } from 'bun:test'

import { silentLog } from '../../../scripts/world/database.ts'
import { NodeError } from './node-error.ts'
import { createReachability } from './reachability.ts'

const node = { id: 'b', url: 'http://10.0.0.6:3001', version: '1', startedAt: 0 }

/** One other process, and a way to it that the test breaks. */
function setUp() {
  const way = { isBroken: false }
  const said: string[] = []
  const note = (message: string): void => void said.push(message)
  let now = 0
  const reachability = createReachability({
    clock: { monotonic: () => now },
    log: { ...silentLog, info: note, warn: note },
    ownUrl: null,
    others: () => [node],
    async send() {
      if (way.isBroken) throw new NodeError('unreachable')
      return new Response(null, { status: 204 })
    },
  })
  return {
    way,
    said,
    unreachable: reachability.unreachableCount,
    async pass(sec: number) {
      for (const until = now + sec * 1_000; now < until; now += 500) {
        reachability.check()
        await new Promise(setImmediate)
      }
    },
  }
}

test('a way that breaks after it was fine is counted and said within half a minute, and so is its mending', async () => {
  const { way, said, unreachable, pass } = setUp()
  await pass(60)
  expect([unreachable(), said]).toEqual([0, []])
  for (const round of [1, 2]) {
    way.isBroken = true
    await pass(40)
    expect([round, unreachable()]).toEqual([round, 1])
    way.isBroken = false
    await pass(5)
    expect([round, unreachable()]).toEqual([round, 0])
  }
  expect(said).toEqual([
    expect.stringContaining('cannot be reached at the address'),
    'another process is reached now',
    expect.stringContaining('cannot be reached at the address'),
    'another process is reached now',
  ])
})
