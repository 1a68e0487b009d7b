import { describe, expect, test } from 'bun:test'

import { breachesOf, rules, verdictOf } from './judge.ts'
import { type CallSeen, type FaultSeen, type RunRecord, type RunSpan, traffics } from './record.ts'
import { noteSpan } from './stalls.ts'

/** A run in which each promise is tried and holds: every test below spoils one thing of it. */

const call = (changes: Partial<CallSeen>): CallSeen => ({
  traffic: 'relay free',
  key: null,
  sentAt: 1_000,
  answeredAt: 1_010,
  outcome: 'answered',
  detail: '',
  reachedAt: null,
  ...changes,
})

const fault = (changes: Partial<FaultSeen>): FaultSeen => ({
  name: 'a fault',
  what: 'one',
  from: 20_000,
  until: 22_000,
  death: null,
  endsStreams: false,
  away: [],
  ...changes,
})

const healthAt = (at: number, changes = {}) => ({
  at,
  serviceId: 'site',
  decision: 'UP' as const,
  ageMs: 900,
  mayBeMs: 20_000,
  ...changes,
})

const steady = Array.from({ length: 59 }, (_, second) => healthAt(1_000 * (second + 1)))
const limited = (count: number, from: number, spacingMs: number): CallSeen[] =>
  Array.from({ length: count }, (_, index) => {
    const sentAt = from + index * spacingMs
    return call({
      traffic: 'relay limited',
      key: 'limited',
      sentAt,
      answeredAt: sentAt + 9,
      reachedAt: sentAt + 5,
    })
  })

const good: RunRecord = {
  from: 0,
  until: 60_000,
  faults: [
    fault({ death: { from: 20_400, until: 20_500 }, endsStreams: true }),
    fault({ from: 40_000, until: 43_000, away: [{ engine: 'database', from: 40_000, until: 43_000 }] }),
  ],
  calls: [
    ...traffics.map((traffic) => call({ traffic })),
    call({ key: 'free' }),
    call({ key: 'free', outcome: 'cut', sentAt: 20_400, answeredAt: 20_450 }),
    call({ traffic: 'console', outcome: 'unavailable', sentAt: 41_000, answeredAt: 41_500 }),
    call({ traffic: 'agent sse', outcome: 'lost', sentAt: 23_000, answeredAt: 23_100 }),
    ...limited(5, 10_000, 100),
    ...limited(5, 11_100, 100),
    call({ traffic: 'relay limited', key: 'limited', outcome: 'limited' }),
  ],
  keys: [
    { name: 'free', limit: null, counted: 2 },
    { name: 'limited', limit: { units: 5, periodMs: 1_000 }, counted: 10 },
  ],
  health: steady,
  terms: [
    { said: 'by the database', shard: 0, epoch: 1, holder: 'a' },
    { said: 'by the database', shard: 0, epoch: 1, holder: 'a' },
    { said: 'by the database', shard: 0, epoch: 2, holder: 'b' },
    { said: 'by the database', shard: 1, epoch: 2, holder: 'a' },
    { said: 'by processes', shard: 0, epoch: 1, holder: 'process 1' },
  ],
  buckets: [{ name: 'site 5m', lengthMs: 300_000, decidedMs: 300_000 }],
  probes: [{ serviceId: 'site', probes: 60, most: 60 }],
  acknowledged: ['one'],
  kept: ['one', 'another'],
  ended: [],
  stalls: [],
}

/** The calls of the good run, without those that a test replaces. */
const withCalls = (...calls: CallSeen[]): RunRecord => ({ ...good, calls: [...good.calls, ...calls] })

test('a run in which everything holds has no breach', () => {
  expect(breachesOf(good)).toEqual([])
})

const unavailable = (changes: Partial<CallSeen>): RunRecord =>
  withCalls(call({ outcome: 'unavailable', sentAt: 41_000, answeredAt: 41_500, ...changes }))
const cut = (changes: Partial<CallSeen>): RunRecord =>
  withCalls(call({ outcome: 'cut', sentAt: 20_400, answeredAt: 20_600, ...changes }))

const spoiled: readonly (readonly [rule: string, what: string, record: RunRecord])[] = [
  [
    'at most one decider in each epoch',
    'two decide under one epoch',
    { ...good, terms: [...good.terms, { said: 'by the database', shard: 0, epoch: 2, holder: 'c' }] },
  ],
  ...(
    [
      ['UNKNOWN', { decision: 'UNKNOWN' }],
      ['stale', { ageMs: 21_001 }],
      ['ahead of the time', { ageMs: -2_000 }],
    ] as const
  ).map(
    ([what, changes]) =>
      [
        'health never stale or UNKNOWN for more than 5 s',
        `health is ${what} for 6 s`,
        {
          ...good,
          health: steady.map((one) => (one.at > 30_000 && one.at < 36_000 ? { ...one, ...changes } : one)),
        },
      ] as const,
  ),
  [
    'health never stale or UNKNOWN for more than 5 s',
    'health is not answered at the end',
    { ...good, health: steady.filter(({ at }) => at < 54_000) },
  ],
  [
    'health never stale or UNKNOWN for more than 5 s',
    'one answer takes 6 s',
    withCalls(call({ traffic: 'health', answeredAt: 7_001 })),
  ],
  [
    'no bucket of history longer than its length',
    'a bucket is a millisecond too long',
    { ...good, buckets: [{ name: 'site 5m', lengthMs: 300_000, decidedMs: 300_001 }] },
  ],
  [
    'one probe in each interval by each verifier',
    'a service is probed once too often',
    { ...good, probes: [{ serviceId: 'site', probes: 61, most: 60 }] },
  ],
  [
    'nothing admitted above the limits',
    'a sixth call falls into a second',
    {
      ...withCalls(...limited(1, 10_450, 0)),
      keys: good.keys.map((key) => (key.name === 'limited' ? { ...key, counted: 11 } : key)),
    },
  ],
  ...([9, 11] as const).map(
    (counted) =>
      [
        'usage is what callers counted',
        `${counted} of 10 answered calls are counted`,
        { ...good, keys: good.keys.map((key) => (key.name === 'limited' ? { ...key, counted } : key)) },
      ] as const,
  ),
  ...(
    [
      ['a free call is refused while the database is away', unavailable({})],
      ['health is refused while the database is away', unavailable({ traffic: 'health' })],
      [
        'a limited call is refused while only the database is away',
        unavailable({ traffic: 'relay limited' }),
      ],
      [
        'the console is refused long after',
        unavailable({ traffic: 'console', sentAt: 51_100, answeredAt: 51_200 }),
      ],
      [
        'the console is refused before',
        unavailable({ traffic: 'console', sentAt: 39_000, answeredAt: 39_900 }),
      ],
      ['a call is cut that was sent after the death', cut({ sentAt: 20_501 })],
      ['a call is cut before the kill', cut({ answeredAt: 20_399, sentAt: 20_300 })],
      [
        'a call is cut while the database is away',
        cut({ traffic: 'console', sentAt: 41_000, answeredAt: 41_100 }),
      ],
      ['a session is lost when its process ends', cut({ traffic: 'agent 2025', outcome: 'lost' })],
      [
        'a stream ends where no process did',
        cut({ traffic: 'agent sse', sentAt: 50_000, answeredAt: 50_100 }),
      ],
    ] as const
  ).map(([what, record]) => ['no refusal where a process could answer', what, record] as const),
  ['nothing acknowledged is lost', 'a change is gone', { ...good, kept: ['another'] }],
  ['everything goes on', 'a verifier ended', { ...good, ended: ['a verifier ended'] }],
  ...traffics.map(
    (traffic) =>
      [
        'every kind of caller was answered',
        `${traffic} is never answered`,
        {
          ...good,
          keys: [],
          calls: good.calls.filter((one) => one.traffic !== traffic),
        },
      ] as const,
  ),
]

describe('of runs of which one thing is spoiled, exactly that is said', () => {
  test.each(spoiled)('%s: %s', (rule, _, record) => {
    expect(breachesOf(record).map((breach) => breach.rule)).toEqual([rule])
  })

  test('every rule is tried', () => {
    expect(new Set(spoiled.map(([rule]) => rule))).toEqual(new Set(rules.map(({ name }) => name)))
  })
})

test('a gap of health counts without the time in which the observer itself stood still', () => {
  const health = steady.filter(({ at }) => at <= 30_000 || at >= 37_000)
  expect(breachesOf({ ...good, health })).toHaveLength(1)
  expect(breachesOf({ ...good, health, stalls: [{ from: 31_000, until: 34_000 }] })).toEqual([])
})

test('who asks another program is excused beside a moment without a processor, all others after a long one', () => {
  const at = { outcome: 'unavailable', sentAt: 50_000, answeredAt: 50_300 } as const
  const moment = [{ from: 48_900, until: 49_001 }]
  const limitedCall = call({ traffic: 'relay limited', ...at })
  expect(breachesOf({ ...withCalls(limitedCall), stalls: moment })).toEqual([])
  expect(breachesOf({ ...withCalls({ ...limitedCall, sentAt: 50_002 }), stalls: moment })).toHaveLength(1)
  expect(breachesOf({ ...withCalls(call(at)), stalls: moment })).toHaveLength(1)
  expect(breachesOf({ ...withCalls(call(at)), stalls: [{ from: 47_000, until: 48_999 }] })).toHaveLength(1)
  expect(breachesOf({ ...withCalls(call(at)), stalls: [{ from: 47_000, until: 49_000 }] })).toEqual([])
})

test('what the machine had no time for is neither broken nor held once it is much of a run', () => {
  const busy = Array.from({ length: 13 }, (_, second) => ({
    from: second * 4_000,
    until: second * 4_000 + 1_000,
  }))
  expect(verdictOf(good)).toBe('held')
  expect(verdictOf({ ...good, stalls: busy.slice(0, 12) })).toBe('held')
  expect(verdictOf({ ...good, stalls: busy })).toBe('inconclusive')
  expect(verdictOf({ ...good, stalls: busy, kept: [] })).toBe('broken')
})

test('stalls that touch are one', () => {
  const seen: RunSpan[] = []
  for (const [from, until] of [
    [1, 2],
    [4, 5],
    [4, 6],
    [3, 7],
    [8, 9],
    [2, 10],
  ] as const)
    noteSpan(seen, { from, until })
  expect(seen).toEqual([{ from: 1, until: 10 }])
})

test('calls that were sent long before the node got them are not taken for too many', () => {
  const late = limited(5, 30_000, 1_000).map((one) => ({ ...one, reachedAt: 36_000, answeredAt: 36_010 }))
  const keys = good.keys.map((key) => (key.name === 'limited' ? { ...key, counted: 20 } : key))
  expect(breachesOf({ ...withCalls(...late, ...limited(5, 35_990, 1)), keys })).toEqual([])
})
