import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import {
  type GatehouseProcess,
  type TestInstallation,
  createTestInstallation,
} from '../../scripts/world/gatehouse-process.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { commandLineOf } from '../support/command-line.ts'
import { covers } from '../support/covers.ts'

/** Two processes on one database, whose master key is changed while one of them is always running. */

const [oldKey, newKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-rotation-'))
const backups = join(folder, 'scheduled')

let database: TestDatabase
let one: TestInstallation
let two: TestInstallation

beforeAll(async () => {
  ;[database, one, two] = await Promise.all([
    testDatabase(),
    createTestInstallation(),
    createTestInstallation(),
  ])
})
afterAll(async () => {
  await Promise.all([one?.remove(), two?.remove()])
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const environment = (masterKey: string): Record<string, string> => ({
  DATABASE_URL: database.url,
  GATEHOUSE_MASTER_KEY: masterKey,
})

/** What a process says that does not start. */
async function refusalOf(installation: TestInstallation, masterKey: string): Promise<string> {
  const program = installation.launch(environment(masterKey))
  expect(await program.exited).toBe(1)
  return program.output()
}

async function restarted(
  running: GatehouseProcess,
  installation: TestInstallation,
  masterKey: string,
): Promise<GatehouseProcess> {
  expect(await running.stop()).toBe(0)
  return await installation.start(environment(masterKey))
}

const commandLine = (masterKey: string, ...args: string[]) =>
  commandLineOf(join(folder, 'other')).run(args, environment(masterKey))

test('in the right order everything goes on; in any other a process says so, and does not start', async () => {
  covers('threat-2')
  let first = await one.start({ ...environment(oldKey), GATEHOUSE_BACKUP_DIR: backups })
  await first.operator.services.add.mutate({
    id: 'sealed',
    name: 'Sealed',
    family: 'http',
    provider: 'acme',
    endpoint: 'http://user:secret@127.0.0.1:1/',
  })
  expect(await refusalOf(two, newKey)).toContain('sealed under the master key')
  expect(await refusalOf(two, `${newKey},${oldKey}`)).toMatch(
    /1 running process does not have the master key \w{8}, .*GATEHOUSE_MASTER_KEY=old,new first/,
  )
  let second = await two.start(environment(`${oldKey},${newKey}`))
  first = await restarted(first, one, `${oldKey},${newKey}`)

  first = await restarted(first, one, `${newKey},${oldKey}`)
  await waitUntil('it waits for the other one', () =>
    first.output().includes('once every running process has the same first master key'),
  )
  expect(first.output()).not.toContain('everything is sealed anew')
  second = await restarted(second, two, `${newKey},${oldKey}`)
  for (const process of [first, second]) {
    await waitUntil('everything is sealed anew', () => process.output().includes('everything is sealed anew'))
  }
  first = await restarted(first, one, newKey)
  second = await restarted(second, two, newKey)
  const services = await second.operator.services.list.query()
  expect(services.map(({ id }) => id)).toContain('sealed')
  for (const process of [first, second]) expect(await process.stop()).toBe(0)
  expect(await refusalOf(one, oldKey)).toContain('sealed under the master key')
}, 120_000)

test('a backup of before needs the old key, and none is restored under a running process', async () => {
  await waitUntil('there is one', () => readdirSync(backups).some((name) => name.endsWith('.backup')))
  const backup = join(backups, readdirSync(backups).find((name) => name.endsWith('.backup')) ?? '')
  const wrongKey = await commandLine(newKey, 'restore', backup, '--yes')
  expect([wrongKey.exitCode, wrongKey.stderr]).toEqual([
    1,
    expect.stringMatching(/sealed under the master key \w{8}, which is not in GATEHOUSE_MASTER_KEY/),
  ])
  const server = await one.start(environment(newKey))
  const inUse = await commandLine(oldKey, 'restore', backup, '--yes')
  expect([inUse.exitCode, inUse.stderr]).toEqual([
    1,
    expect.stringContaining('a process is running on the database; stop every one before you restore'),
  ])
  await server.kill9()
  expect(await commandLine(oldKey, 'restore', backup, '--yes')).toMatchObject({ exitCode: 0 })
  const restored = await one.start(environment(oldKey))
  expect(await restored.stop()).toBe(0)
}, 120_000)
