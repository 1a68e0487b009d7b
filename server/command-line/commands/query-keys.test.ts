import { describe, expect, test } from 'bun:test'

import type { QueryKeyView } from '../../../shared/query-keys.ts'
import { CommandFailure } from '../arguments/command.ts'
import { queryKeyCommands, queryKeysTable, parseQueryKeyFlags } from './query-keys.ts'
import { parseArguments } from '../arguments/parse-arguments.ts'

const now = Date.UTC(2026, 0, 1)
const create = ['query-keys', 'create', '--account', 'acc_1', '--name', 'wallet', '--endpoint', 'testnet']

function flagsOf(args: readonly string[]) {
  const reading = parseArguments(args, queryKeyCommands)
  if (reading.kind !== 'run') throw new Error(JSON.stringify(reading))
  return parseQueryKeyFlags(reading.args)
}

describe('the flags of create', () => {
  test('what is left out is the default; a limit is a number and a period', () => {
    const plain = { name: 'wallet', type: 'freeRPC', endpoint: 'testnet' }
    const unrestricted = {
      allowedIps: [],
      allowedDomains: [],
      expiresAt: null,
      allowedMethods: [],
      allowedContracts: [],
      moreEndpoints: [],
    }
    expect(flagsOf(create)).toEqual({ ...plain, ...unrestricted })
    const limits = ['--rate-limit', '100/minute', '--credits-limit', '50000 / day', '--type', 'growthRPC']
    expect(
      flagsOf([
        ...create,
        ...limits,
        '--allowed-ips',
        '192.0.2.1',
        '--allowed-methods',
        'eth_call, eth_get*',
      ]),
    ).toEqual({
      ...plain,
      ...unrestricted,
      type: 'growthRPC',
      rateLimit: 100,
      rateLimitPeriod: 'minute',
      creditsLimit: 50_000,
      creditsLimitPeriod: 'day',
      allowedIps: ['192.0.2.1'],
      allowedMethods: ['eth_call', 'eth_get*'],
    })
  })

  const whole = 'rateLimit: expected a whole number from 1 to 1000000000000'
  test.each([
    ['100', 'rateLimitPeriod: expected one of "second", "minute"'],
    ['100/year', 'rateLimitPeriod: expected one of "second", "minute"'],
    ['/minute', whole],
    ['0/minute', whole],
    ['-5/minute', whole],
    ['1.5/minute', whole],
    ['many/minute', whole],
  ])('a rate limit of %p is refused with what is allowed', (limit, message) => {
    const args = [...create, `--rate-limit=${limit}`]
    expect(() => flagsOf(args)).toThrow(CommandFailure)
    expect(() => flagsOf(args)).toThrow(message)
  })

  test.each([
    [['query-keys', 'create', '--name', 'x'], '--account, --endpoint'],
    [['query-keys', 'rotate', '--account', 'acc_1'], 'needs ID'],
    [['query-keys', 'delete', 'qkey_1'], '--account'],
    [[...create, '--allowed-methods', ''], '--allowed-methods needs a value: --allowed-methods LIST.'],
    [
      ['query-keys', 'rotate', 'qkey_1', '--account', 'acc_1', '--overlap', ''],
      '--overlap needs a value: --overlap MINUTES.',
    ],
  ])('%j says what is missing', (args, message) => {
    const reading = parseArguments(args, queryKeyCommands)
    expect(reading.kind === 'wrong' && reading.message).toInclude(message)
  })
})

test('the table shows a hint in place of the key', () => {
  const key: QueryKeyView = {
    id: 'qkey_1',
    name: 'wallet\u001B[2J',
    type: 'freeRPC',
    endpoint: 'testnet',
    rate: { units: 100, period: 'minute' },
    credits: null,
    allowedIps: [],
    allowedDomains: [],
    allowedMethods: [],
    allowedContracts: [],
    moreEndpoints: [],
    debugEndsAt: null,
    createdAt: now,
    expiresAt: null,
    isEnabled: true,
    state: 'enabled',
    hint: 'gqk_…abcd',
    lastUsedAt: now - 120_000,
    previous: null,
  }
  const row = queryKeysTable([key], now).split('\n')[1]
  expect(row?.trim().split(/ {2,}/)).toEqual([
    'qkey_1',
    'wallet?[2J',
    'gqk_…abcd',
    'freeRPC',
    'testnet',
    '100/minute',
    'none',
    'enabled',
    'never',
    '2 minutes ago',
  ])
})
