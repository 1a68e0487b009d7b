import { describe, expect, test } from 'bun:test'
import * as z from 'zod/mini'

import {
  ApiKeyInput,
  ApiKeyRotation,
  apiKeyState,
  isNotPast,
  permissionLabels,
  permissions,
  permissionsFor,
} from './api-keys.ts'
import { describeInvalid } from '../server/platform/validation-text.ts'
import { covers } from '../tests/support/covers.ts'

const blank = { permissions: [], allowedIps: [], allowedDomains: [], expiresAt: null }

test('only the name is required', () => {
  covers('api-key-token-name', 'api-key-permissions')
  expect(z.parse(ApiKeyInput, { name: ' CI  ' })).toEqual({ name: 'CI', ...blank })
})

test('every permission has a label', () => {
  expect(permissions.map((permission) => permissionLabels[permission])).toEqual([
    'Statistics Read',
    'Token Create',
    'Gateway Use',
    'Installation',
  ])
})

test('what only operators may have is offered to nobody else, who can give it up', () => {
  expect(permissionsFor(true, [])).toEqual(permissions)
  expect(permissionsFor(false, [])).toEqual(['statistics_read', 'token_create', 'gateway_use'])
  expect(permissionsFor(false, ['installation'])).toEqual(permissions)
})

const many = (count: number): string[] => Array.from({ length: count }, () => '192.0.2.1')

describe('what is refused', () => {
  const cases: [title: string, input: object, text: string][] = [
    ['no name', {}, 'name: required, expected a text'],
    ['blank name', { name: '   ' }, 'name: expected at least 1 character'],
    ['long name', { name: 'x'.repeat(101) }, 'name: expected at most 100 characters'],
    ['101 addresses', { name: 'x', allowedIps: many(101) }, 'allowedIps: expected at most 100 entries'],
    ['101 domains', { name: 'x', allowedDomains: many(101) }, 'allowedDomains: expected at most 100 entries'],
    [
      'blank entry',
      { name: 'x', allowedIps: ['1.2.3.4', ' '] },
      'allowedIps[1]: expected at least 1 character',
    ],
    [
      'long entry',
      { name: 'x', allowedDomains: ['a'.repeat(301)] },
      'allowedDomains[0]: expected at most 300',
    ],
    [
      'unknown permission',
      { name: 'x', permissions: ['admin'] },
      'permissions[0]: expected one of "statistics_read", "token_create", "gateway_use"',
    ],
    [
      'twice',
      { name: 'x', permissions: ['token_create', 'token_create'] },
      'expected each permission at most once',
    ],
    [
      'a date without time',
      { name: 'x', expiresAt: '2027-01-01' },
      'expiresAt: expected a number or an RFC 3339 instant',
    ],
    ['unknown field', { name: 'x', enabled: true }, 'body: unknown field enabled'],
  ]
  test.each(cases)('%s', (_title, input, text) => {
    expect(describeInvalid(ApiKeyInput, input, 'body')).toInclude(text)
  })

  test('a hundred entries are right', () => {
    covers('api-key-list-bounds')
    expect(z.safeParse(ApiKeyInput, { name: 'x', allowedIps: many(100) }).success).toBe(true)
  })

  test('no text repeats what was sent', () => {
    const canary = 'gak_canarycanarycanary'
    const fields = {
      name: 1,
      permissions: [canary],
      allowedIps: [[canary]],
      allowedDomains: canary,
      expiresAt: canary,
    }
    for (const [field, value] of Object.entries(fields)) {
      expect(describeInvalid(ApiKeyInput, { name: 'x', [field]: value }, 'body')).not.toInclude('canary')
    }
  })
})

test('an expiration is an instant in RFC 3339 or in epoch ms', () => {
  const at = Date.UTC(2027, 0, 31, 12)
  for (const expiresAt of [
    at,
    '2027-01-31T12:00:00Z',
    '2027-01-31T14:00:00+02:00',
    '2027-01-31T12:00:00.000Z',
  ]) {
    expect(z.parse(ApiKeyInput, { name: 'x', expiresAt }).expiresAt).toBe(at)
  }
})

test('an expiration has passed at its very instant', () => {
  expect([isNotPast(null, 5), isNotPast(6, 5), isNotPast(5, 5), isNotPast(4, 5)]).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(apiKeyState({ isEnabled: true, expiresAt: null }, 5)).toBe('enabled')
  expect(apiKeyState({ isEnabled: false, expiresAt: 6 }, 5)).toBe('disabled')
  expect(apiKeyState({ isEnabled: false, expiresAt: 5 }, 5)).toBe('expired')
})

test('a rotation overlaps by at most thirty days', () => {
  expect(z.parse(ApiKeyRotation, { id: 'k' })).toEqual({ id: 'k', overlapMs: 0 })
  expect(z.safeParse(ApiKeyRotation, { id: 'k', overlapMs: 30 * 86_400_000 + 1 }).success).toBe(false)
})
