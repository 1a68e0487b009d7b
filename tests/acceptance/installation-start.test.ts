import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { processesNaming } from '../../scripts/world/process-tree.ts'
import { sourceCommand } from '../../scripts/world/product-programs.ts'
import { startProgram } from '../../scripts/world/program.ts'
import type { Program } from '../../scripts/world/program.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'
import { covers } from '../support/covers.ts'

/** Starts that go well, and starts that must not. */

let installation: TestInstallation
let first: GatehouseProcess
const others: TestInstallation[] = []

async function another(file: string | object = ''): Promise<TestInstallation> {
  const created = await createTestInstallation(file, { isFirstStart: true })
  others.push(created)
  return created
}

/** How long a start that goes well takes on this machine, under whatever load it has. */
let readyMs = 0

/** What a start that fails says, without its log; it has to end by itself, soon: no later than five good starts would. */
async function failureOf(program: Program): Promise<string> {
  const startedAt = performance.now()
  expect(await program.exited).toBe(1)
  expect(performance.now() - startedAt).toBeLessThan(Math.max(5_000, 5 * readyMs))
  const lines = program.output().split('\n')
  return lines.filter((line) => !line.startsWith('{')).join('\n')
}

beforeAll(async () => {
  installation = await createTestInstallation('', { isFirstStart: true })
  const startedAt = performance.now()
  first = await installation.start()
  readyMs = performance.now() - startedAt
}, 60_000)
afterEach(async () => {
  for (const other of others.splice(0)) await other.remove()
})
afterAll(() => installation?.remove())

/** The server from the beginning answers, and still has a database. */
async function expectFirstUnharmed(): Promise<void> {
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  const { token } = await first.operator.verifiers.createToken.mutate({ label: 'still there' })
  expect(token).toStartWith('gvt_')
  expect(first.program.isRunning()).toBe(true)
}

/** What a server that has just become ready prints for the person who started it. */
async function greetingOf({ output }: GatehouseProcess): Promise<string> {
  await waitUntil('it has said everything', () => output().includes('Ctrl-C stops it.\n'))
  return output().slice(output().indexOf('Gatehouse is up'))
}

/** Null when it prints none. */
const setupLinkOf = async (server: GatehouseProcess): Promise<string | null> =>
  new RegExp(`${server.url}/sign-in#setup=gst_[\\w-]{43}`).exec(await greetingOf(server))?.[0] ?? null

test('it says how it is started, and ignores nothing that was typed behind its name', async () => {
  const asked = startProgram([...sourceCommand('server/main.ts'), '--help'])
  expect(await asked.exited).toBe(0)
  expect(asked.output()).toContain('Usage: npm start\n')
  const mistaken = startProgram([...sourceCommand('server/main.ts'), '--port', '8080'])
  expect(await mistaken.exited).toBe(1)
  expect(mistaken.output()).toBe(
    'gatehouse: npm start takes no arguments: environment variables and gatehouse.yaml set everything\n',
  )
})

test('it says what a person needs next', async () => {
  const said = await greetingOf(first)
  expect(said.replace(/gst_[\w-]{43}/, 'gst_…')).toBe(`Gatehouse is up at ${first.url}

  First operator  ${first.url}/sign-in#setup=gst_…
                  opens the console; works once, for a day
  API reference   ${first.url}/reference
  For agents      ${first.url}/mcp/account (as you: by OAuth, or an API key)
                  ${first.url}/mcp (also without an account), ${first.url}/sse (the same over HTTP with SSE)
  Try it          curl ${first.url}/health/my-service
  Services        0 registered (${installation.filePath})

Ctrl-C stops it.
`)
})

/** The status of the answer to a claim of the first operator's place. */
async function claimed(by: SignedInClient, from: string | null): Promise<number> {
  const token = new URL(from ?? '').hash.replace('#setup=', '')
  const response = await by.send('/auth/setup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  return response.status
}

test('the setup link makes one operator, a start without one prints a new link, a later start none', async () => {
  covers('threat-62')
  const other = await another()
  let server = await other.start()
  const missed = await setupLinkOf(server)
  expect(await server.stop()).toBe(0)
  server = await other.start()
  const link = await setupLinkOf(server)
  expect(link).not.toBeNull()
  expect(link).not.toBe(missed)

  const owner = await signInAt(server.url)
  const late = await signInAt(server.url)
  expect(await claimed(owner, link)).toBe(200)
  for (const used of [link, missed]) expect(await claimed(late, used)).toBe(410)
  expect((await owner.query('accounts.list')).status).toBe(200)
  expect((await late.query('accounts.list')).status).toBe(403)

  expect(await server.stop()).toBe(0)
  server = await other.start()
  expect(await setupLinkOf(server)).toBeNull()
  expect(server.output()).toContain(`  Console         ${server.url}\n`)
}, 60_000)

test('secrets that nobody set are made, readable by nobody else', () => {
  const folder = join(installation.dataDir, 'private')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  const names = readdirSync(folder)
  expect(names).toEqual(expect.arrayContaining(['master-key', 'metrics-token']))
  for (const name of names) {
    const stat = statSync(join(folder, name))
    expect([name, stat.mode & 0o777]).toEqual([name, stat.isDirectory() ? 0o700 : 0o600])
  }
})

test('they are in no log', async () => {
  const folder = join(installation.dataDir, 'private')
  for (const name of ['master-key', 'metrics-token']) {
    const secret = (await Bun.file(join(folder, name)).text()).trim()
    expect(secret.length).toBeGreaterThan(20)
    expect(first.output()).not.toContain(secret)
  }
})

describe('in one sentence, with exit code 1, and without harm to the first', () => {
  test('a second start on the same data folder', async () => {
    const program = installation.launch({ GATEHOUSE_PORT: '0' })
    expect(await failureOf(program)).toBe(
      `gatehouse: another Gatehouse (pid ${first.pid}) already uses the data folder ${installation.dataDir}\n`,
    )
    await expectFirstUnharmed()
  }, 30_000)

  test('a second start on the same port', async () => {
    const other = await another()
    const program = other.launch({ GATEHOUSE_PORT: String(installation.port) })
    expect(await failureOf(program)).toBe(
      `gatehouse: Port ${installation.port} on 127.0.0.1 is already in use: stop what uses it, or name another by GATEHOUSE_PORT.\n`,
    )
    expect(processesNaming(other.dataDir)).toEqual([])
    await expectFirstUnharmed()
  }, 30_000)

  test('a file that is not there', async () => {
    const other = await another()
    const program = other.launch({ GATEHOUSE_FILE: '/nowhere/gatehouse.yaml' })
    expect(await failureOf(program)).toBe('gatehouse: GATEHOUSE_FILE: there is no /nowhere/gatehouse.yaml\n')
    expect(processesNaming(other.dataDir)).toEqual([])
  }, 30_000)
})

test('every mistake in the settings is named at once, and no secret is shown', async () => {
  const other = await another()
  const program = other.launch({
    GATEHOUSE_PORT: '70000',
    GATEHOUSE_ALLOW_PRIVATE: '10.0.0.0/8,elsewhere',
    GATEHOUSE_LOG_LEVEL: 'loud',
    GATEHOUSE_MASTER_KEY: 'canary-key',
    GATEHOUSE_METRICS_TOKEN_FILE: '/nowhere/token',
    GATEHOUSE_PROT: '3000',
    DATABASE_URL: 'mysql://canary-host/',
  })
  const said = await failureOf(program)
  expect(said).toStartWith('gatehouse: the settings have mistakes:\n')
  const named = ['PORT', 'ALLOW_PRIVATE', 'LOG_LEVEL', 'MASTER_KEY', 'METRICS_TOKEN_FILE', 'PROT']
  for (const name of named) expect(said).toContain(`\n  GATEHOUSE_${name}: `)
  expect(said).toContain('\n  DATABASE_URL: ')
  expect(said).not.toContain('canary')
}, 30_000)

test('every mistake in the file is named with its line and field', async () => {
  const other = await another(`services:
  - id: a
    name: A
    chain: testnett
    provider: acme
    endpoint: http://127.0.0.1:8545
  - id: b b
    name: B
    family: http
    endpoint: gopher://127.0.0.1/
    policy: { enterBlock: 5 }
`)
  const said = await failureOf(other.launch())
  expect(said.split('\n')).toEqual([
    'gatehouse: the file has mistakes:',
    '  gatehouse.yaml:7: services[1].id: expected 1 to 128 characters of A-Z a-z 0-9 . _ : -, but neither . nor ..',
    expect.stringMatching(/^ {2}gatehouse\.yaml:7: services\[1\]\.provider: /),
    '  gatehouse.yaml:10: services[1].endpoint: expected an http or https address',
    '  gatehouse.yaml:11: services[1].policy.enterBlock: no such field',
    '',
  ])
  // It is told before anything is begun that a first start would wait for.
  expect(existsSync(other.dataDir) ? readdirSync(other.dataDir) : []).toEqual([])
  expect(processesNaming(other.dataDir)).toEqual([])
}, 30_000)

const service = (id: string, more: object) => ({ id, name: id, provider: 'acme', ...more })

test('what only its meaning shows to be wrong is named in the same way', async () => {
  const other = await another({
    services: [
      service('a', { chain: 'testnett', endpoint: 'http://127.0.0.1:8545' }),
      service('b', { family: 'http', endpoint: 'http://10.1.2.3/' }),
      service('b', { family: 'http', endpoint: 'http://127.0.0.1/' }),
      service('c', { family: 'solana', chain: 'ethereum', endpoint: 'http://127.0.0.1/' }),
    ],
  })
  const said = await failureOf(other.launch())
  expect(said).toContain('gatehouse.yaml:5: services[0].chain: unknown chain "testnett"')
  expect(said).toContain('services[1].endpoint: a private address')
  expect(said).toContain('services[3].family: "solana" does not fit chain ethereum')
}, 30_000)
