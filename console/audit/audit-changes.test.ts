import { describe, expect, test } from 'bun:test'

import { absoluteTime } from '../ui/relative-time.ts'
import { changesOf, fieldTitle } from './audit-changes.ts'

describe('changes', () => {
  test('of something new are all of its fields', () => {
    expect(changesOf(null, { name: 'Build', allowedIps: [] })).toEqual({
      changed: [
        { field: 'name', title: 'Name', before: null, after: 'Build' },
        { field: 'allowedIps', title: 'Allowed IPs', before: null, after: 'none' },
      ],
      unchanged: [],
    })
  })

  test('leave out what stayed as it was', () => {
    const before = { name: 'Build', isEnabled: true, allowedIps: ['192.0.2.1'] }
    const after = { name: 'Build', isEnabled: false, allowedIps: ['192.0.2.1', '2001:db8::/32'] }
    expect(changesOf(before, after)).toEqual({
      changed: [
        { field: 'isEnabled', title: 'Enabled', before: 'yes', after: 'no' },
        { field: 'allowedIps', title: 'Allowed IPs', before: '192.0.2.1', after: '192.0.2.1\n2001:db8::/32' },
      ],
      unchanged: ['Name'],
    })
  })

  test('of what is gone have nothing after', () => {
    expect(changesOf({ session: 'ses_1' }, null).changed).toEqual([
      { field: 'session', title: 'Session', before: 'ses_1', after: null },
    ])
  })

  test('show instants as such, and other numbers as they are', () => {
    const at = Date.UTC(2026, 0, 31)
    const { changed } = changesOf(null, { expiresAt: at, until: at, ratio: 0.5, never: null, rule: { a: 1 } })
    expect(changed.map(({ after }) => after)).toEqual([
      absoluteTime(at),
      absoluteTime(at),
      '0.5',
      'none',
      '{\n  "a": 1\n}',
    ])
  })
})

test.each([
  ['allowedIps', 'Allowed IPs'],
  ['expiresAt', 'Expires'],
  ['isEnabled', 'Enabled'],
  ['request_id', 'Request ID'],
  ['managedBy', 'Managed by'],
])('%s is called %s', (field, title) => {
  expect(fieldTitle(field)).toBe(title)
})
