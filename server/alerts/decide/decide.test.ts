import { expect, test } from 'bun:test'

import type { AlertRule } from '../../../shared/alerts.ts'
import type { Decision } from '../../../shared/health.ts'
import { type DecideInput, type Decided, decideAlerts } from './decide.ts'
import type { OpenAlert } from './open-alert.ts'
import { type AlertableService, type SlowFacts, type WatchedVerifier, noFacts } from './watched.ts'

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
    expiring: new Set<string>(),
    silences: [] as DecideInput['silences'],
    windows: [] as DecideInput['windows'],
    rules,
    verifiers: [] as WatchedVerifier[],
    facts: {} as Partial<SlowFacts>,
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
        certificateEndsAt: null,
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
        facts: { ...noFacts, ...world.facts, verifiers: world.verifiers },
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

test('a clock that is set back by hours delays no rule that waits', () => {
  const world = createWorld({ ...down, when: { decision: ['DOWN'], for: '1m' } })
  world.set('a', 'DOWN')
  expect(world.told()).toEqual([])
  world.pass(-3 * 3_600_000)
  expect(world.told()).toEqual([])
  world.pass(60_000)
  expect(world.told()).toEqual(['firing a'])
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

const verifierNamed = (name: string, more: Partial<WatchedVerifier> = {}): WatchedVerifier => ({
  id: name,
  name,
  lastSeenAt: start,
  silentAt: start + 30_000,
  isSetAside: false,
  isIsolated: false,
  ...more,
})

test('one message stands for all services that verifiers make UNKNOWN which are cut off or silent', () => {
  const world = createWorld({ ...down, when: { decision: ['UNKNOWN'], for: '0s' } })
  for (const id of ['a', 'b', 'c']) world.set(id, 'UNKNOWN')
  world.verifiers = [
    verifierNamed('nyc', { isIsolated: true }),
    verifierNamed('fra', { silentAt: start }),
    verifierNamed('waw', { silentAt: start + 1 }),
    verifierNamed('idle', { silentAt: null }),
    verifierNamed('left', { silentAt: start - 1, isSetAside: true }),
  ]
  const [told, ...others] = world.look().told
  expect(others).toEqual([])
  expect(told?.event.summary).toBe(
    'Too few verifiers report: nyc is cut off, fra is silent; 3 services are affected',
  )
})

test('a verifier that was set aside makes nothing UNKNOWN', () => {
  const world = createWorld({ ...down, when: { decision: ['UNKNOWN'], for: '0s' } })
  world.set('a', 'UNKNOWN')
  world.verifiers = [verifierNamed('left', { silentAt: start, isSetAside: true, isIsolated: true })]
  expect(world.told()).toEqual(['firing a'])
})

test('a verifier is gone once it is silent by what it is asked for, and for as long as the rule wants', () => {
  const world = createWorld({ ...down, when: { verifier: ['gone'], for: '2m' } })
  world.verifiers = [
    verifierNamed('nyc', { silentAt: start + 750_000 }),
    verifierNamed('idle', { silentAt: null }),
  ]
  world.pass(749_999)
  expect([world.told(), world.look().alerts.size]).toEqual([[], 0])
  world.pass(1)
  expect([world.told(), world.look().alerts.size]).toEqual([[], 1])
  world.pass(120_000)
  expect(world.look().told.map(({ event }) => event.summary)).toEqual([
    'The verifier nyc has not reported since 2026-01-01 00:00 UTC',
  ])
  world.verifiers = [verifierNamed('nyc', { silentAt: start + 1_500_000 })]
  expect(world.told()).toEqual(['resolved nyc'])
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
  const [over] = world.look([]).told
  expect([over?.event.status, over?.event.summary]).toEqual([
    'resolved',
    'a is still DOWN, and no rule is about it any more',
  ])
})

test('a channel that a rule is given while it fires is told at once, the others only when it is due, and all of the end', () => {
  const world = createWorld({ ...down, repeat: '2h' })
  const told = () => world.look().told.map(({ channel, event }) => `${channel} ${event.status}`)
  world.channels = new Set(['ops', 'on-call'])
  world.set('a', 'DOWN')
  expect(told()).toEqual(['ops firing'])
  world.pass(3_600_000)
  world.rules = [{ ...down, repeat: '2h', channels: ['ops', 'on-call'] }]
  expect(told()).toEqual(['on-call firing'])
  expect(told()).toEqual([])
  world.pass(3_600_000)
  expect(told()).toEqual(['ops firing', 'on-call firing'])
  world.set('a', 'UP')
  expect(told()).toEqual(['ops resolved', 'on-call resolved'])
})

test('rules without channels fire all the same, and are told once they have some', () => {
  const world = createWorld({ ...down, channels: [] })
  world.set('a', 'DOWN')
  expect(world.told()).toEqual([])
  world.rules = [down]
  expect(world.told()).toEqual(['firing a'])
})

test('services are selected by label, of which one is enough', () => {
  const world = createWorld({ ...down, services: { label: ['team:payments', 'production'] } })
  world.set('a', 'DOWN', { labels: ['production', 'eu'] })
  world.set('b', 'DOWN', { labels: ['eu'] })
  world.set('c', 'DOWN')
  expect(world.told()).toEqual(['firing a'])
})

test('only services that are selected count', () => {
  const world = createWorld({ ...down, services: { provider: ['acme', 'other'], chain: 'ethereum' } })
  world.set('a', 'DOWN')
  world.set('b', 'DOWN', { chain: 'ethereum' })
  expect(world.told()).toEqual(['firing b'])
})

const day = 86_400_000
const named = { id: 'x', name: 'X' }
const others: readonly [AlertRule['when'], Partial<SlowFacts>, string, Partial<SlowFacts>][] = [
  [
    { keyEnds: { within: '14d' } },
    { endingKeys: [{ ...named, kind: 'query', endsAt: start + 13 * day }] },
    'The query key X ends at 2026-01-14 00:00 UTC',
    { endingKeys: [{ ...named, kind: 'query', endsAt: start + 30 * day }] },
  ],
  [
    { keyLimit: { percent: 80 } },
    { usedLimits: [{ ...named, of: 'key', measure: 'credits', used: 80, limit: 100, period: 'day' }] },
    'The query key X has used at least 80% of the 100 credits of its day',
    { usedLimits: [{ ...named, of: 'key', measure: 'credits', used: 79, limit: 100, period: 'day' }] },
  ],
  [
    { keyLimit: { percent: 80 } },
    { usedLimits: [{ ...named, of: 'account', measure: 'calls', used: 100, limit: 100, period: 'day' }] },
    'All keys of the account X together have used all 100 calls of their day',
    {},
  ],
  [
    { budget: { of: 'account', measure: 'credits', units: 1_000, percent: 80 } },
    { budgetUses: [{ ...named, of: 'account', measure: 'credits', used: 800, month: '2026-01' }] },
    'The account X has used 80% of its 1,000 credits of 2026-01',
    { budgetUses: [{ ...named, of: 'account', measure: 'calls', used: 800, month: '2026-01' }] },
  ],
  [
    { budget: { of: 'key', id: 'x', measure: 'calls', units: 10, percent: 100 } },
    {
      budgetUses: [
        { ...named, of: 'key', measure: 'calls', used: 10, month: '2026-01' },
        { id: 'y', name: 'Y', of: 'key', measure: 'calls', used: 99, month: '2026-01' },
      ],
    },
    'The query key X has used 100% of its 10 calls of 2026-01',
    {},
  ],
  [
    { installation: ['limits'], for: '0s' },
    { troubles: [{ kind: 'limits', since: start, text: 'The store of the limits is away' }] },
    'The store of the limits is away',
    { troubles: [{ kind: 'usage', since: start, text: 'Counts wait' }] },
  ],
  [
    { tools: 'changed' },
    { changedTools: [{ ...named, tools: ['a', 'b', 'c', 'd', 'e', 'f'] }] },
    'Tools of X are not those that were accepted: a, b, c, d, e and 1 more',
    {},
  ],
  [
    { account: ['new place'] },
    { accountEvents: [{ ...named, kind: 'new place', at: start, network: '192.0.2.0/24' }] },
    'The operator X signed in from a network that is new for the account: 192.0.2.0/24',
    { accountEvents: [{ ...named, kind: 'new operator', at: start, network: null }] },
  ],
]

test.each(others)('%j holds, is told once, and is over', (when, facts, summary, over) => {
  const world = createWorld({ ...down, when })
  world.facts = facts
  expect(world.look().told.map(({ event }) => [event.status, event.summary])).toEqual([['firing', summary]])
  world.pass(5_000)
  expect(world.told()).toEqual([])
  world.facts = over
  expect(world.look().told.map(({ event }) => event.status)).toEqual(['resolved'])
})

test('a certificate that ends is told for the services that are meant, whatever their decision', () => {
  const world = createWorld({
    ...down,
    when: { certificate: { within: '14d' } },
    services: { provider: 'acme' },
  })
  world.set('a', 'UP', { certificateEndsAt: start + 13 * day })
  world.set('b', 'UP', { certificateEndsAt: start + 15 * day })
  world.set('c', 'UP', { certificateEndsAt: start + day, provider: 'other' })
  expect(world.told(['a'])).toEqual([])
  expect(world.told()).toEqual(['firing a'])
  world.set('a', 'UP', { certificateEndsAt: start + 90 * day })
  expect(world.told()).toEqual(['resolved a'])
})
