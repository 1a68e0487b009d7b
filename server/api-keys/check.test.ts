import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { permissions } from '../../shared/api-keys.ts'
import { readRestrictions } from '../keys/restrictions.ts'
import { type Checkable, type KeyUse, check } from './check.ts'

const now = Date.UTC(2026, 0, 1)
const use: KeyUse = { address: '192.0.2.1', origin: 'https://a.example', needs: 'token_create' }

const restricted = (ips: string[], domains: string[]): Checkable => ({
  ...readRestrictions({ allowedIps: ips, allowedDomains: domains, expiresAt: null }, now, null),
  isEnabled: true,
  isSuspended: false,
  permissions: ['token_create'],
})
const good = restricted(['192.0.2.0/24'], ['a.example'])

const verdict = (key: Checkable | null, replacedAt: number | null = null, by: KeyUse = use) =>
  check(key && { key, replacedAt }, by, now)

test('a key that nothing speaks against is allowed', () => {
  expect(verdict(good)).toEqual({ kind: 'allowed', key: good })
})

test('what needs no permission needs an active key, and its restrictions', () => {
  const by: KeyUse = { ...use, needs: 'valid_key' }
  const powerless = { ...good, permissions: [] }
  expect(verdict(powerless, null, by)).toEqual({ kind: 'allowed', key: powerless })
  const elsewhere = verdict(powerless, null, { ...by, address: '192.0.3.1' })
  expect(elsewhere).toEqual({ kind: 'ip_not_allowed', key: powerless })
  expect(verdict({ ...powerless, isEnabled: false }, null, by).kind).toBe('invalid')
  expect(verdict(null, null, by).kind).toBe('invalid')
})

describe('each reason by itself', () => {
  test('unknown', () => expect(verdict(null)).toEqual({ kind: 'invalid', why: 'unknown' }))
  test('disabled', () =>
    expect(verdict({ ...good, isEnabled: false })).toEqual({ kind: 'invalid', why: 'disabled' }))
  test('address', () =>
    expect(verdict(good, null, { ...use, address: '192.0.3.1' })).toEqual({
      kind: 'ip_not_allowed',
      key: good,
    }))
  test('domain', () =>
    expect(verdict(good, null, { ...use, origin: null })).toEqual({ kind: 'domain_not_allowed', key: good }))
  test('permission', () =>
    expect(verdict(good, null, { ...use, needs: 'gateway_use' })).toMatchObject({
      kind: 'permission_missing',
      permissions: ['gateway_use'],
    }))
})

test.each([
  [now - 1, 'invalid'],
  [now, 'invalid'],
  [now + 1, 'allowed'],
])('an end at %p, of the key or of a replaced value', (end, kind) => {
  expect(verdict({ ...good, expiresAt: end }).kind).toBe(kind as 'invalid')
  expect(verdict(good, end).kind).toBe(kind as 'invalid')
})

test('of several reasons the first in the order is told', () => {
  const order = [
    'unknown',
    'disabled',
    'expired',
    'ip_not_allowed',
    'domain_not_allowed',
    'permission_missing',
  ]
  const flags = fc.array(fc.boolean(), { minLength: order.length, maxLength: order.length })
  fc.assert(
    fc.property(flags, ([isUnknown, isDisabled, isExpired, isElsewhere, isOtherPage, lacks]) => {
      const key = {
        ...good,
        isEnabled: isDisabled !== true,
        expiresAt: isExpired === true ? now : null,
        permissions: permissions.filter((permission) => lacks !== true || permission !== 'token_create'),
      }
      const by = {
        ...use,
        address: isElsewhere === true ? '203.0.113.1' : use.address,
        origin: isOtherPage === true ? 'https://b.example' : use.origin,
      }
      const answer = verdict(isUnknown === true ? null : key, null, by)
      const reasons = [isUnknown, isDisabled, isExpired, isElsewhere, isOtherPage, lacks]
      const first = order[reasons.indexOf(true)] ?? 'allowed'
      expect(answer.kind === 'invalid' ? answer.why : answer.kind).toBe(first as 'unknown')
    }),
  )
})
