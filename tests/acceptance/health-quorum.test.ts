// Mostly waits: for votes to age.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { healthClient } from '../support/health-client.ts'
import type { HealthClient } from '../support/health-client.ts'
import { startVerifier } from '../../scripts/world/verifier-process.ts'
import type { VerifierProcess } from '../../scripts/world/verifier-process.ts'
import { covers } from '../support/covers.ts'

/** Nothing but UNKNOWN is said without enough verifiers, however many services are well. */

const freshMs = 3_500
/** An evaluation each second, and a busy machine. */
const slackMs = 1_500

let installation: TestInstallation
let server: GatehouseProcess
let health: HealthClient
const verifiers: VerifierProcess[] = []
const website = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('fine') })

const fileWith = (verifierSettings: object) => {
  const endpoint = `http://127.0.0.1:${website.port}/`
  const site = { id: 'site', name: 'Site', family: 'http', provider: 'acme', endpoint }
  return { services: [{ ...site, policy: { intervalMs: 500, freshMs } }], verifiers: verifierSettings }
}

beforeAll(async () => {
  installation = await createTestInstallation(fileWith({ builtIn: false }))
  server = await installation.start()
  health = healthClient(server.url)
}, 60_000)
afterAll(async () => {
  for (const verifier of verifiers) await verifier.stop()
  await installation?.remove()
  await website.stop(true)
})

const steps = async () => (await health.history('site')).transitions.map(({ to }) => to)
const unknown = { decision: 'UNKNOWN', liveVerifiers: 0, avgBlocksLatency: 0, avgTimeLatency: 0 }

test('without any verifier it is UNKNOWN', async () => {
  expect(await health.read('site')).toMatchObject(unknown)
  expect((await health.details('site')).quorum).toEqual({ assigned: 0, needed: 1 })
})

test('three are UP together', async () => {
  const names = ['north', 'south', 'west']
  verifiers.push(...(await Promise.all(names.map((name) => startVerifier(server, name)))))
  await waitUntil('all are live', async () => (await health.read('site')).liveVerifiers === 3)
  await health.until({ site: 'UP' })
  const quorum = async () => (await health.details('site')).quorum
  await waitUntil('all have had the time to look at everything', async () => (await quorum()).assigned === 3)
  expect(await quorum()).toEqual({ assigned: 3, needed: 2 })
}, 40_000)

test('two of three are enough', async () => {
  covers('health-quorum', 'health-live-verifiers-meaning')
  verifiers[0]?.program.signal('SIGSTOP')
  await waitUntil('one is not live any more', async () => (await health.read('site')).liveVerifiers === 2)
  expect((await health.read('site')).decision).toBe('UP')
}, 20_000)

test('one of three is not: UNKNOWN within freshMs', async () => {
  covers('health-transition-to-unknown')
  verifiers[1]?.program.signal('SIGSTOP')
  const stoppedAt = performance.now()
  await health.until({ site: 'UNKNOWN' }, freshMs + slackMs)
  expect(performance.now() - stoppedAt).toBeLessThan(freshMs + slackMs)
  const { avgBlocksLatency, avgTimeLatency } = unknown
  expect(await health.read('site')).toMatchObject({ avgBlocksLatency, avgTimeLatency })
  await waitUntil('it is stored', async () => (await steps()).at(-1) === 'UNKNOWN')
}, 20_000)

test('when they are back, the decision is', async () => {
  for (const { program } of verifiers) program.signal('SIGCONT')
  await health.until({ site: 'UP' })
  await waitUntil('it is stored', async () => (await steps()).at(-1) === 'UP')
  expect((await steps()).slice(-3)).toEqual(['UP', 'UNKNOWN', 'UP'])
}, 20_000)

test('revoked ones stop to count at once, and are told', async () => {
  const all = await server.operator.verifiers.list.query()
  for (const { id } of all.slice(1)) await server.operator.verifiers.revoke.mutate({ id })
  expect((await health.details('site')).quorum).toEqual({ assigned: 1, needed: 1 })
  await waitUntil('one is live', async () => (await health.read('site')).liveVerifiers === 1, slackMs)
  expect((await health.read('site')).decision).toBe('UP')
  await waitUntil(
    'two have ended',
    () => verifiers.filter(({ program }) => !program.isRunning()).length === 2,
  )
  const ended = verifiers.filter(({ program }) => !program.isRunning())
  for (const { program } of ended) {
    expect(await program.exited).toBe(1)
    expect(program.output()).toContain('ask an operator for a new --token')
  }
}, 20_000)

test('the built-in one is switched on by the file', async () => {
  installation.writeFile(fileWith({ builtIn: true }))
  await waitUntil('it is live', async () => (await health.details('site')).quorum.assigned === 2)
  await health.until({ site: 'UP' })
}, 20_000)
