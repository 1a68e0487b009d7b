import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { type SignedInClient, signInAt } from '../../scripts/world/signed-in-client.ts'
import { type CommandLine, commandLineOf } from '../support/command-line.ts'

/** What people read in a terminal of what the other tests of the command line ask for as JSON. */

const endpoint = (name: string) => ({ name, chain: 'ethereum', upstreams: [{ url: 'http://127.0.0.1:1/' }] })
const file = {
  services: [
    { id: 'node-a', name: 'Node A', family: 'http', provider: 'acme', endpoint: 'http://127.0.0.1:1/' },
  ],
  endpoints: [endpoint('of-file')],
}

let installation: TestInstallation
let server: GatehouseProcess
let owner: SignedInClient
let refusalOf: CommandLine['refusalOf']
let run: CommandLine['run']

beforeAll(async () => {
  installation = await createTestInstallation(file)
  server = await installation.start()
  owner = await signInAt(server.url)
  ;({ run, refusalOf } = commandLineOf(installation.dataDir))
})
afterAll(() => installation?.remove())

async function printed(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(args)
  expect([exitCode, stderr]).toEqual([0, ''])
  return stdout
}

/** The cells of a table, without its titles. */
const rowsOf = async (...args: string[]): Promise<string[][]> =>
  (await printed(...args))
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/))

const describedIn = (name: string, text: string): string => {
  const path = join(installation.dataDir, name)
  writeFileSync(path, text)
  return path
}

test.each([
  ['tool-servers list', 'No tool server was used yet.'],
  ['silences list', 'Nothing is silenced.'],
  ['alerts list', 'Nothing is firing.'],
  ['channels list', 'There is no channel; see channels add --help, or add one in the file or the console.'],
  ['maintenance list', 'No work is planned.'],
  ['teams list', 'There is none: people make teams in the console, under Settings.'],
  ['plans list', 'There are no plans; see plans add --help.'],
  ['agents list', 'No agent is let in.'],
  ['virtual-servers list', 'No account has one.'],
  ['status-pages list', 'There is no status page; see status-pages add --help.'],
  ['requests', 'No request matches.'],
])('%s says so where there is nothing', async (command, text) => {
  expect(await printed(...command.split(' '))).toBe(`${text}\n`)
})

test('what the server does not know is refused in one sentence', async () => {
  expect(await refusalOf('tool-servers', 'show', 'http://127.0.0.1/')).toContain('no such tool server')
  expect(await refusalOf('tool-servers', 'accept', 'http://127.0.0.1/', 'x')).toContain('fingerprint: ')
  expect(await refusalOf('silences', 'end', 'silence_none')).toContain('There is no silence of this id')
  expect(await refusalOf('maintenance', 'remove', 'nothing')).toContain('gatehouse: ')
  expect(await refusalOf('chains', 'remove', 'nothing')).toContain('No operator has added a chain')
})

test('a chain is added from a file, listed, and removed', async () => {
  const path = describedIn(
    'chain.yaml',
    '{ key: my-rollup, name: My rollup, family: evm, chainId: 424242, blockMs: 2000 }',
  )
  expect(await printed('chains', 'add', path)).toBe('Added my-rollup.\n')
  const rows = await rowsOf('chains', 'list')
  expect(rows.find(([key]) => key === 'my-rollup')).toEqual([
    'my-rollup',
    'My rollup',
    'evm',
    '424242',
    '2000 ms',
    '0',
    '0',
    'operator',
  ])
  expect(rows.find(([key]) => key === 'ethereum')?.at(-2)).toBe('1') // the endpoint of the file
  expect(await printed('chains', 'remove', 'my-rollup')).toBe('Removed my-rollup.\n')
})

test('a silence is begun, listed and ended', async () => {
  const begun = await printed('silences', 'add', '--for', '2h', '--service', 'node-a', '--reason', 'a disk')
  const id = /^Silenced for 2h\. To end it before: silences end (\S+)\n$/.exec(begun)?.[1] ?? ''
  expect(await rowsOf('silences', 'list')).toEqual([
    [
      id,
      'all',
      'node-a',
      'all',
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/),
      'Command line',
      'a disk',
    ],
  ])
  expect(await printed('silences', 'end', id)).toBe(`Ended ${id}.\n`)
})

test('work is planned, once and every week, listed and removed', async () => {
  const weekly = '--from 02:00 --to 04:00 --days sun --zone Europe/Berlin --reason restarts'
  expect(await printed('maintenance', 'add', 'weekly', ...weekly.split(' '))).toBe('Planned weekly.\n')
  const once = '--from 2099-12-01T08:00:00Z --to 2099-12-01T10:00:00Z --service node-a --reason disks'
  await printed('maintenance', 'add', 'once', ...once.split(' '))
  const instant = expect.stringMatching(/T\d\d:00Z$/)
  expect(await rowsOf('maintenance', 'list')).toEqual([
    ['once', 'planned', '2099-12-01T08:00Z', '2099-12-01T10:00Z', 'no', 'disks', 'operator'],
    [
      'weekly',
      expect.stringMatching(/^(?:planned|under way)$/),
      instant,
      instant,
      'sun',
      'restarts',
      'operator',
    ],
  ])
  for (const name of ['once', 'weekly'])
    expect(await printed('maintenance', 'remove', name)).toBe(`Removed ${name}.\n`)
})

const settings = (...args: string[]): Promise<string[][]> => rowsOf('endpoints', 'settings', 'mine', ...args)

test('settings of an endpoint are shown and changed, of all calls and of some', async () => {
  await server.operator.endpoints.create.mutate(endpoint('mine'))
  expect(await printed('endpoints', 'settings', 'mine')).toBe('mine has no settings of its own.\n')
  expect(await settings('--set', 'totalMs=20000', '--set', 'hedge=p95')).toEqual([
    ['all calls', 'totalMs', '20000'],
    ['all calls', 'hedge', 'p95'],
  ])
  expect(await settings('--method', 'debug_*', '--set', 'totalMs=60000')).toContainEqual([
    'debug_*',
    'totalMs',
    '60000',
  ])
  expect(await settings('--set', 'totalMs=', '--set', 'hedge=')).toEqual([['debug_*', 'totalMs', '60000']])
  expect(await refusalOf('endpoints', 'settings', 'mine', '--set', 'totalMs=long')).toContain(
    'settings.totalMs: expected a whole number',
  )
  expect(await refusalOf('endpoints', 'settings', 'mine', '--set', 'patience=1')).toContain('the fields are')
  expect(await refusalOf('endpoints', 'settings', 'of-file', '--set', 'totalMs=1000')).toContain(
    'change endpoints[].settings there',
  )
})

test('alert rules say whom they tell, and for what they hold', async () => {
  const path = describedIn(
    'rule.yaml',
    '{ name: Any trouble, when: { decision: [DOWN, UNKNOWN] }, channels: [on-call] }',
  )
  const channel = describedIn(
    'channel.yaml',
    '{ name: on-call, type: webhook, url: https://hooks.example.com/ }',
  )
  await printed('channels', 'add', channel)
  expect(await rowsOf('channels', 'list')).toEqual([
    ['on-call', 'webhook', 'https://hooks.example.com', '0', '0', '0', 'never', 'operator'],
  ])
  expect(await printed('alerts', 'add', path)).toBe('Added Any trouble.\n')
  const rows = await rowsOf('alerts', 'rules')
  expect(rows).toContainEqual(['Node down', 'yes', expect.any(String), 'nobody', 'default'])
  expect(rows).toContainEqual(['Any trouble', 'yes', expect.any(String), 'on-call', 'operator'])
  expect(await printed('alerts', 'test', 'Verifier gone or cut off')).toMatch(
    /^It holds for nothing; it looked at \d+\.\n$/,
  )
  expect(await printed('alerts', 'test', 'Any trouble')).toContain('Node A is ')
  expect(await refusalOf('alerts', 'test', '{')).toContain('expected the name of a rule, or JSON')
  expect(await refusalOf('alerts', 'test', 'Nothing')).toContain('There is no rule of this name')
})

test('a team and its members are listed', async () => {
  const { data } = await owner.mutate('teams.create', { name: 'Night shift' })
  const { id } = data as { id: string }
  const instant = expect.stringMatching(/Z$/)
  expect(await rowsOf('teams', 'list')).toEqual([[id, 'Night shift', 'active', '-', '1', instant]])
  expect(await rowsOf('teams', 'members', id)).toEqual([
    [owner.accountId, 'owner', `wallet:${owner.wallet.address.toLowerCase()}`, instant],
  ])
})

test('an account is made, given a plan, disabled, enabled, and deleted with its last characters', async () => {
  const made = await printed('accounts', 'create', 'github:583231')
  const id = /^(acc_\w+) is there\.\n$/.exec(made)?.[1] ?? ''
  const account = (command: string, ...more: string[]) =>
    printed('accounts', command, 'github:583231', ...more)
  await printed('plans', 'add', describedIn('plan.yaml', '{ name: team }'))
  expect(await account('plan', 'team')).toBe(`${id} has the plan team.\n`)
  expect((await rowsOf('accounts', 'list')).find(([each]) => each === id)?.slice(1, 5)).toEqual([
    'account',
    'active',
    'team',
    'github:583231',
  ])
  expect(await account('plan', 'none')).toBe(`${id} has no plan.\n`)
  expect(await account('disable')).toBe(`${id} is disabled, with 0 keys and agents.\n`)
  expect(await account('enable')).toBe(`${id} is enabled, with 0 keys and agents.\n`)
  expect(await account('statement', '2026-01')).toStartWith('month,key id,name,')
  const confirmation = id.slice(-6)
  expect(await refusalOf('accounts', 'delete', id)).toContain(`--confirm ${confirmation}`)
  expect(await printed('accounts', 'delete', id, '--confirm', confirmation)).toStartWith(
    `${id} is deleted, with 0 keys, 0 agents, `,
  )
})
