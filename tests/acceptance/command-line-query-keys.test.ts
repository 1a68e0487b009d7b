import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import type { QueryKeyView } from '../../shared/query-keys.ts'
import { commandLineOf } from '../support/command-line.ts'
import type { CommandLine } from '../support/command-line.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'

/** Query keys at the operator's command line, against a real server. */

const file = {
  endpoints: [{ name: 'testnet', chain: 'ethereum', upstreams: [{ url: 'http://127.0.0.1:8545' }] }],
}

let installation: TestInstallation
let server: GatehouseProcess
let commands: CommandLine
let owner: SignedInClient
let ofAccount: string[]

beforeAll(async () => {
  installation = await createTestInstallation(file)
  server = await installation.start()
  commands = commandLineOf(installation.dataDir)
  owner = await signInAt(server.url)
  ofAccount = ['--account', owner.wallet.address]
}, 60_000)
afterAll(() => installation?.remove())

type MintedKey = QueryKeyView & { value: string; url: string; propagated: boolean }

const wallet = ['--name', 'wallet', '--endpoint', 'testnet']

test('a key is made with all its options, listed, disabled, enabled, rotated and deleted', async () => {
  const list = ['query-keys', 'list', ...ofAccount]
  expect((await commands.run(list)).stdout).toStartWith('The account has no query key;')
  const limits = ['--rate-limit', '100/minute', '--credits-limit', '50000/day']
  const made = await commands.answerOf<MintedKey>('query-keys', 'create', ...ofAccount, ...wallet, ...limits, '--allowed-ips', '127.0.0.0/8') // prettier-ignore
  expect(made).toMatchObject({
    name: 'wallet',
    type: 'freeRPC',
    endpoint: 'testnet',
    rate: { units: 100, period: 'minute' },
    credits: { units: 50_000, period: 'day' },
    allowedIps: ['127.0.0.0/8'],
    url: `${server.url}/rpc/testnet/${made.value}`,
    propagated: true,
  })
  const { stdout } = await commands.run(list)
  for (const part of [made.id, made.hint, '100/minute', '50000/day', 'enabled'])
    expect(stdout).toContain(part)
  expect(stdout).not.toContain(made.value)

  const said = async (...args: string[]) =>
    (await commands.run(['query-keys', ...args, made.id, ...ofAccount])).stdout
  expect(await said('disable')).toBe(`Disabled ${made.id}; it is refused from now on.\n`)
  expect((await commands.answerOf<QueryKeyView[]>(...list))[0]?.state).toBe('disabled')
  expect(await said('enable')).toBe(`Enabled ${made.id}.\n`)
  expect(await said('rotate', '--overlap', '60')).toMatch(
    /^Gave wallet \(qkey_\w+\) a new value\. The key:\n {2}gqk_\w{38}\nJSON-RPC calls go to:\n {2}http\S+\nIt is not shown here again\.\n$/,
  )
  const [rotated] = await commands.answerOf<QueryKeyView[]>(...list)
  expect(rotated?.previous?.hint).toBe(made.hint)
  expect(await said('delete')).toBe(`Deleted ${made.id}; it is refused from now on.\n`)
  expect(await commands.answerOf<unknown[]>(...list)).toEqual([])

  const audit = (await commands.run(['audit', 'list', '--subject', made.id])).stdout
  expect(audit.match(/Command line +query_key\.\w+/g)).toHaveLength(5)
})

describe('mistakes name the field and what is allowed', () => {
  test.each([
    [['--endpoint', 'moon'], 'endpoint: expected "testnet"'],
    [['--type', 'x'], 'type: expected "freeRPC"'],
    [['--rate-limit', '5'], 'rateLimitPeriod: expected one of "second"'],
    [['--allowed-domains', '*.com'], 'allowedDomains[0]: '],
  ])('%j', async (flags, message) => {
    const endpoint = flags.includes('--endpoint') ? [] : ['--endpoint', 'testnet']
    const args = ['query-keys', 'create', ...ofAccount, '--name', 'x', ...endpoint, ...flags]
    expect(await commands.refusalOf(...args)).toStartWith(`gatehouse: ${message}`)
  })

  test('and a key that does not exist is not found', async () => {
    const none = ['qkey_none', ...ofAccount]
    expect(await commands.refusalOf('query-keys', 'enable', ...none)).toContain(
      'There is no query key of this id',
    )
    expect(await commands.refusalOf('query-keys', 'rotate', ...none, '--overlap', 'long')).toContain(
      '--overlap takes minutes',
    )
  })
})
