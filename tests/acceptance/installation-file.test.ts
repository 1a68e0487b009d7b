import { afterAll, beforeAll, expect, test } from 'bun:test'
import { renameSync, rmSync, writeFileSync } from 'node:fs'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { healthClient } from '../support/health-client.ts'
import type { HealthClient } from '../support/health-client.ts'

/** The declarative file is followed while the server runs; a mistake in it changes nothing. */

/** How soon a change has to be active. */
const soonMs = 2_000

let installation: TestInstallation
let server: GatehouseProcess
let health: HealthClient
const website = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('fine') })

const policy = { intervalMs: 1_000, freshMs: 10_000 }
const site = (id: string, more: object = {}) => ({
  id,
  name: `Site ${id}`,
  family: 'http' as const,
  provider: 'acme',
  endpoint: `http://127.0.0.1:${website.port}/`,
  policy,
  ...more,
})

beforeAll(async () => {
  installation = await createTestInstallation({ services: [site('one')] })
  server = await installation.start()
  health = healthClient(server.url)
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  await website.stop(true)
})

const ids = async () => (await server.operator.services.list.query()).map(({ id }) => id).toSorted()
const becomes = (expected: string[]) =>
  waitUntil(
    `the services are ${expected.join(', ')}`,
    async () => Bun.deepEquals(await ids(), expected),
    soonMs,
  )
const isSaid = (text: string) =>
  waitUntil(`the log says ${text}`, () => server.output().includes(text), soonMs)

test('a changed file is active within 2 s, and what stays keeps its decision', async () => {
  await health.until({ one: 'UP' })
  installation.writeFile({ services: [site('one', { name: 'Renamed' }), site('two')] })
  await becomes(['one', 'two'])
  expect((await health.read('one')).decision).toBe('UP')
  expect(await health.details('one')).toMatchObject({ name: 'Renamed', managedBy: 'file' })
  await health.until({ one: 'UP', two: 'UP' })
  expect((await health.history('one')).transitions).toHaveLength(1)
}, 30_000)

test('a mistake is logged with file, line and field, and the last good set stays', async () => {
  installation.writeFile(
    'services:\n  - id: three\n    name: Three\n    provider: acme\n    policy: { enterBlocks: -1 }\n',
  )
  await isSaid('gatehouse.yaml:5: services[0].policy.enterBlocks: ')
  await isSaid('gatehouse.yaml:2: services[0].endpoint: ')
  expect(await ids()).toEqual(['one', 'two'])
  installation.writeFile('services:\n  - id: [')
  await isSaid('gatehouse.yaml:2: (syntax): ')
  installation.writeFile({ services: [site('one'), site('two', { chain: 'nowhere', family: 'evm' })] })
  await isSaid('services[1].chain: unknown chain \\"nowhere\\"')
  expect(await ids()).toEqual(['one', 'two'])
  expect(await health.decisions(['one', 'two'])).toEqual(['UP', 'UP'])
}, 30_000)

test('a file that vanishes changes nothing; one that is moved into its place is active', async () => {
  rmSync(installation.filePath)
  await isSaid('gatehouse.yaml: (file): it is gone')
  expect(await ids()).toEqual(['one', 'two'])
  const next = `${installation.filePath}.next`
  writeFileSync(next, JSON.stringify({ services: [site('two'), site('three')] })) // JSON is YAML
  renameSync(next, installation.filePath)
  await becomes(['three', 'two'])
  expect((await fetch(`${server.url}/health/one/details`)).status).toBe(404)
  expect(await health.read('one')).toMatchObject({ decision: 'UNKNOWN', liveVerifiers: 0 })
}, 30_000)

test('the file and operators do not get into each other’s services', async () => {
  await server.operator.services.add.mutate(site('mine'))
  expect(server.operator.services.remove.mutate({ id: 'two' })).rejects.toThrow('managed by the file')
  expect(server.operator.services.add.mutate(site('two'))).rejects.toThrow('taken by another service')
  installation.writeFile({ services: [site('two'), site('mine')] })
  await isSaid('services[1].id: taken by a service that an operator registered')
  expect(await ids()).toEqual(['mine', 'three', 'two'])
  installation.writeFile({ services: [] })
  await becomes(['mine'])
}, 30_000)

test('a service that comes back after a while has a history without gaps', async () => {
  installation.writeFile({ services: [site('two')] })
  await becomes(['mine', 'two'])
  await health.until({ two: 'UP' })
  const contiguous = async () => {
    const { transitions } = await health.history('two')
    const broken = transitions.filter(({ from }, index) => index > 0 && transitions[index - 1]?.to !== from)
    return { count: transitions.length, broken }
  }
  await waitUntil('its return is stored', async () => (await contiguous()).count >= 2)
  expect((await contiguous()).broken).toEqual([])
}, 30_000)

test('services of operators and of the file are there after a restart', async () => {
  expect(await server.stop()).toBe(0)
  server = await installation.start()
  expect(await ids()).toEqual(['mine', 'two'])
  expect(await health.details('mine')).toMatchObject({ managedBy: 'operator' })
  await server.operator.services.remove.mutate({ id: 'mine' })
  expect(await ids()).toEqual(['two'])
}, 30_000)
