import { expect, test } from 'bun:test'

import { momentText, standing } from './page-words.ts'

const now = Date.UTC(2026, 10, 29, 12)

test.each([
  ['04:00', Date.UTC(2026, 10, 29, 4)],
  ['22 Nov, 12:06', Date.UTC(2026, 10, 22, 12, 6)],
  ['2 Jan, 04:00', Date.UTC(2027, 0, 2, 4)],
  ['7 Nov 2027, 04:00', Date.UTC(2027, 10, 7, 4)],
  ['7 Nov 2025, 04:00', Date.UTC(2025, 10, 7, 4)],
])('%s: a moment has its year where another year is nearer', (text, at) => {
  expect(momentText(at, now)).toBe(text)
})

test('work that is planned for the next November is not of this one', () => {
  const planned = {
    id: 'inc_1',
    title: 'Disks',
    state: 'maintenance',
    services: [],
    startsAt: Date.UTC(2027, 10, 7, 4),
    endsAt: null,
    isOver: false,
    updates: [],
  } as const
  expect(standing(planned, now)).toBe('From 7 Nov 2027, 04:00 UTC')
})
