import { expect, test } from 'bun:test'

import { createIsolationCheck } from './isolation-check.ts'
import type { ServerClient } from '../server-client/server-client.ts'
import { assignments, movableClock, observation, round, target } from '../test-support/fixtures.ts'

const failed = (id: string) => round([observation(id, { ok: 0, error: 'CONNECT' })])
const refused = (id: string) => round([observation(id, { ok: 0, error: 'HTTP_5XX' })])
const fine = (id: string) => round([observation(id)])

function setUp() {
  const clock = movableClock()
  const network = { isUp: true, asked: 0 }
  const serverClient: ServerClient = {
    assignments: () => Promise.resolve({ kind: 'unchanged' }),
    report: () => Promise.resolve({ kind: 'unreachable' }),
    ping: () => Promise.resolve(true),
  }
  const checkCanary = () => {
    network.asked += 1
    return Promise.resolve(network.isUp)
  }
  const check = createIsolationCheck(serverClient, checkCanary, clock)
  check.assign(assignments([target('a'), target('b')], { canaries: ['one', 'two'] }))
  return { clock, network, check }
}

test('canaries are not bothered while probes are answered, be it with errors', async () => {
  const { network, check } = setUp()
  network.isUp = false
  expect(await check.check([fine('a'), refused('b')])).toBe(false)
  expect(network.asked).toBe(0)
})

test('a failure asks them; the same failure asks again only after a while', async () => {
  const { clock, network, check } = setUp()
  expect(await check.check([failed('a')])).toBe(false)
  expect(network.asked).toBe(2)
  clock.pass(5_000)
  expect(await check.check([failed('a')])).toBe(false)
  expect(network.asked).toBe(2)
  clock.pass(1)
  await check.check([failed('a')])
  expect(network.asked).toBe(4)
})

test('a new failure asks at once, so that the first silence is not blamed on the service', async () => {
  const { network, check } = setUp()
  await check.check([failed('a')])
  network.isUp = false
  expect(await check.check([failed('b')])).toBe(true)
  expect(network.asked).toBe(4)
  network.isUp = true
  expect(await check.check([fine('b')])).toBe(false)
})
