import { expect, test } from 'bun:test'

import { IncidentStart } from './status-pages.ts'

const work = { page: 'main', kind: 'maintenance', title: 'Disks', stage: 'under_way', text: 'New disks.' }

/** Returns what was read, or the fields that were wrong. */
function read(changes: object) {
  const { data, error } = IncidentStart.safeParse({ ...work, ...changes })
  return data ?? error?.issues.map(({ path }) => path.join('.'))
}

test('an incident begins and ends at instants of RFC 3339 or epoch milliseconds', () => {
  const startsAt = Date.parse('2026-01-31T12:00:00Z')
  const given = { startsAt: '2026-01-31T13:00:00+01:00', endsAt: startsAt + 1 }
  expect(read(given)).toMatchObject({ startsAt, endsAt: startsAt + 1 })
})

test('Unix seconds are not taken for an instant of 1970', () => {
  expect(read({ startsAt: 1_769_860_800 })).toEqual(['startsAt'])
  expect(read({ startsAt: '1999-12-31T23:59:59Z' })).toEqual(['startsAt'])
  expect(read({ endsAt: 1_769_860_800 })).toEqual(['endsAt'])
})

test('work that is planned says when it begins', () => {
  expect(read({ stage: 'planned' })).toEqual(['startsAt'])
  expect(read({})).toMatchObject({ stage: 'under_way' })
})
