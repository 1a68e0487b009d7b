import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { type CommandLine, commandLineOf } from '../support/command-line.ts'
import { type HealthClient, healthClient } from '../support/health-client.ts'

/** Everything that a service may have, set at the command line, with what a real server and a real upstream make of it. */

let installation: TestInstallation
let commandLine: CommandLine
let health: HealthClient
let folder: string
/** Answers only those who send the header, and says what it was asked. */
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) =>
    request.headers.get('x-tenant') === 's3cret'
      ? Response.json({ method: request.method, asked: await request.text() })
      : new Response(null, { status: 403 }),
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-services-'))
  installation = await createTestInstallation({})
  const server = await installation.start()
  commandLine = commandLineOf(installation.dataDir)
  health = healthClient(server.url)
})

afterAll(async () => {
  await upstream.stop(true)
  await installation.remove()
  rmSync(folder, { recursive: true, force: true })
})

const quick = ['intervalMs=500', 'timeoutMs=400', 'freshMs=4000', 'downForMs=500', 'upForMs=500'].flatMap(
  (threshold) => ['--policy', threshold],
)

test('an http service is watched by the rule and with the header that were typed, until they are changed', async () => {
  const { answerOf, refusalOf } = commandLine
  const headers = join(folder, 'headers')
  writeFileSync(headers, 'X-Tenant: s3cret\n')
  const rules = ['method=POST', 'body=hello', 'json.path=$.asked', 'json.equals=hello']
  const address = `http://127.0.0.1:${upstream.port}/`
  const add = 'services add --id web --name Web --family http --provider acme --header'.split(' ')
  const added = [...add, `@${headers}`, '--endpoint', address, ...quick]
  await answerOf(...added, ...rules.flatMap((rule) => ['--rule', rule]))
  await health.until({ web: 'UP' }, 20_000)
  await answerOf('services', 'update', 'web', '--rule', 'json.path=$.method', '--rule', 'json.equals=POST')
  await health.until({ web: 'DOWN' }, 20_000) // it is asked with GET again: the rule is another as a whole
  await answerOf('services', 'update', 'web', '--rule', 'json.path=$.method')
  await health.until({ web: 'UP' }, 20_000)
  await answerOf('services', 'update', 'web', '--no-header', 'x-tenant')
  await health.until({ web: 'DOWN' }, 20_000)
  expect(await refusalOf('services', 'update', 'web', '--capability', 'archive=true')).toContain(
    'capabilities',
  )
})

const nodeAt = 'services add --id node --name Node --chain ethereum --provider acme --endpoint'.split(' ')
const add = (...flags: string[]): string[] => [...nodeAt, 'https://127.0.0.1:1/key', ...flags]

test('a node takes an address for new heads, capabilities and certificates, and loses them again', async () => {
  const { run, answerOf, refusalOf } = commandLine
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, 'no certificate')
  expect(await refusalOf(...add('--ca', ca))).toContain('ca: expected certificates in PEM')
  expect(await refusalOf(...add('--ws', 'https://127.0.0.1:1/'))).toContain('ws')
  expect(await refusalOf(...add('--capability', 'archive=maybe'))).toContain('archive')
  await answerOf(...add('--ws', 'wss://127.0.0.1:1/', '--capability', 'archive=true'))
  expect(await health.details('node')).toMatchObject({ labels: ['archive'] })

  const moved = ['services', 'update', 'node', '--endpoint', 'https://localhost:1/']
  expect(await refusalOf(...moved)).toContain('ws: give it again, or null to remove it')
  expect(await refusalOf(...moved, '--no-ws', '--ws', 'wss://localhost:1/')).toContain('exclude each other')
  const changed = await run([...moved, '--no-ws', '--no-capabilities', '--no-ca'])
  expect(changed).toEqual({ exitCode: 0, stdout: 'Changed Node (node).\n', stderr: '' })
  expect(await health.details('node')).toMatchObject({ labels: [] })
})

/** What has too many parts for flags, as files describe it; the file of the installation has the same. */
const described = [
  ['endpoints', 'name: day\nchain: ethereum\nupstreams:\n  - url: http://127.0.0.1:1/a-secret-path\n'],
  ['channels', '{ "name": "day", "type": "webhook", "url": "http://127.0.0.1:1/a-secret-path" }'],
  ['alerts', 'name: day\nwhen: { decision: [DOWN] }\nchannels: [day]\n'],
  ['plans', 'name: day\nmaxKeys: 3\ntotalMost: { rate: 1000/minute }\n'],
  ['status-pages', 'page: day\ntitle: Day\ngroups: [{ name: Nodes, services: [{ id: day }] }]\n'],
] as const

test('endpoints, channels, rules, plans and status pages are made of files, shown, and removed again', async () => {
  const { run, answerOf, refusalOf } = commandLine
  await answerOf(...add().map((word) => (word === 'node' ? 'day' : word)))
  for (const [group, text] of described) {
    const path = join(folder, `${group}.yaml`)
    writeFileSync(path, text)
    const help = (await run([group, '--help'])).stdout
    for (const command of [`${group} add FILE`, `${group} remove NAME`]) expect(help).toContain(command)
    const { stdout } = await run([group, 'add', path])
    expect(stdout).toMatch(group === 'channels' ? /^Added day\.\nIts secret, .*whsec_/ : /^Added day\.\n$/)
    expect((await run([group, group === 'alerts' ? 'rules' : 'list'])).stdout).toContain('day')
    expect(await refusalOf(group, 'add', path)).toMatch(/there is|taken/i)
  }
  const wrong = join(folder, 'wrong.yaml')
  writeFileSync(wrong, 'name: day\nurl: a-secret-path\n')
  expect(await refusalOf('endpoints', 'add', wrong)).toMatch(/file chain: required.*file: unknown field url/)
  writeFileSync(wrong, 'name: "a-secret-path\n')
  expect(await refusalOf('channels', 'add', wrong)).toMatch(
    /neither YAML nor JSON, at line \d+, column \d+\n$/,
  )
  expect(await refusalOf('alerts', 'add', join(folder, 'none'))).toContain('cannot be read')
  for (const [group] of described.toReversed()) {
    expect(await answerOf(group, 'remove', 'day')).toEqual({ removed: 'day' })
    expect(await refusalOf(group, 'remove', 'day')).toMatch(/there is no/i)
  }
  expect((await run(['audit', 'list', '--json'])).stdout).not.toContain('a-secret-path')
})
