import { describe, expect, test } from 'bun:test'

import { createIsolationCheck } from './isolation-check.ts'
import type { ServerClient } from '../server-client/server-client.ts'
import { assignments, movableClock, observation, round, target } from '../test-support/fixtures.ts'

const failed = (id: string) => round([observation(id, { ok: 0, error: 'CONNECT' })])
const refused = (id: string) => round([observation(id, { ok: 0, error: 'HTTP_5XX' })])
const fine = (id: string) => round([observation(id)])

function setUp() {
  const clock = movableClock()
  const internet = new Set<string>()
  const network = { isUp: true, asked: 0, gatewayIsUp: true, internet, greeted: [] as string[] }
  const serverClient: ServerClient = {
    assignments: () => Promise.resolve({ kind: 'unchanged' }),
    report: () => Promise.resolve({ kind: 'unreachable' }),
    ping: () => Promise.resolve(true),
  }
  const checkCanary = () => {
    network.asked += 1
    return Promise.resolve(network.isUp)
  }
  const early: string[] = []
  const told: string[] = []
  const check = createIsolationCheck({
    serverClient,
    checkCanary,
    defaultCanaryChecks: {
      checkGateway: () => Promise.resolve(network.gatewayIsUp),
      checkAddress: (address) => {
        network.greeted.push(address)
        return Promise.resolve(network.internet.has(address))
      },
    },
    clock,
    probeEarly: (serviceId) => void early.push(serviceId),
    log: {
      info: (message) => void told.push(message),
      warn: (message, fields) => void told.push(`${message}: ${String(fields?.cause)}`),
    },
  })
  check.assign(assignments([target('a'), target('b')], { canaries: ['one', 'two'] }))
  return { clock, network, early, check, told }
}

test('canaries are not bothered while probes are answered, be it with errors', async () => {
  const { network, check } = setUp()
  network.isUp = false
  expect(await check.check([fine('a'), refused('b')])).toBe(false)
  expect(network.asked).toBe(0)
})

test('a failure asks them, and goes on asking less often the longer it lasts', async () => {
  const { clock, network, check } = setUp()
  const timesAsked = async (seconds: number) => {
    const before = network.asked
    for (let second = 0; second < seconds; second += 1) {
      clock.pass(1_000)
      expect(await check.check([failed('a')])).toBe(false)
    }
    return (network.asked - before) / 2
  }
  expect(await check.check([failed('a')])).toBe(false)
  expect(network.asked).toBe(2)
  expect(await timesAsked(4)).toBe(3)
  expect(await timesAsked(26)).toBeLessThan(12)
  expect(await timesAsked(600)).toBe(100)
})

test('a network that is lost a moment after a service failed is not blamed on the service', async () => {
  const { clock, network, check } = setUp()
  expect(await check.check([failed('a')])).toBe(false)
  clock.pass(1_000)
  network.isUp = false
  expect(await check.check([failed('a')])).toBe(true)
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

test('the log says once that the verifier is cut off and why, and once that it is not any more', async () => {
  const { clock, network, check, told } = setUp()
  network.isUp = false
  for (let count = 0; count < 3; count++) {
    await check.check([failed('a')])
    clock.pass(10_000)
  }
  expect(told).toEqual([
    'the verifier takes itself for cut off: what it sees does not count: most canaries are silent',
  ])
  network.isUp = true
  for (let count = 0; count < 3; count++) await check.check([fine('a')])
  expect(told.slice(1)).toEqual(['the verifier is not cut off any more: what it sees counts again'])
})

test('services that have never answered leave the votes to those that do', async () => {
  const { clock, check } = setUp()
  const dead = Array.from({ length: 10 }, (_, index) => `dead-${index}`)
  const all = ['alive', ...dead].map((id) => target(id, { endpoint: `http://${id}.example/` }))
  check.assign(assignments(all))
  const failing = dead.map((id, index) => ({
    ...round([observation(id, { ok: 0, error: 'CONNECT', provider: `provider ${index}` })]),
    chainKey: `chain ${index}`,
  }))
  const results: boolean[] = []
  for (let count = 0; count < 3; count++) {
    results.push(await check.check(failing.map((one) => ({ ...one, startedAt: clock.monotonic() }))))
    clock.pass(1_000)
    results.push(await check.check([{ ...fine('alive'), startedAt: clock.monotonic() }]))
    clock.pass(9_000)
  }
  expect(results).toEqual([true, false, false, false, false, false])
})

const remote = ['a', 'b'].map((id) => target(id, { endpoint: `http://${id}.example/` }))

test('without configured canaries, the gateway is one once it has answered', async () => {
  const { network, check } = setUp()
  check.assign(assignments(remote))
  await check.check([fine('a'), fine('b')])
  network.gatewayIsUp = false
  expect(await check.check([failed('a')])).toBe(false) // the other one answered
  expect(await check.check([failed('b')])).toBe(true)
})

test('a gateway that never answered is none, and one that stands leaves a dead service dead', async () => {
  for (const gatewayIsUp of [false, true]) {
    const { network, check } = setUp()
    network.gatewayIsUp = gatewayIsUp
    check.assign(assignments([]))
    check.assign(assignments(remote))
    expect(await check.check([failed('a'), failed('b')])).toBe(false)
  }
})

test('nearly everything lost within two rounds is the verifier itself', async () => {
  const { clock, check } = setUp()
  const ids = ['a', 'b', 'c', 'd', 'e']
  check.assign(
    assignments(
      ids.map((id) => target(id, { endpoint: `http://${id}.example/` })),
      { canaries: ['one'] },
    ),
  )
  await check.check(ids.map(fine))
  const results: boolean[] = []
  for (const id of ids) {
    clock.pass(4_000)
    results.push(await check.check([failed(id)]))
  }
  expect(results).toEqual([false, false, false, false, true])
  expect(await check.check(ids.map(fine))).toBe(false)
})

const lostAt = (id: string, startedAt: number) =>
  round([observation(id, { ok: 0, error: 'CONNECT' })], { startedAt })

test('without a network, nobody waits until nearly everything was probed in its turn', async () => {
  const { early, check } = setUp()
  const ids = Array.from({ length: 20 }, (_, index) => `s${index}`)
  check.assign(
    assignments(
      ids.map((id) => target(id, { endpoint: `http://${id}.example/` })),
      { canaries: ['one'] },
    ),
  )
  for (const [index, id] of ids.entries())
    await check.check([round([observation(id)], { startedAt: 500 * index })])
  expect(early).toEqual([])

  expect(await check.check([lostAt('s0', 10_000)])).toBe(false)
  expect(early).toEqual(['s19', 's18', 's17', 's16'])
  expect(check.isUnclear()).toBe(true)
  expect(await check.check([lostAt('s19', 10_100)])).toBe(false)
  expect(check.isUnclear()).toBe(true)
  expect(await check.check(early.slice(1).map((id) => lostAt(id, 10_100)))).toBe(true)
  expect(check.isUnclear()).toBe(false)
  // The first answer ends it.
  expect(await check.check([round([observation('s1')], { startedAt: 10_500 }), lostAt('s2', 10_400)])).toBe(
    false,
  )
})

test('a service that dies alone has nobody else probed where others answer meanwhile', async () => {
  const { early, check } = setUp()
  await check.check([fine('a'), fine('b')])
  const others = round([observation('b')], { startedAt: 10_400 })
  expect(await check.check([lostAt('a', 10_000), others])).toBe(false)
  expect(early).toEqual([])
})

test('witnesses are waited for as long as a probe takes, and not after anything has answered', async () => {
  const { clock, check } = setUp()
  const ids = ['a', 'b', 'c']
  check.assign(assignments(ids.map((id) => target(id, { endpoint: `http://${id}.example/` }))))
  await check.check(ids.map(fine))
  await check.check([lostAt('a', 10_000)])
  expect(check.isUnclear()).toBe(true)
  await check.check([round([observation('b')], { startedAt: 11_000 })])
  expect(check.isUnclear()).toBe(false)

  await check.check([round([observation('a')], { startedAt: 12_000 })])
  await check.check([lostAt('a', 13_000)])
  expect(check.isUnclear()).toBe(true)
  clock.pass(5_000)
  expect(check.isUnclear()).toBe(false)
})

describe('default canaries on the Internet', () => {
  const addresses = ['198.51.100.1:53', '198.51.100.2:53', '198.51.100.3:53']
  const onInternet = (...known: string[]) => {
    const world = setUp()
    world.network.internet = new Set(known)
    world.check.assign(assignments(remote, { defaultCanaries: addresses }))
    return world
  }

  test('that answered before and are silent now mean that the verifier is cut off, though its gateway stands', async () => {
    const { clock, network, check } = onInternet(...addresses)
    await check.check([fine('a'), fine('b')])
    expect(await check.check([failed('a'), failed('b')])).toBe(false) // two dead services, and a network
    network.internet.clear()
    clock.pass(5_001)
    expect(await check.check([failed('a')])).toBe(true)
    const answer = round([observation('b')], { startedAt: clock.monotonic() })
    expect(await check.check([answer, failed('a')])).toBe(false)
  })

  test('say nothing where fewer than two of them ever answered', async () => {
    for (const known of [[], addresses.slice(0, 1)]) {
      const { network, check } = onInternet(...known)
      await check.check([fine('a'), fine('b')])
      network.internet.clear()
      expect(await check.check([failed('a'), failed('b')])).toBe(false)
    }
  })

  test('are asked again now and then, because a network may come up after its verifier', async () => {
    const { clock, network, check } = onInternet()
    network.internet = new Set(addresses)
    clock.pass(5_000)
    await check.check([fine('a'), fine('b')])
    network.internet.clear()
    expect(await check.check([failed('a'), failed('b')])).toBe(true)
  })

  test.each([
    ['the own network alone is watched', ['http://10.0.0.5:8545/', 'http://geth:8545/'], addresses],
    ['they are switched off', ['https://a.example/', 'https://b.example/'], []],
    ['the server is older than they are', ['https://a.example/', 'https://b.example/'], undefined],
  ])('are not asked where %s', async (_, endpoints, defaultCanaries) => {
    const { network, check } = setUp()
    const targets = endpoints.map((endpoint, index) => target(String(index), { endpoint }))
    check.assign(assignments(targets, defaultCanaries ? { defaultCanaries } : {}))
    await check.check([failed('0'), failed('1')])
    expect(network.greeted).toEqual([])
  })

  test('are not asked beside hosts of one’s own, and switched off the gateway is not either', async () => {
    const { network, check } = setUp()
    check.assign(assignments(remote, { canaries: ['one'], defaultCanaries: addresses }))
    check.assign(assignments(remote, { defaultCanaries: [] }))
    await check.check([fine('a'), fine('b')])
    network.gatewayIsUp = false
    expect(await check.check([failed('a'), failed('b')])).toBe(false)
    expect(network.greeted).toEqual([])
  })
})
