import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import type { ListedAccount } from '../../shared/accounts.ts'
import type { ApiKeyView } from '../../shared/api-keys.ts'
import { commandLineOf } from '../support/command-line.ts'
import type { CommandLine } from '../support/command-line.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'

/** Accounts and API keys at the operator's command line, against a real server. */

let installation: TestInstallation
let server: GatehouseProcess
let commands: CommandLine
let owner: SignedInClient

beforeAll(async () => {
  installation = await createTestInstallation()
  server = await installation.start()
  commands = commandLineOf(installation.dataDir)
}, 60_000)
afterAll(() => installation?.remove())

type MadeKey = ApiKeyView & { value: string; propagated: boolean }

const create = (...flags: string[]) =>
  commands.answerOf<MadeKey>('api-keys', 'create', '--account', owner.wallet.address, ...flags)

/** The status with which the server answers whoever shows a key. */
const statusOf = async (value: string): Promise<number> =>
  (await fetch(`${server.url}/account/api-key`, { headers: { authorization: `Bearer ${value}` } })).status

test('accounts list tells who has signed in, and how, and when', async () => {
  expect((await commands.run(['accounts', 'list'])).stdout).toStartWith(
    'There is none: nobody has signed in yet',
  )
  owner = await signInAt(server.url)
  const { stdout } = await commands.run(['accounts', 'list'])
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['ID', 'ROLE', 'STATE', 'PLAN', 'IDENTITIES', 'CREATED', 'LAST SEEN'],
    [
      owner.accountId,
      'account',
      'active',
      '-',
      owner.wallet.address.toLowerCase(),
      expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expect.stringMatching(/^just now$|seconds? ago$/),
    ],
    [''],
  ])
  const [listed] = await commands.answerOf<ListedAccount[]>('accounts', 'list')
  expect(listed).toMatchObject({ id: owner.accountId, role: 'account', contact: null })
  expect(listed?.lastSeenAt).toBeWithin(Date.now() - 60_000, Date.now() + 1_000)

  await owner.send('/auth/sign-out', { method: 'POST' })
  // Who has signed out was seen all the same.
  expect((await commands.run(['accounts', 'list'])).stdout).toMatch(/just now|seconds? ago/)
  owner = await signInAt(server.url, owner.wallet)
})

test('a key is made with all its options, printed once, listed, disabled and deleted', async () => {
  const lists = ['--allowed-ips', '127.0.0.0/8,2001:db8::/32', '--allowed-domains', '*.example.com']
  const made = await create('--name', 'CI', '--permissions', 'token_create,statistics_read', ...lists, '--expires', '2090-01-31T12:00:00Z') // prettier-ignore
  expect(made).toMatchObject({
    name: 'CI',
    permissions: ['token_create', 'statistics_read'],
    allowedIps: ['127.0.0.0/8', '2001:db8::/32'],
    allowedDomains: ['*.example.com'],
    expiresAt: Date.UTC(2090, 0, 31, 12),
    isEnabled: true,
    propagated: true,
  })
  expect(made.value).toMatch(/^gak_[0-9A-Za-z]{38}$/)
  expect(await statusOf(made.value)).toBe(403) // from no page at all

  const plain = await create('--name', 'Plain')
  expect(await statusOf(plain.value)).toBe(200)
  const list = ['api-keys', 'list', '--account', owner.accountId]
  const { stdout } = await commands.run(list)
  for (const part of [
    made.id,
    plain.id,
    'token_create, statistics_read',
    '2090-01-31T12:00:00.000Z',
    plain.hint,
  ])
    expect(stdout).toContain(part)
  expect(stdout).not.toContain(plain.value)
  expect(JSON.stringify(await commands.answerOf(...list))).not.toContain(plain.value)

  const ofAccount = ['--account', owner.wallet.address.toUpperCase().replace('0X', '0x')]
  expect((await commands.run(['api-keys', 'disable', plain.id, ...ofAccount])).stdout).toBe(
    `Disabled ${plain.id}; it is refused from now on.\n`,
  )
  expect(await statusOf(plain.value)).toBe(401)
  expect(await commands.answerOf('api-keys', 'delete', plain.id, ...ofAccount)).toEqual({
    deleted: plain.id,
    propagated: true,
  })
  expect(await commands.answerOf<unknown[]>(...list)).toHaveLength(1)
  expect(await statusOf(plain.value)).toBe(401)

  const audit = (await commands.run(['audit', 'list', '--subject', plain.id])).stdout
  expect(audit.match(/Command line +api_key\.\w+/g)).toEqual([
    expect.stringContaining('delete'),
    expect.stringContaining('disable'),
    expect.stringContaining('create'),
  ])
})

test('a key that is made for people to read says what it is, and that it is the only time', async () => {
  const { stdout } = await commands.run(['api-keys', 'create', '--account', owner.accountId, '--name', 'For Bob', '--permissions', 'gateway_use']) // prettier-ignore
  expect(stdout).toMatch(
    /^Made For Bob \(key_\w+\)\. The key:\n {2}gak_\w{38}\nIt is not shown here again\.\n$/,
  )
})

describe('mistakes name the field and what is allowed', () => {
  const many = Array.from({ length: 101 }, (_, index) => `192.0.2.${index}`).join(',')
  test.each([
    ['name', 'X'.repeat(101), 'name: expected at most 100 characters'],
    ['allowed-ips', many, 'allowedIps: expected at most 100 entries'],
    ['allowed-ips', '192.0.2.1,192.0.02.1', 'allowedIps[1]: '],
    ['allowed-ips', '192.0.2.0/33', 'allowedIps[0]: '],
    ['allowed-domains', '*.com', 'allowedDomains[0]: '],
    ['expires', '2020-01-01T00:00:00Z', 'expiresAt: expected an instant in the future'],
    ['permissions', 'admin', 'permissions[0]: expected one of "statistics_read"'],
  ])('%s', async (flag, value, message) => {
    const flags = { account: owner.accountId, name: 'X', permissions: 'token_create', [flag]: value }
    const args = Object.entries(flags).map(([name, given]) => `--${name}=${given}`)
    expect(await commands.refusalOf('api-keys', 'create', ...args)).toStartWith(`gatehouse: ${message}`)
  })

  test('and an account or a key that does not exist is not found', async () => {
    const key = ['api-keys', 'disable', 'key_none', '--account']
    expect(await commands.refusalOf(...key, 'acc_none')).toContain('see accounts list')
    expect(await commands.refusalOf(...key, owner.accountId)).toContain('There is no API key of this id')
  })
})
