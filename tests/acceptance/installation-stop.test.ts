import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { aliveOf, descendants, processTree, processesNaming } from '../../scripts/world/process-tree.ts'

/** However a server ends, nothing that it started outlives it, and the next one starts on what it left. */

let installation: TestInstallation
const website = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('fine') })

beforeEach(async () => {
  const endpoint = `http://127.0.0.1:${website.port}/`
  installation = await createTestInstallation({
    services: [{ id: 'site', name: 'Site', family: 'http', provider: 'acme', endpoint }],
  })
})
afterEach(() => installation.remove())
afterAll(() => website.stop(true))

async function expectNothingLeft(tree: readonly number[], withinMs: number): Promise<void> {
  await waitUntil('every process has ended', () => aliveOf(tree).length === 0, withinMs)
  expect(processesNaming(installation.dataDir)).toEqual([])
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it with exit code 0 and leaves no process',
  async (signal) => {
    const server = await installation.start()
    const tree = processTree(server.pid)
    expect(tree.length).toBeGreaterThan(2)
    expect(processesNaming(installation.dataDir).length).toBeGreaterThan(0)
    const startedAt = performance.now()
    expect(await server.stop(signal)).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    await expectNothingLeft(tree, 0)
    expect(await (await installation.start()).stop()).toBe(0)
  },
  60_000,
)

test('a second signal while it stops changes nothing', async () => {
  const server = await installation.start()
  const tree = processTree(server.pid)
  server.program.signal('SIGTERM')
  server.program.signal('SIGINT')
  expect(await server.program.exited).toBe(0)
  await expectNothingLeft(tree, 0)
}, 60_000)

test('a signal in the middle of the start ends it just as well', async () => {
  const program = installation.launch()
  await waitUntil('the database starts', () => processesNaming(installation.dataDir).length > 0)
  const tree = processTree(program.pid)
  program.signal('SIGTERM')
  expect(await program.exited).toBe(0)
  await expectNothingLeft(tree, 1_000)
}, 60_000)

test('Ctrl-C while the database is made for the first time is no failure', async () => {
  await installation.remove()
  installation = await createTestInstallation('', { isFirstStart: true })
  const program = installation.launch()
  await waitUntil('the database is made', () => processesNaming(`${installation.dataDir}/`).length > 0)
  const making = descendants(program.pid)
  program.signal('SIGINT')
  // A terminal sends it to all of them.
  for (const pid of making) process.kill(pid, 'SIGINT')
  expect(await program.exited).toBe(0)
  expect(program.output()).not.toContain('cannot create')
  await expectNothingLeft(making, 1_000)
}, 60_000)

test('requests in flight are answered before it ends', async () => {
  const server = await installation.start()
  const statuses: Promise<number>[] = []
  for (let request = 0; request < 50; request++) {
    statuses.push(fetch(`${server.url}/health/site/history`).then(({ status }) => status))
  }
  await waitUntil('the requests have arrived', async () => (await fetch(`${server.url}/healthz`)).ok)
  expect(await server.stop()).toBe(0)
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]))
}, 60_000)

test('kill -9 leaves no database after 5 s, and the next start finds everything in order', async () => {
  const server = await installation.start()
  const { token } = await server.operator.verifiers.createToken.mutate({ label: 'kept' })
  expect(token).toStartWith('gvt_')
  const tree = processTree(server.pid)
  await server.kill9()
  await expectNothingLeft(tree, 5_000)
  const next = await installation.start()
  expect(await next.operator.services.list.query()).toMatchObject([{ id: 'site', managedBy: 'file' }])
  expect(await next.stop()).toBe(0)
}, 60_000)

test('a start at once after kill -9 does not collide with what is still ending', async () => {
  const first = await installation.start()
  await first.kill9()
  const second = await installation.start()
  await second.kill9()
  const third = await installation.start()
  expect(await third.stop()).toBe(0)
}, 60_000)
