import { expect, test } from 'bun:test'

import { inZone } from '../ui/test-support/in-zone.ts'
import type { TimesIn } from '../ui/reader-zone.ts'
import { readEnd } from './maintenance.ts'

const now = Date.parse('2026-01-31T12:00:00Z')

test('until when work is announced', () => {
  expect(readEnd('1h', '', now)).toEqual({ kind: 'until', until: now + 3_600_000 })
  expect(readEnd('open', '', now)).toEqual({ kind: 'until', until: null })
})

const typedInIndia = (chosen: TimesIn) =>
  inZone('Asia/Kolkata', () => readEnd('custom', '2026-02-01T09:30', now, chosen))

test('an end that is typed is in the time that pages tell, wherever the reader is', () => {
  expect([typedInIndia('here'), typedInIndia('UTC')]).toEqual([
    { kind: 'until', until: Date.parse('2026-02-01T04:00:00Z') },
    { kind: 'until', until: Date.parse('2026-02-01T09:30:00Z') },
  ])
})

test('what cannot be an end', () => {
  expect(readEnd('custom', '', now).kind).toBe('wrong')
  expect(readEnd('custom', '2026-01-30T09:30', now)).toEqual({
    kind: 'wrong',
    error: 'That has passed already.',
  })
})
