import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import fc from 'fast-check'

import { type AuditEvent, emptyChain } from '../../shared/audit.ts'
import { type UnhashedEvent, checkEnd, checkEvents, hashed, hashedText } from './chain.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const first: UnhashedEvent = {
  seq: 1,
  at: 1_767_225_600_000,
  actor: 'acc_1',
  actorLabel: 'Ada',
  action: 'api_key.create',
  subjectKind: 'api_key',
  subjectId: 'key_1',
  before: null,
  after: { permissions: ['statistics_read'], name: 'Büro' },
  ip: '192.0.2.1',
  requestId: 'req_1',
  previousHash: emptyChain.hash,
}

function chainOf(length: number): AuditEvent[] {
  const events: AuditEvent[] = []
  for (let seq = 1; seq <= length; seq += 1) {
    const previousHash = events.at(-1)?.hash ?? emptyChain.hash
    events.push(hashed({ ...first, seq, at: first.at + seq, previousHash }, sha256))
  }
  return events
}

const check = (events: AuditEvent[], remembered: AuditEvent | null = null) =>
  checkEvents(emptyChain, events, remembered, sha256)

test('the form of version 1 never changes: what is stored was hashed with it', () => {
  expect(hashedText(first)).toBe(
    '{"action":"api_key.create","actor":"acc_1","actorLabel":"Ada",' +
      '"after":{"name":"Büro","permissions":["statistics_read"]},"at":1767225600000,"before":null,' +
      '"ip":"192.0.2.1","previousHash":"0000000000000000000000000000000000000000000000000000000000000000",' +
      '"requestId":"req_1","seq":1,"subjectId":"key_1","subjectKind":"api_key","version":1}',
  )
  expect(hashed(first, sha256).hash).toBe('d27e847903a98170df31869930c07d3e0fc3cec87bf08b1a0ad530332f15fda1')
})

describe('a chain', () => {
  test('that is whole is followed to its end', () => {
    const events = chainOf(20)
    const last = events.at(-1)
    expect(check(events)).toEqual({ head: { seq: 20, hash: last?.hash ?? '' }, firstBad: null })
    expect(check([])).toEqual({ head: emptyChain, firstBad: null })
  })

  test('in which any field of any event differs is bad there', () => {
    const fields = Object.keys(first) as (keyof UnhashedEvent)[]
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.constantFrom(...fields), (seq, field) => {
        const events = chainOf(12).map((event) =>
          event.seq === seq ? { ...event, [field]: differing(event[field]) } : event,
        )
        const place = field === 'seq' ? { seq, reason: 'missing' } : { seq, reason: 'altered' }
        expect(check(events).firstBad).toMatchObject(place)
        expect(check(events).head.seq).toBe(seq - 1)
      }),
    )
  })

  test('without one of its events is bad there, unless that was the last', () => {
    const events = chainOf(5)
    for (let seq = 1; seq < 5; seq += 1) {
      expect(check(events.filter((event) => event.seq !== seq)).firstBad).toEqual({ seq, reason: 'missing' })
    }
    expect(check(events.slice(0, 4)).firstBad).toBeNull()
  })

  test('with two events in each other’s place is bad at the first of them', () => {
    const events = chainOf(5)
    const [, second, third] = events as [AuditEvent, AuditEvent, AuditEvent]
    const swapped = events.with(1, { ...third, seq: 2 }).with(2, { ...second, seq: 3 })
    expect(check(swapped).firstBad).toEqual({ seq: 2, reason: 'altered' })
  })

  test('in which a changed event was hashed anew is bad at the next', () => {
    const events = chainOf(5)
    const second = events[1] as AuditEvent
    const changed = events.with(1, hashed({ ...second, actor: 'acc_2' }, sha256))
    expect(check(changed).firstBad).toEqual({ seq: 3, reason: 'not_linked' })
  })

  test('that was written anew from some event on is told by a remembered head', () => {
    const remembered = chainOf(8)[5] as AuditEvent
    const events: AuditEvent[] = []
    for (const event of chainOf(8)) {
      const actor = event.seq === 4 ? 'acc_2' : event.actor
      const previousHash = events.at(-1)?.hash ?? emptyChain.hash
      events.push(hashed({ ...event, actor, previousHash }, sha256))
    }
    expect(check(events).firstBad).toBeNull()
    expect(check(events, remembered).firstBad).toEqual({ seq: 6, reason: 'not_as_remembered' })
  })

  test('whose end was cut off is told by a remembered head', () => {
    const events = chainOf(8)
    const remembered = events[6] as AuditEvent
    expect(checkEnd(check(events.slice(0, 4)).head, remembered)).toEqual({ seq: 5, reason: 'cut_off' })
    expect(checkEnd(check(events).head, remembered)).toBeNull()
    expect(checkEnd(emptyChain, null)).toBeNull()
  })
})

function differing(value: AuditEvent[keyof AuditEvent]): unknown {
  if (typeof value === 'number') return value + 1
  return typeof value === 'string' ? `${value}0` : { name: 'other' }
}
