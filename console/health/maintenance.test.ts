import { expect, test } from 'bun:test'

import { readEnd } from './maintenance.ts'

const now = Date.parse('2026-01-31T12:00:00Z')

test('until when work is announced', () => {
  expect(readEnd('1h', '', now)).toEqual({ kind: 'until', until: now + 3_600_000 })
  expect(readEnd('open', '', now)).toEqual({ kind: 'until', until: null })
  const local = '2026-02-01T09:30'
  expect(readEnd('custom', local, now)).toEqual({ kind: 'until', until: new Date(local).getTime() })
})

test('what cannot be an end', () => {
  expect(readEnd('custom', '', now).kind).toBe('wrong')
  expect(readEnd('custom', '2026-01-30T09:30', now)).toEqual({
    kind: 'wrong',
    error: 'That has passed already.',
  })
})
