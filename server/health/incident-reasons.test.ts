import { describe, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { ProbeError } from '../../shared/verifier-protocol.ts'
import type { Health } from './health.ts'
import { specOf } from './test-support/fixtures.ts'
import { createHealthTestbed } from './test-support/health-testbed.ts'

const second = 1_000
const { clock, database, start, enrol, report, until, evaluated } = createHealthTestbed()
type Reporter = Awaited<ReturnType<typeof enrol>>

/** Reports the same once in five seconds. */
async function reportFor(
  health: Health,
  verifier: Reporter,
  error: ProbeError | null,
  seconds: number,
): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    clock.advance(5 * second)
    report(health, verifier, ['a'], { error })
    await evaluated(health, 'a')
  }
}

const incidents = async (health: Health) => (await health.history('a', '24h')).incidents
const rowsStored = async () => {
  const rows = await database().run(
    (sql) => sql`SELECT 1 FROM health_transitions WHERE service_id = 'a' AND "from" = "to"`,
  )
  return rows.length
}
const told = async (health: Health) =>
  (await incidents(health))[0]?.reasons.map(({ decision, reason }) => `${decision}: ${reason}`)

/** Starts a server whose service is DOWN, because its connections are refused. */
async function startDown(): Promise<{ health: Health; verifier: Reporter }> {
  const health = await start(specOf('a'))
  const verifier = await enrol(health)
  report(health, verifier, ['a'])
  await until(health, 'a', 'UP')
  await reportFor(health, verifier, 'CONNECT', 40)
  await until(health, 'a', 'DOWN')
  return { health, verifier }
}

const noConnection = 'DOWN: 1 of 1 says DOWN: no connection'
const failsInside = 'DOWN: 1 of 1 says DOWN: it fails inside (5xx)'

describe('the reason of an incident', () => {
  test('changes with what verifiers see, since the moment from which they see it', async () => {
    const { health, verifier } = await startDown()
    await waitUntil('DOWN is stored', async () => (await incidents(health)).length === 1)
    const changedAt = clock.now() / second + 5
    await reportFor(health, verifier, 'HTTP_5XX', 20)
    await waitUntil('it is stored', async () => (await rowsStored()) === 1)
    expect(await told(health)).toEqual([noConnection, failsInside])
    const [incident] = await incidents(health)
    expect(incident?.reasons[1]?.at).toBe(changedAt)
    expect(incident).toMatchObject({ closedAt: null, cause: '1 of 1 say BAD: CONNECT', transitions: 1 })
    const { transitions, uptime } = await health.history('a', '24h')
    expect(transitions.map(({ to }) => to)).toEqual(['UP', 'DOWN'])
    expect(uptime.watchedMs).toBe(60 * second)
  })

  test('goes on after a restart, which does not begin it anew', async () => {
    const first = await startDown()
    await reportFor(first.health, first.verifier, 'HTTP_5XX', 20)
    await waitUntil('it is stored', async () => (await rowsStored()) === 1)
    await first.health.stop()
    const health = await start(specOf('a'))
    await reportFor(health, first.verifier, 'HTTP_5XX', 30)
    expect(await told(health)).toEqual([noConnection, failsInside])
    // The second change takes twice as long as the first one did: the restart has not forgotten that.
    await reportFor(health, first.verifier, 'CONNECT', 15)
    expect(await rowsStored()).toBe(1)
    await reportFor(health, first.verifier, 'CONNECT', 10)
    await waitUntil('it is stored', async () => (await rowsStored()) === 2)
  })

  test('that flaps does not grow without end', async () => {
    const { health, verifier } = await startDown()
    for (let turn = 0; turn < 8; turn++)
      await reportFor(health, verifier, turn % 2 === 0 ? 'HTTP_5XX' : 'CONNECT', 15)
    await health.stop()
    expect(await rowsStored()).toBe(1)
  })
})
