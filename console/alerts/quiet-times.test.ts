import { describe, expect, test } from 'bun:test'

import type { MaintenanceView } from '../../shared/alert-times.ts'
import { hourMs } from '../../shared/durations.ts'
import { dailySpanText } from './daily-span.ts'
import {
  maintenanceDraftOf,
  maintenanceProblems,
  newMaintenanceDraft,
  readMaintenanceDraft,
} from './maintenance-draft.ts'
import { maintenanceFacts, silenceFacts, silenceTitle, soonestFirst } from './quiet-times.ts'
import { readSilence, silenceDraftFor } from './silence-draft.ts'
import { firingAlert } from './test-support/firing-alert.ts'

const now = 1_700_000_000_000
const nameOf = (id: string): string => (id === 'node-a' ? 'Node A' : id)
const once = { from: now - hourMs, to: now + hourMs }
const work: MaintenanceView = {
  name: 'New disks',
  services: { id: 'node-a' },
  reason: 'Moving',
  once,
  managedBy: 'operator',
  isUnderWay: true,
  startsAt: once.from,
  endsAt: once.to,
}

describe('silences', () => {
  test('of what fires: about its service or chain in all rules, about anything else in its rule', () => {
    const read = (alert: ReturnType<typeof firingAlert>) => {
      const reading = readSilence(silenceDraftFor({ kind: 'alert', alert }), now)
      return reading.kind === 'value' ? reading.value : null
    }
    const usual = { until: now + hourMs, reason: '' }
    expect(read(firingAlert({}))).toEqual({ services: { id: ['node-a'] }, ...usual })
    const chain = { kind: 'chain', id: 'base', name: 'Base' } as const
    expect(read(firingAlert({ subject: chain }))).toEqual({ services: { chain: ['base'] }, ...usual })
    const verifiers = { kind: 'verifiers', id: 'all', name: 'Verifiers' } as const
    expect(read(firingAlert({ subject: verifiers, rule: 'Silent' }))).toEqual({ rule: 'Silent', ...usual })
  })

  test('of services of the list: about these in all rules', () => {
    const services = ['a', 'b'].map((id) => ({ id, name: id }))
    const reading = readSilence(silenceDraftFor({ kind: 'services', services }), now)
    expect(reading).toMatchObject({ kind: 'value', value: { services: { id: ['a', 'b'] } } })
  })

  test('end at an instant that is to come', () => {
    const draft = { ...silenceDraftFor(null), end: 'custom' as const }
    expect(readSilence(draft, now)).toMatchObject({ kind: 'wrong', errors: { until: 'Say until when.' } })
  })

  test('say what and why', () => {
    const silence = { id: 's', until: now, reason: 'ticket 4471', createdAt: 0, createdBy: '0x26…a8' }
    expect(silenceTitle(silence, nameOf)).toBe('all services')
    expect(silenceTitle({ ...silence, rule: 'Node down' }, nameOf)).toBe('rule “Node down”')
    const services = { id: 'node-a' }
    expect(silenceTitle({ ...silence, services, decisions: ['LATENCY'] }, nameOf)).toBe(
      'Node A, LATENCY only',
    )
    expect(silenceFacts(silence)).toBe('“ticket 4471”, by 0x26…a8')
    expect(silenceFacts({ ...silence, reason: '' })).toBe('no reason given, by 0x26…a8')
  })
})

describe('maintenance', () => {
  test('comes through the form as it was', () => {
    const whole = Math.floor(now / 60_000) * 60_000
    const span = { from: whole, to: whole + hourMs }
    expect(readMaintenanceDraft(maintenanceDraftOf({ ...work, once: span }, now))).toEqual({
      kind: 'value',
      value: { name: 'New disks', services: { id: ['node-a'] }, reason: 'Moving', once: span },
    })
    const { once: _once, ...repeated } = work
    const every = { from: '02:00', to: '04:00', zone: 'Europe/Berlin', days: ['sun' as const] }
    expect(readMaintenanceDraft(maintenanceDraftOf({ ...repeated, every }, now))).toMatchObject({
      value: { every },
    })
  })

  test.each([
    {
      what: 'seconds',
      zone: 'UTC',
      from: Date.UTC(2027, 10, 7, 5, 0, 45),
      to: Date.UTC(2027, 10, 7, 5, 0, 59),
    },
    {
      what: 'the second of two equal hours',
      zone: 'America/St_Johns',
      from: Date.UTC(2027, 10, 7, 5),
      to: Date.UTC(2027, 10, 7, 5, 15),
    },
  ])('keeps $what of times that nobody changes', ({ zone, from, to }) => {
    const usual = process.env['TZ']
    process.env['TZ'] = zone
    try {
      const opened = maintenanceDraftOf({ ...work, once: { from, to } }, now)
      const read = (draft: typeof opened) => readMaintenanceDraft({ ...draft, reason: 'Other' })
      expect(read(opened)).toMatchObject({ value: { reason: 'Other', once: { from, to } } })
      expect(read({ ...opened, to: '2027-11-07T12:00' })).toMatchObject({
        value: { once: { from, to: new Date(2027, 10, 7, 12).getTime() } },
      })
    } finally {
      process.env['TZ'] = usual ?? 'UTC'
    }
  })

  test('ends after it begins, and on some day', () => {
    const draft = newMaintenanceDraft(now)
    expect(maintenanceProblems(draft)).toEqual({})
    expect(maintenanceProblems({ ...draft, to: draft.from })).toEqual({ to: 'It ends before it begins.' })
    expect(maintenanceProblems({ ...draft, from: '' })).toEqual({ from: 'Say when it begins.' })
    const every = { ...draft.every, days: [] }
    expect(maintenanceProblems({ ...draft, isRepeated: true, every })).toEqual({ every: expect.any(String) })
  })

  test('is listed by its beginning, what is over last', () => {
    const names = [{ ...work, name: 'over', startsAt: null }, { ...work, name: 'later', startsAt: now }, work]
    expect(soonestFirst(names).map(({ name }) => name)).toEqual(['New disks', 'later', 'over'])
    expect(maintenanceFacts(work, nameOf)).toBe('Node A · “Moving”')
  })
})

test('a span that comes again, in words', () => {
  const span = { from: '22:00', to: '07:00', zone: 'Europe/Berlin' }
  expect(dailySpanText(span)).toBe('every day 22:00 to 07:00, Europe/Berlin')
  expect(dailySpanText({ ...span, days: ['sun', 'sat'] })).toBe(
    'every Saturday and Sunday 22:00 to 07:00, Europe/Berlin',
  )
})
