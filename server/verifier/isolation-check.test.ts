import { expect, test } from 'bun:test'

import { createIsolationCheck } from './isolation-check.ts'
import type { ServerLink } from './server-link.ts'
import { assignments, movableClock, observation, round, target } from './test-support/fixtures.ts'

const failed = (id: string) => round([observation(id, { ok: 0, error: 'CONNECT' })])
const refused = (id: string) => round([observation(id, { ok: 0, error: 'HTTP_5XX' })])
const fine = (id: string) => round([observation(id)])

function setUp() {
  const clock = movableClock()
  const network = { isUp: true, asked: 0 }
  const link: ServerLink = {
    assignments: () => Promise.resolve({ kind: 'unchanged' }),
    report: () => Promise.resolve({ kind: 'unreachable' }),
    ping: () => Promise.resolve(true),
  }
  const reach = () => {
    network.asked += 1
    return Promise.resolve(network.isUp)
  }
  const check = createIsolationCheck(link, reach, clock)
  check.follow(assignments([target('a'), target('b')], { canaries: ['one', 'two'] }))
  return { clock, network, check }
}

test('canaries are not bothered while probes are answered, be it with errors', async () => {
  const { network, check } = setUp()
  network.isUp = false
  expect(await check.judge([fine('a'), refused('b')])).toBe(false)
  expect(network.asked).toBe(0)
})

test('a failure asks them; the same failure asks again only after a while', async () => {
  const { clock, network, check } = setUp()
  expect(await check.judge([failed('a')])).toBe(false)
  expect(network.asked).toBe(2)
  clock.pass(5_000)
  expect(await check.judge([failed('a')])).toBe(false)
  expect(network.asked).toBe(2)
  clock.pass(1)
  await check.judge([failed('a')])
  expect(network.asked).toBe(4)
})

test('a new failure asks at once, so that the first silence is not blamed on the service', async () => {
  const { network, check } = setUp()
  await check.judge([failed('a')])
  network.isUp = false
  expect(await check.judge([failed('b')])).toBe(true)
  expect(network.asked).toBe(4)
  network.isUp = true
  expect(await check.judge([fine('b')])).toBe(false)
})
