import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { commandLineOf } from '../support/command-line.ts'
import type { CommandLine } from '../support/command-line.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { startProgram } from '../../scripts/world/program.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'

/** Every command of the operator's command line, as a process of its own against a real server. */

const file = {
  services: [
    { id: 'from-file', name: 'From file', family: 'http', provider: 'acme', endpoint: 'http://127.0.0.1:1/' },
  ],
  toolPolicies: { installation: { deny: ['wipe_*'] } },
}

let installation: TestInstallation
let gatehouse: CommandLine['run']
let answerOf: CommandLine['answerOf']
let refusalOf: CommandLine['refusalOf']
let server: GatehouseProcess
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-backups-'))
  installation = await createTestInstallation(file)
  server = await installation.start()
  ;({ run: gatehouse, answerOf, refusalOf } = commandLineOf(installation.dataDir))
})

afterAll(async () => {
  await installation.remove()
  rmSync(folder, { recursive: true, force: true })
})

const commonFlags = '--chain ethereum --provider acme --policy enterBlocks=5 --policy minLive=null'.split(' ')

const addArgs = (id: string, endpoint: string): string[] =>
  ['services', 'add', '--id', id, '--name', 'Node A', '--endpoint', endpoint].concat(commonFlags)

describe('help', () => {
  test.each([
    ['services list'],
    ['services add'],
    ['services update'],
    ['services remove'],
    ['services incidents'],
    ['endpoints list'],
    ['endpoints test'],
    ['verifiers enroll'],
    ['verifiers list'],
    ['verifiers revoke'],
    ['accounts list'],
    ['accounts invite'],
    ['accounts disable'],
    ['accounts enable'],
    ['accounts export'],
    ['accounts delete'],
    ['accounts statement'],
    ['accounts create'],
    ['accounts plan'],
    ['plans list'],
    ['plans add'],
    ['plans remove'],
    ['teams list'],
    ['teams members'],
    ['api-keys create'],
    ['api-keys list'],
    ['api-keys disable'],
    ['api-keys delete'],
    ['query-keys create'],
    ['query-keys list'],
    ['query-keys enable'],
    ['query-keys disable'],
    ['query-keys delete'],
    ['query-keys rotate'],
    ['tool-servers list'],
    ['tool-servers show'],
    ['tool-servers accept'],
    ['oauth-issuers list'],
    ['oauth-issuers set'],
    ['oauth-issuers remove'],
    ['agents list'],
    ['agents revoke'],
    ['agents revoke-all'],
    ['agents clients'],
    ['virtual-servers list'],
    ['virtual-servers show'],
    ['virtual-servers apply'],
    ['tool-policies list'],
    ['tool-policies test'],
    ['alerts list'],
    ['alerts test'],
    ['channels list'],
    ['channels test'],
    ['silences list'],
    ['silences add'],
    ['silences end'],
    ['maintenance add'],
    ['maintenance list'],
    ['maintenance remove'],
    ['ready'],
    ['print-config'],
    ['backup'],
    ['backup verify'],
    ['restore'],
  ])('%s --help says how it is used', async (name) => {
    const { exitCode, stdout, stderr } = await gatehouse([...name.split(' '), '--help'])
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`Usage: npm run --silent gatehouse -- ${name}`)
    expect(stdout).toContain('--json')
  })

  test('ready says what /readyz says', async () => {
    const ofServer = await fetch(`${server.url}/readyz`).then((response) => response.json())
    expect(await answerOf('ready')).toEqual(ofServer)
    expect((await gatehouse(['ready'])).stdout).toStartWith(`ready\n  database: ok\n`)
  })

  test('of a group and of the whole lists the commands', async () => {
    const whole = await gatehouse(['--help'])
    const group = await gatehouse(['verifiers', '--help'])
    expect(whole.stdout).toContain('restore FILE')
    expect(group.stdout).toContain('verifiers revoke ID')
    expect(group.stdout).not.toContain('restore')
  })

  test('what does not exist is answered with what does, and exit code 2', async () => {
    expect(await gatehouse(['servces'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'gatehouse: There is no command "servces"; did you mean "services"? See --help.\n',
    })
    const unlike = (await gatehouse(['nodes'])).stderr
    expect(unlike).toMatch(/no command "nodes"; there are services, endpoints, .*, backup, restore\.\n$/)
    const { exitCode, stderr } = await gatehouse(['services', 'list', '--all'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('"services list" has no flag --all; it has --data-dir, --json, --help.')
  })
})

describe('services', () => {
  test('one is added, listed and removed', async () => {
    const added = await gatehouse(addArgs('node-a', 'http://127.0.0.1:1/'))
    expect(added).toMatchObject({ exitCode: 0, stderr: '' })
    expect(added.stdout).toContain('Registered Node A as node-a')

    const { stdout } = await gatehouse(['services', 'list'])
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'NAME', 'CHAIN', 'PROVIDER', 'DECISION', 'MANAGED BY'],
      ['from-file', 'From file', '(http)', 'acme', expect.any(String), 'file'],
      ['node-a', 'Node A', 'ethereum', 'acme', expect.any(String), 'operator'],
      [''],
    ])
    expect(await answerOf<unknown[]>('services', 'incidents', 'node-a')).toEqual([])
    expect((await gatehouse(['services', 'incidents', 'node-a', '--range', '7d'])).stdout).toBe(
      'There was none.\n',
    )
    expect(await refusalOf('services', 'incidents', 'node-a', '--range', '2d')).toContain('range')
    expect(await answerOf('services', 'remove', 'node-a')).toEqual({ removed: 'node-a' })
    expect(await answerOf<unknown[]>('services', 'list')).toMatchObject([
      { id: 'from-file', managedBy: 'file' },
    ])
  })

  test('one is changed, and keeps what is not given', async () => {
    await answerOf(...addArgs('node-u', 'http://127.0.0.1:1/'))
    const changed = await gatehouse([
      'services',
      'update',
      'node-u',
      '--name',
      'Node U',
      '--chain',
      'polygon',
    ])
    expect(changed).toEqual({ exitCode: 0, stdout: 'Changed Node U (node-u).\n', stderr: '' })
    expect(
      await answerOf('services', 'update', 'node-u', '--default-policy', '--provider', 'other'),
    ).toMatchObject({
      id: 'node-u',
      name: 'Node U',
      chain: { key: 'polygon' },
      provider: 'other',
    })
    const refusals = [
      [['node-u'], 'nothing to change was given'],
      [['node-u', '--endpoint', 'http://10.0.0.1/'], 'endpoint: a private address'],
      [['node-u', '--chain', 'solana'], 'family: "evm" does not fit chain solana'],
      [['node-u', '--policy', 'enter=5'], 'policy: unknown field enter'],
      [['node-u', '--policy', 'enterBlocks=5', '--default-policy'], 'exclude each other'],
      [['from-file', '--name', 'x'], 'managed by the file: change it there'],
      [['nobody', '--name', 'x'], 'there is no such service'],
    ] as const
    for (const [args, text] of refusals)
      expect(await refusalOf('services', 'update', ...args)).toContain(text)
    await answerOf('services', 'remove', 'node-u')
  })

  test('refusals name the field, whichever side notices', async () => {
    expect(await refusalOf(...addArgs('node-b', 'ftp://127.0.0.1/'))).toContain(
      'endpoint: expected an http or',
    )
    expect(await refusalOf(...addArgs('node-b', 'http://10.0.0.1/'))).toContain('endpoint: a private address')
    expect(await refusalOf(...addArgs('node b', 'http://127.0.0.1:1/'))).toContain('id: expected 1 to 128')
    expect(await refusalOf(...addArgs('node-b', 'http://127.0.0.1:1/'), '--policy', 'enter=5')).toContain(
      'policy: unknown field enter',
    )
    expect(await refusalOf(...addArgs('node-b', 'http://127.0.0.1:1/'), '--family', 'solana')).toContain(
      'family: ',
    )
    expect(await refusalOf('services', 'remove', 'nobody')).toContain('gatehouse: ')
    expect(await refusalOf('services', 'remove', 'from-file')).toContain('file')
  })
})

test('a verifier enrols with the printed command, is listed, and is revoked', async () => {
  const { token, command } = await answerOf<{ token: string; command: string }>('verifiers', 'enroll')
  expect(command).toBe(`npm run verifier -- --server ${server.url} --token ${token}`)
  const args = command.replace('npm run verifier -- ', '').split(' ')
  const verifier = startProgram([
    'sh',
    'scripts/bun.sh',
    'server/verifier/main.ts',
    ...args,
    '--name=far-away',
    `--state=${join(folder, 'verifier')}`,
    '--allow-private=127.0.0.0/8',
  ])
  try {
    const listed = async () => (await gatehouse(['verifiers', 'list'])).stdout
    await waitUntil(
      'it reports',
      async () => /far-away .* (ago|just now) +reporting/.test(await listed()),
      30_000,
    )
    const verifiers = await answerOf<{ id: string; name: string }[]>('verifiers', 'list')
    const id = verifiers.find(({ name }) => name === 'far-away')?.id ?? ''
    expect(await answerOf('verifiers', 'revoke', id)).toEqual({ revoked: id, propagated: true })
    expect(await verifier.exited).toBe(1)
    expect(await listed()).not.toContain('far-away')
    expect(await refusalOf('verifiers', 'revoke', 'ver_nobody')).toBe(
      'gatehouse: there is no such verifier\n',
    )
  } finally {
    await verifier.kill()
  }
})

test('policies of tool calls are listed, and say what would become of a call', async () => {
  const owner = await signInAt(server.url)
  const policy = {
    readOnly: true,
    limits: [{ tools: ['send_*'], calls: 10, period: 'hour' }],
    prices: [{ tools: ['*'], credits: 2 }],
    credits: { units: 9, period: 'day' },
  }
  await owner.mutate('toolPolicies.save', { subject: { level: 'account' }, policy })
  const { stdout } = await gatehouse(['tool-policies', 'list', '--account', owner.wallet.address])
  const rules = 'read only; limit send_* 10/hour; price * 2; credits 9/day'
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['FOR', 'ID', 'ACCOUNT', 'RULES', 'CHANGED'],
    ['installation', '–', '–', 'deny wipe_*', 'file'],
    ['account', '–', owner.accountId, rules, expect.any(String)],
    [''],
  ])
  const trying = ['tool-policies', 'test', '--server', 'mcpservers:acme', '--tool']
  const said = async (...args: string[]) => (await gatehouse([...trying, ...args])).stdout
  const ofOwner = ['--account', owner.accountId]
  expect(await said('wipe_disk')).toStartWith(
    'Refused by installation deny: This tool is denied by the policy',
  )
  expect(await said('send_mail')).toBe('Allowed.\n')
  expect(await said('send_mail', ...ofOwner)).toStartWith('Refused by account readOnly: ')
  expect(await said('send_mail', ...ofOwner, '--read-only', '--arguments', '{"to": "ann"}')).toBe(
    'Allowed.\naccount limits[0]: takes 1 of 10/hour\naccount credits: takes 2 of 9/day\n',
  )
  expect(await refusalOf(...trying, 'a', '--arguments', '{')).toContain('arguments: expected JSON')
  expect(await refusalOf(...trying, 'a', '--arguments', '[]')).toContain('arguments: expected')
  expect(await refusalOf(...trying, 'a', '--key', 'key_1')).toContain('need --account')
  expect(await refusalOf('tool-policies', 'list', '--account', 'acc_nobody')).toContain('gatehouse: ')
})

test('the token is shown with how long it lives', async () => {
  const { stdout } = await gatehouse(['verifiers', 'enroll', '--label', 'for Bob'])
  expect(stdout).toMatch(/^Token: gvt_[\w-]{43}\n/)
  expect(stdout).toMatch(/once, until \d{4}-\d\d-\d\dT/)
})

describe('print-config', () => {
  test('hides secrets', async () => {
    const { exitCode, stdout } = await gatehouse(['print-config'], {
      GATEHOUSE_PORT: '8080',
      DATABASE_URL: 'postgres://someone:hunter2@db/gatehouse',
    })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^GATEHOUSE_PORT +8080 /m)
    expect(stdout).toMatch(/^DATABASE_URL +\(set\) /m)
    expect(stdout).not.toContain('hunter2')
  })

  test('names all mistakes at once', async () => {
    const { exitCode, stderr } = await gatehouse(['print-config'], {
      GATEHOUSE_PORT: 'many',
      GATEHOUSE_LOG_LEVEL: 'loud',
      GATEHOUSE_PROT: '1',
      GATEHOUSE_FILE: '/nowhere/gatehouse.yaml',
    })
    expect(exitCode).toBe(1)
    for (const name of [
      'GATEHOUSE_FILE: there is no /nowhere/gatehouse.yaml',
      'GATEHOUSE_PORT: expected',
      'GATEHOUSE_LOG_LEVEL: expected',
      'GATEHOUSE_PROT: no such',
    ]) {
      expect(stderr).toContain(name)
    }
  })
})

const backup = (): string => join(folder, 'one.backup')

describe('backup and restore', () => {
  test('a backup is one private file, written while the server runs and never overwritten', async () => {
    await answerOf(...addArgs('node-a', 'http://user:hunter2@127.0.0.1:1/'))
    await answerOf(...addArgs('node-b', 'http://127.0.0.1:1/'))
    const { exitCode, stdout, stderr } = await gatehouse(['backup', '--out', backup()])
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toContain('services 2')
    expect(stdout).toContain(`keep ${join(installation.dataDir, 'private')} separately`)
    expect(statSync(backup()).mode & 0o777).toBe(0o600)
    expect(readFileSync(backup(), 'utf8')).not.toContain('hunter2')

    const before = readFileSync(backup())
    expect(await refusalOf('backup', '--out', backup())).toContain('already; give another with --out')
    expect(readFileSync(backup())).toEqual(before)
    expect(readdirSync(folder).filter((name) => name.endsWith('.unfinished'))).toEqual([])
  })

  test('it is verified while the server runs, and one of others is not', async () => {
    const { tables } = await answerOf<{ tables: Record<string, { rows: number }> }>(
      'backup',
      'verify',
      backup(),
    )
    expect(tables['services']?.rows).toBe(2)
    const other = join(folder, 'other.backup')
    writeFileSync(other, 'PGDMP\n')
    expect(await refusalOf('backup', 'verify', other)).toContain('is no backup of Gatehouse')
    const elsewhere = commandLineOf(join(folder, 'elsewhere'))
    expect(await elsewhere.refusalOf('backup', 'verify', backup())).toMatch(
      /every row of .* came back, but its secrets need the master key \w{8}/,
    )
  }, 60_000)

  test('nothing is restored under a running server', async () => {
    expect(await refusalOf('restore', backup(), '--yes')).toContain(`(pid ${server.pid})`)
  })

  test('a stopped server is told, with how to start it', async () => {
    await answerOf('services', 'remove', 'node-a')
    await answerOf(...addArgs('node-c', 'http://127.0.0.1:1/'))
    expect(await server.stop()).toBe(0)
    expect(await refusalOf('services', 'list')).toBe(
      `gatehouse: no server runs on the data folder ${installation.dataDir}; start it with npm start, or name its folder with --data-dir\n`,
    )
    expect(await refusalOf('backup', '--out', join(folder, 'two.backup'))).toContain('no server runs')
    expect(readdirSync(folder)).not.toContain('two.backup')
  })

  test('a damaged file and one that is cut short are refused before anything happens', async () => {
    const whole = readFileSync(backup())
    const damaged = join(folder, 'damaged.backup')
    writeFileSync(damaged, Buffer.from(whole.toString('latin1').replace('node-a', 'node-x'), 'latin1'))
    expect(await refusalOf('restore', damaged, '--yes')).toContain('does not match its checksum')
    writeFileSync(damaged, whole.subarray(0, whole.length / 2))
    expect(await refusalOf('restore', damaged, '--yes')).toContain('is cut short')
    expect(await refusalOf('restore', join(folder, 'missing'))).toContain('there is no file')
  })

  test('what is in the database is replaced only when that is wanted', async () => {
    expect(await refusalOf('restore', backup())).toMatch(
      /the database is not empty \(services 2,.*--yes replaces/,
    )
    const { rows } = await answerOf('restore', backup(), '--yes')
    expect(rows).toMatchObject({ services: 2 })
  })

  test('the server goes on with what the backup holds, and its secrets open', async () => {
    server = await installation.start()
    const services = await answerOf<{ id: string }[]>('services', 'list')
    expect(services.map(({ id }) => id).sort()).toEqual(['from-file', 'node-a', 'node-b'])
  })
})
