import { describe, expect, test } from 'bun:test'

import type { ApiKeyView } from '../../../shared/api-keys.ts'
import { apiKeyCommands, apiKeysTable, parseApiKeyFlags } from './api-keys.ts'
import { CommandFailure } from '../arguments/command.ts'
import { parseArguments } from '../arguments/parse-arguments.ts'

const now = Date.UTC(2026, 0, 1)
const create = ['api-keys', 'create', '--account', 'acc_1', '--name', 'CI']

function flagsOf(args: readonly string[]) {
  const reading = parseArguments(args, apiKeyCommands)
  if (reading.kind !== 'run') throw new Error(JSON.stringify(reading))
  return parseApiKeyFlags(reading.args)
}

describe('the flags of create', () => {
  test('lists are separated by commas; what is left out means no permission, any place, or never', () => {
    expect(flagsOf(create)).toEqual({
      name: 'CI',
      permissions: [],
      allowedIps: [],
      allowedDomains: [],
      expiresAt: null,
    })
    const lists = ['--allowed-ips', '192.0.2.0/24, 2001:db8::/32', '--allowed-domains', '*.example.com,']
    const expires = ['--expires', '2027-01-31T12:00:00Z']
    expect(
      flagsOf([...create, '--permissions', 'token_create,statistics_read', ...lists, ...expires]),
    ).toEqual({
      name: 'CI',
      permissions: ['token_create', 'statistics_read'],
      allowedIps: ['192.0.2.0/24', '2001:db8::/32'],
      allowedDomains: ['*.example.com'],
      expiresAt: Date.UTC(2027, 0, 31, 12),
    })
  })

  test.each([
    [
      ['--permissions', 'admin'],
      'permissions[0]: expected one of "statistics_read", "token_create", "gateway_use"',
    ],
    [['--expires', 'tomorrow'], 'expiresAt: expected a number or an RFC 3339 instant'],
  ])('%j is refused with what is allowed', (args, message) => {
    expect(() => flagsOf([...create, ...args])).toThrow(CommandFailure)
    expect(() => flagsOf([...create, ...args])).toThrow(message)
  })

  test.each([
    [['api-keys', 'create'], '--account, --name'],
    [[...create, '--allowed-ips', ''], '--allowed-ips needs a value: --allowed-ips LIST.'],
    [[...create, '--permissions', ''], '--permissions needs a value: --permissions LIST.'],
    [['api-keys', 'disable', '--account', 'acc_1'], 'needs ID'],
    [['api-keys', 'delete', 'key_1'], '--account'],
  ])('%j says what is missing', (args, message) => {
    const reading = parseArguments(args, apiKeyCommands)
    expect(reading.kind === 'wrong' && reading.message).toInclude(message)
  })
})

test('the table shows a hint in place of the key', () => {
  const key: ApiKeyView = {
    id: 'key_1',
    name: 'CI\u001B[2J',
    permissions: [],
    allowedIps: [],
    allowedDomains: [],
    createdAt: now,
    expiresAt: now,
    isEnabled: true,
    state: 'expired',
    hint: 'gak_…abcd',
    lastUsedAt: null,
    previous: null,
  }
  const [head, row] = apiKeysTable([key], now).split('\n')
  expect(head?.split(/ {2,}/)).toEqual(['ID', 'NAME', 'KEY', 'PERMISSIONS', 'STATE', 'EXPIRES', 'LAST USED'])
  expect(row?.split(/ {2,}/).slice(0, 6)).toEqual([
    'key_1',
    'CI?[2J',
    'gak_…abcd',
    '(none)',
    'expired',
    '2026-01-01T00:00:00.000Z',
  ])
})
