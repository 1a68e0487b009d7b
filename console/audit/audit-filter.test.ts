import { describe, expect, test } from 'bun:test'

import { auditAddressOf, filterOf, isAuditLogFiltered, noAuditFilter, auditQueryOf } from './audit-filter.ts'

const whole = {
  who: 'acc_1',
  what: 'api_key.create',
  subject: 'service:node:a',
  from: '2026-01-01',
  to: '2026-01-31',
}

describe('the filter of the audit log', () => {
  test('comes from the address and goes back there', () => {
    expect(auditAddressOf(filterOf(whole))).toEqual(whole)
    expect(filterOf(whole).subject).toEqual({ kind: 'service', id: 'node:a' })
  })

  test.each([
    {},
    { who: ['a', 'b'], what: 'no.such', subject: 'moon:1', from: 'yesterday', to: '2026-13-45' },
    { subject: 'service:', what: null },
  ])('asks nothing when it is not understood: %j', (query) => {
    expect(filterOf(query)).toEqual(noAuditFilter)
    expect(isAuditLogFiltered(filterOf(query))).toBe(false)
  })

  test('becomes what the server is asked; the last day is included', () => {
    expect(auditQueryOf(filterOf(whole), 50)).toEqual({
      limit: 50,
      actor: 'acc_1',
      action: 'api_key.create',
      subjectKind: 'service',
      subjectId: 'node:a',
      from: new Date('2026-01-01T00:00:00').getTime(),
      to: new Date('2026-02-01T00:00:00').getTime(),
    })
    expect(auditQueryOf(noAuditFilter, 10)).toEqual({ limit: 10 })
  })
})
