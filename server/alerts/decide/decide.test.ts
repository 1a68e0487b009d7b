import { expect, test } from 'bun:test'

import type { AlertRule } from '../../../shared/alerts.ts'
import type { Decision } from '../../../shared/health.ts'
import { type DecideInput, type Decided, decideAlerts } from './decide.ts'
import type { OpenAlert } from './open-alert.ts'
import type { AlertableService, WatchedVerifier } from './watched.ts'

const start = Date.UTC(2026, 0, 1)
const down: AlertRule = {
  name: 'down',
  when: { decision: ['DOWN'], for: '0s' },
  channels: ['ops'],
  enabled: true,
}

/** A world in which decisions are changed by hand, and time goes on by itself. */
function createWorld(...rules: AlertRule[]) {
  let alerts: ReadonlyMap<string, OpenAlert> = new Map()
  let now = start
  let ids = 0
  const services = new Map<string, AlertableService>()
  const world = {
    channels: new Set(['ops']),
    silences: [] as DecideInput['silences'],
    windows: [] as DecideInput['windows'],
    rules,
    verifiers: [] as WatchedVerifier[],
    pass: (ms: number) => void (now += ms),
    set(id: string, decision: Decision, more: Partial<AlertableService> = {}) {
      const before = services.get(id)
      services.set(id, {
        id,
        name: id,
        chain: null,
        provider: 'acme',
        reason: '',
        pending: null,
        maintenance: null,
        ...before,
        decision,
        previous: before?.decision ?? decision,
        since: now,
        changes: [...(before?.changes ?? []), now],
        ...more,
      })
    },
    look(only: readonly string[] | null = null): Decided {
      const decided = decideAlerts(alerts, {
        ...world,
        now,
        services,
        facts: { verifiers: world.verifiers },
        only: only && new Set(only),
        newId: () => `alert_${++ids}`,
      })
      alerts = decided.alerts
      return decided
    },
    /** What is told at the next look, as `firing node-a`. */
    told: (only: readonly string[] | null = null) =>
      world.look(only).told.map(({ event }) => `${event.status} ${event.subject.id}`),
  }
  return world
}

test('a service that is DOWN is told once, and once when it is back', () => {
  const world = createWorld(down)
  world.set('a', 'UP')
  expect(world.told()).toEqual([])
  world.set('a', 'DOWN')
  expect(world.told(['a'])).toEqual(['firing a'])
  expect(world.told()).toEqual([])
  world.set('a', 'UP')
  expect(world.told(['a'])).toEqual(['resolved a'])
  expect(world.told()).toEqual([])
})

test('UNKNOWN resolves nothing, because nobody knows', () => {
  const world = createWorld(down)
  world.set('a', 'DOWN')
  expect(world.told()).toEqual(['firing a'])
  world.set('a', 'UNKNOWN')
  expect(world.told()).toEqual([])
  world.set('a', 'DOWN')
  expect(world.told()).toEqual([])
  world.set('a', 'LATENCY')
  expect(world.told()).toEqual(['resolved a'])
})

test('a rule that waits fires when it has lasted so long, and not for what was shorter', () => {
  const world = createWorld({ ...down, when: { decision: ['DOWN'], for: '5m' } })
  world.set('a', 'DOWN')
  world.set('b', 'DOWN')
  expect(world.told()).toEqual([])
  world.pass(200_000)
  world.set('b', 'UP')
  expect(world.told()).toEqual([])
  world.pass(100_000)
  expect(world.told([])).toEqual(['firing a'])
})

test('a chain that lost its reference is one alert, told once, until all its nodes are back', () => {
  const world = createWorld(down)
  const ids = Array.from({ length: 40 }, (_, place) => `n${place}`)
  for (const id of ids) world.set(id, 'UP', { chain: 'ethereum' })
  // They are decided about one after the other; the votes of all ask for it already.
  for (const id of ids) world.set(id, 'UP', { pending: 'DOWN' })
  world.set('n0', 'DOWN', { pending: null })
  expect(world.told(['n0'])).toEqual(['firing ethereum'])
  for (const id of ids) world.set(id, 'DOWN', { pending: null })
  expect(world.told()).toEqual([])
  expect([...world.look().alerts.values()].find(({ affected }) => affected > 0)?.affected).toBe(40)
  for (const id of ids.slice(1)) world.set(id, 'UP')
  expect(world.told()).toEqual([])
  world.set('n0', 'UP')
  expect(world.told()).toEqual(['resolved ethereum'])
})

test('what is still bad a minute after its chain is back is told for itself', () => {
  const world = createWorld(down)
  for (const id of ['a', 'b', 'c']) world.set(id, 'DOWN', { chain: 'ethereum' })
  expect(world.told()).toEqual(['firing ethereum'])
  world.set('a', 'UP')
  world.set('b', 'UP')
  expect(world.told()).toEqual([])
  world.pass(60_000)
  expect(world.told()).toEqual(['firing c', 'resolved ethereum'])
})

test('one message stands for all services that an isolated verifier makes UNKNOWN', () => {
  const world = createWorld({ ...down, when: { decision: ['UNKNOWN'], for: '0s' } })
  for (const id of ['a', 'b', 'c']) world.set(id, 'UNKNOWN')
  world.verifiers = [{ id: 'v', name: 'nyc', lastSeenAt: start, isIsolated: true }]
  const [told, ...others] = world.look().told
  expect(others).toEqual([])
  expect(told?.event.summary).toBe('Too few verifiers report: nyc is cut off; 3 services are affected')
})

test('a silence holds back, and what lasts beyond it is told then', () => {
  const world = createWorld(down)
  world.silences = [
    {
      id: 's',
      services: { id: 'a' },
      until: start + 60_000,
      reason: 'ticket 1',
      createdAt: start,
      createdBy: 'ann',
    },
  ]
  world.set('a', 'DOWN')
  world.set('b', 'DOWN')
  expect(world.told()).toEqual(['firing b'])
  expect([...world.look().alerts.values()][0]?.heldBack).toEqual({
    by: 'silence',
    name: 's',
    reason: 'ticket 1',
  })
  world.pass(60_000)
  expect(world.told()).toEqual(['firing a'])
})

test('maintenance of its chain, planned again and again, holds back what is resolved within it', () => {
  const world = createWorld(down)
  const every = { from: '00:00', to: '02:00', zone: 'UTC' }
  world.windows = [{ name: 'nightly', services: { chain: 'ethereum' }, reason: 'backup', every }]
  world.set('a', 'DOWN', { chain: 'ethereum' })
  expect(world.told()).toEqual([])
  world.set('a', 'UP')
  expect(world.told()).toEqual([])
})

test('a rule repeats while it fires, and not once somebody takes care of it', () => {
  const world = createWorld({ ...down, repeat: '1h' })
  world.set('a', 'DOWN')
  expect(world.told()).toEqual(['firing a'])
  world.pass(3_600_000)
  expect(world.told([])).toEqual(['firing a'])
  expect(world.told([])).toEqual([])
})

test('any change is told each time, until UP', () => {
  const world = createWorld({ ...down, when: { change: true } })
  world.set('a', 'LATENCY')
  expect(world.told()).toEqual(['firing a'])
  world.set('a', 'DOWN')
  expect(world.told()).toEqual(['firing a'])
  world.set('a', 'UP')
  expect(world.told()).toEqual(['resolved a'])
})

test('a service that flaps is told of once, and is over when it has been quiet', () => {
  const world = createWorld({ ...down, when: { flapping: { changes: 6, within: '1h' } } })
  for (const decision of ['DOWN', 'UP', 'DOWN', 'UP', 'DOWN', 'UP'] as const) {
    world.set('a', decision)
    world.pass(60_000)
  }
  expect(world.told()).toEqual(['firing a'])
  world.pass(3_600_000)
  expect(world.told()).toEqual(['resolved a'])
})

test('a rule that is switched off, and a service that is removed, are over for those who were told', () => {
  const world = createWorld(down)
  world.set('a', 'DOWN')
  expect(world.told()).toEqual(['firing a'])
  world.rules = [{ ...down, enabled: false }]
  expect(world.told([])).toEqual(['resolved a'])
})

test('rules without channels fire all the same, and are told once they have some', () => {
  const world = createWorld({ ...down, channels: [] })
  world.set('a', 'DOWN')
  expect(world.told()).toEqual([])
  world.rules = [down]
  expect(world.told()).toEqual(['firing a'])
})

test('only services that are selected count', () => {
  const world = createWorld({ ...down, services: { provider: ['acme', 'other'], chain: 'ethereum' } })
  world.set('a', 'DOWN')
  world.set('b', 'DOWN', { chain: 'ethereum' })
  expect(world.told()).toEqual(['firing b'])
})
