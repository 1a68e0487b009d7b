import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { csvOf, filesOf } from '../../server/registry/test-support/small-registry.ts'
import type { RegistryStatus, RowProblem } from '../../shared/registry.ts'
import { commandLineOf } from '../support/command-line.ts'
import type { CommandLine } from '../support/command-line.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'

/** Registries, and client ids at authorization servers, at the operator's command line, against a real server. */

const clientOfFile = {
  issuer: 'https://file.example.com',
  clientId: 'of-the-file',
  clientSecret: 'a-secret-of-the-file',
}

let installation: TestInstallation
let server: GatehouseProcess
let commands: CommandLine
let folder: string

beforeAll(async () => {
  installation = await createTestInstallation({ oauthIssuers: [clientOfFile] }, { hasBuiltInRegistry: true })
  server = await installation.start()
  commands = commandLineOf(installation.dataDir)
  folder = join(installation.dataDir, '..', `${crypto.randomUUID()}-registry`)
  const files = filesOf({
    providers: [{ slug: 'acme', name: 'Acme' }],
    'offers/apis': [{ slug: 'one', provider: 'Acme', actionButtons: '["[Go](javascript:alert(1))"]' }],
    'ethereum/apis': [{ slug: 'one', offer: '!offer:one' }, { slug: 'two', offer: '!offer:none' }],
  }) // prettier-ignore
  for (const { path, text } of files) await Bun.write(join(folder, path), text)
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  await Bun.$`rm -rf ${folder}`.quiet()
})

test('a registry is checked without a change, then imported with a report of its bad rows, and kept over a restart', async () => {
  const atFirst = await commands.run(['registry', 'status'])
  expect(atFirst.stdout).toStartWith('Active: the registry that is part of Gatehouse\n')

  const checked = await commands.run(['registry', 'import', folder, '--check'])
  expect(checked.stdout).toBe(
    'Would import 1 services on 1 networks; 1 providers; 0 MCP servers that can be connected to; 1 rows left out; 1 rows changed.\n',
  )
  expect((await commands.run(['registry', 'status'])).stdout).toBe(atFirst.stdout)

  const imported = await commands.run(['registry', 'import', folder])
  expect(imported.exitCode).toBe(0)
  expect(imported.stdout).toStartWith('Imported 1 services on 1 networks;')
  expect(imported.stderr.trim().split('\n')).toEqual([
    'listings/specific-networks/ethereum/apis.csv:3: left out: there is no offer none in references/offers/apis.csv',
    'references/offers/apis.csv:2: changed: actionButtons: a link that is not http, https or mailto was removed; its text stays',
  ])

  await server.stop()
  server = await installation.start()
  const found = await commands.answerOf<RegistryStatus>('registry', 'status')
  expect(found).toMatchObject({
    origin: folder,
    counts: { networks: 1, rows: 1, leftOut: 1, changed: 1 },
    source: null,
  })
  const { stdout } = await commands.run(['audit', 'list'])
  expect(stdout).toContain('registry.import')
}, 60_000)

test('as JSON it has the problems, too', async () => {
  const answer = await commands.answerOf<{ isImported: boolean; problems: RowProblem[] }>('registry', 'import', folder, '--check') // prettier-ignore
  expect(answer.isImported).toBe(false)
  expect(answer.problems.map(({ line, effect }) => [line, effect])).toEqual([
    [3, 'left_out'],
    [2, 'changed'],
  ])
})

test('what is no registry is refused, and the active one stays', async () => {
  const before = (await commands.run(['registry', 'status'])).stdout
  const none = await commands.run(['registry', 'import', join(folder, 'listings')])
  expect(none).toMatchObject({ exitCode: 1, stdout: '' })
  expect(none.stderr).toContain('there is no meta/columns.json: this is no registry')
  const away = await commands.run(['registry', 'import', join(folder, 'nowhere')])
  expect(away.stderr).toContain('there is no ')
  const plain = await commands.run(['registry', 'import', 'http://registry.example/x.tar.gz'])
  expect(plain.stderr).toContain('an https address without a user')
  expect((await commands.run(['registry', 'status'])).stdout).toBe(before)
  expect((await commands.run(['registry', '--help'])).stdout).toContain('registry import SOURCE')
})

test('a broken file is named with its line', async () => {
  await Bun.write(join(folder, 'listings/all-networks/sdks.csv'), csvOf([{ slug: 'kit', tag: '["open' }]))
  const { stderr } = await commands.run(['registry', 'import', folder, '--check'])
  expect(stderr).toContain('listings/all-networks/sdks.csv:2: left out: tag: not valid JSON')
})

test('client ids that authorization servers gave are set, listed and removed; their secret is shown nowhere', async () => {
  const issuer = 'https://login.example.com'
  const secretFile = join(folder, 'client-secret')
  await Bun.write(secretFile, 'a-secret-of-theirs\n')
  const set = ['oauth-issuers', 'set', issuer, '--client-id', 'ours', '--client-secret-file', secretFile]
  const outputs = [(await commands.run(set)).stdout, (await commands.run(['oauth-issuers', 'list'])).stdout]
  expect(outputs[1]?.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['ISSUER', 'CLIENT ID', 'HOW', 'SINCE'],
    ['https://file.example.com', 'of-the-file', 'in the file'],
    [issuer, 'ours', 'set by an operator', expect.any(String)],
    [''],
  ])
  const { issuer: ofFile } = clientOfFile
  for (const args of [['set', ofFile, '--client-id', 'x'] as const, ['remove', ofFile] as const])
    expect(await commands.refusalOf('oauth-issuers', ...args)).toContain('managed by the file')
  expect(await commands.refusalOf('oauth-issuers', 'set', 'login', '--client-id', 'ours')).toContain(
    'issuer: expected',
  )
  expect(
    await commands.refusalOf(
      'oauth-issuers',
      'set',
      issuer,
      '--client-id',
      'x',
      '--client-secret-file',
      '/nowhere',
    ),
  ).toContain('cannot be read')
  outputs.push((await commands.run(['oauth-issuers', 'remove', issuer])).stdout)
  expect(await commands.refusalOf('oauth-issuers', 'remove', issuer)).toContain(
    'no client id for this issuer',
  )
  outputs.push((await commands.run(['audit', 'list', '--json'])).stdout)
  expect(outputs.at(-1)).toContain('oauth_issuer.set')
  expect(outputs.at(-1)).toContain('oauth_issuer.remove')
  outputs.push((await commands.run(['oauth-issuers', 'list', '--json'])).stdout)
  expect(outputs.join()).not.toContain('a-secret-of')
})
