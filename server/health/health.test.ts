import { describe, expect, test } from 'bun:test'

import { unrecorded } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { families } from '../../shared/chains.ts'
import { covers } from '../../tests/support/covers.ts'
import type { Health } from './health.ts'
import { createTestIdentity, specOf } from './test-support/fixtures.ts'
import { createHealthTestbed } from './test-support/health-testbed.ts'

const second = 1_000
const { clock, database, start, activate, enrol, report, until, evaluated } = createHealthTestbed()

const steps = async (health: Health, id: string) =>
  (await health.history(id, '24h')).transitions.map(({ to, at, reason }) => ({ to, at, reason }))
const nowSec = () => Math.floor(clock.now() / second)

test('what nobody registered is UNKNOWN, and has neither details nor history', async () => {
  covers('health-unregistered-id')
  const health = await start()
  expect(JSON.parse(health.read('nobody').body)).toEqual({
    result: {
      serviceId: 'nobody',
      decision: 'UNKNOWN',
      liveVerifiers: 0,
      avgBlocksLatency: 0,
      avgTimeLatency: 0,
      timestamp: nowSec(),
    },
  })
  expect(() => health.details('nobody')).toThrow('no service of this id')
  expect(() => health.history('nobody', '24h')).toThrow('no service of this id')
  expect(health.label('nobody')).toEqual({ name: 'nobody', decision: 'UNKNOWN' })
})

test('a verifier that is revoked takes its votes with it at once', async () => {
  const health = await start(specOf('a'))
  const [one, two] = [await enrol(health), await enrol(health)]
  report(health, one, ['a'])
  report(health, two, ['a'])
  await until(health, 'a', 'UP')
  await health.verifiers.revoke(one.verifierId, unrecorded)
  expect(() => report(health, one, ['a'])).toThrow('this verifier was revoked')
  expect(health.details('a').votes.map(({ verifierId }) => verifierId)).toEqual([two.verifierId])
  clock.advance(2 * second)
  await waitUntil('one is live', () => JSON.parse(health.read('a').body).result.liveVerifiers === 1)
  await health.verifiers.revoke(one.verifierId, unrecorded) // again: its answer may have been lost
  await expect(health.verifiers.revoke('ver_nobody', unrecorded)).rejects.toMatchObject({ code: 'not_found' })
})

describe('a restart', () => {
  test('before the quorum runs out changes nothing', async () => {
    covers('health-restart-keeps-decision')
    const first = await start(specOf('a'))
    report(first, await enrol(first), ['a'])
    await until(first, 'a', 'UP')
    await first.stop()
    clock.advance(20 * second)
    const again = await start(specOf('a'))
    expect(again.read('a').decision).toBe('UP')
    clock.advance(13 * second)
    await until(again, 'a', 'UNKNOWN')
    await waitUntil('it is judged', () => again.details('a').since === nowSec())
    clock.advance(second) // what is now is not history yet
    await waitUntil('the loss is stored', async () => (await steps(again, 'a')).length === 2)
    expect((await steps(again, 'a')).map(({ to }) => to)).toEqual(['UP', 'UNKNOWN'])
  })

  test('after that is UNKNOWN since then, not since now', async () => {
    const first = await start(specOf('a'))
    report(first, await enrol(first), ['a'])
    await until(first, 'a', 'UP')
    const reportedAt = nowSec()
    await first.stop()
    clock.advance(600 * second)
    const again = await start(specOf('a'))
    expect(again.read('a').decision).toBe('UNKNOWN')
    await waitUntil('the loss is stored', async () => (await steps(again, 'a')).length === 2)
    expect((await steps(again, 'a'))[1]).toMatchObject({
      to: 'UNKNOWN',
      at: reportedAt + 32,
      reason: 'no quorum: the server was not running',
    })
    const { uptime } = await again.history('a', '24h')
    expect(uptime.unknownShare).toBeCloseTo(1 - 32 / 600, 3)
    expect(uptime.watchedMs).toBe(600 * second)
  })

  test('with a clock that was set back meanwhile restores nothing that lies ahead', async () => {
    const first = await start(specOf('a'))
    report(first, await enrol(first), ['a'])
    await until(first, 'a', 'UP')
    await first.stop()
    clock.advance(-3_600 * second)
    expect((await start(specOf('a'))).read('a').decision).toBe('UNKNOWN')
  })

  test('without the service ends its decision', async () => {
    const first = await start(specOf('a'))
    report(first, await enrol(first), ['a'])
    await until(first, 'a', 'UP')
    await first.stop()
    clock.advance(5 * second)
    const without = await start()
    expect(without.read('a').decision).toBe('UNKNOWN')
    await without.stop()
    const again = await start(specOf('a'))
    expect(again.read('a').decision).toBe('UNKNOWN')
    clock.advance(second) // what is now is not history yet
    expect((await steps(again, 'a')).map(({ to, at }) => [to, at])).toEqual([
      ['UP', nowSec() - 6],
      ['UNKNOWN', nowSec() - 1],
    ])
  })

  test('lets a verifier go on, and keeps a revoked one out', async () => {
    const first = await start(specOf('a'))
    const [stays, goes] = [await enrol(first), await enrol(first)]
    report(first, stays, ['a'])
    await first.verifiers.revoke(goes.verifierId, unrecorded)
    await first.stop()
    clock.advance(second)
    const again = await start(specOf('a'))
    expect(() => report(again, goes, ['a'])).toThrow('this verifier was revoked')
    report(again, stays, ['a'])
    await until(again, 'a', 'UP')
    expect(again.details('a').quorum).toEqual({ assigned: 1, needed: 1 })
  })
})

describe('a service that goes', () => {
  test('from the file and comes back has a gap in its history', async () => {
    const health = await start(specOf('a'))
    report(health, await enrol(health), ['a'])
    await until(health, 'a', 'UP')
    clock.advance(5 * second)
    await activate(health)
    expect(health.read('a').decision).toBe('UNKNOWN')
    clock.advance(60 * second)
    await activate(health, specOf('a'))
    await waitUntil('the gap is stored', async () => (await steps(health, 'a')).length === 2)
    expect((await steps(health, 'a')).at(-1)).toMatchObject({ to: 'UNKNOWN', at: nowSec() - 60 })
  })

  test('by an operator takes its history with it', async () => {
    const health = await start()
    await health.services.add(specOf('a'), unrecorded)
    report(health, await enrol(health), ['a'])
    await until(health, 'a', 'UP')
    await health.services.startMaintenance('a', { until: null, note: '' }, unrecorded)
    await health.services.remove('a', unrecorded)
    await health.services.add(specOf('a'), unrecorded)
    expect(health.read('a').decision).toBe('UNKNOWN')
    expect(health.details('a').advisories).not.toContain('MAINTENANCE')
    expect(await steps(health, 'a')).toEqual([])
    await health.stop()
    expect((await (await start()).history('a', '7d')).transitions).toEqual([])
  })

  test('and one that stays keeps its observations over a new file', async () => {
    const health = await start(specOf('a'), specOf('b'))
    report(health, await enrol(health), ['a', 'b'])
    await until(health, 'a', 'UP')
    await activate(health, specOf('a'))
    expect(health.read('a').decision).toBe('UP')
    expect(health.details('a').votes).toHaveLength(1)
  })
})

test('time in which nobody judged is UNKNOWN in the rollups', async () => {
  const health = await start(specOf('a'))
  const verifier = await enrol(health)
  for (const awaySec of [10, 600, 10]) {
    report(health, verifier, ['a'])
    await evaluated(health, 'a')
    await until(health, 'a', 'UP')
    clock.advance(awaySec * second)
  }
  report(health, verifier, ['a'])
  await evaluated(health, 'a')
  await health.stop()
  const { buckets } = await health.history('a', '24h')
  const upMs = buckets.reduce((sum, bucket) => sum + bucket.upMs, 0)
  // Ten seconds, the time that the quorum lasted while nobody came, and ten again.
  expect(upMs).toBe((10 + 32 + 10) * second)
})

test('announced maintenance shows in the details, and the decision goes on', async () => {
  const health = await start(specOf('a'))
  const verifier = await enrol(health)
  report(health, verifier, ['a'])
  await until(health, 'a', 'UP')
  await health.services.startMaintenance('a', { until: null, note: 'new disks' }, unrecorded)
  expect(health.details('a')).toMatchObject({ decision: 'UP', advisories: ['UNCORROBORATED', 'MAINTENANCE'] })
  for (let time = 0; time < 3; time++) {
    clock.advance(10 * second)
    report(health, verifier, ['a'], { error: 'TIMEOUT' })
    await evaluated(health, 'a')
  }
  await until(health, 'a', 'DOWN')
  clock.advance(second)
  await waitUntil('DOWN is stored', async () => (await steps(health, 'a')).length === 2)
  const { incidents, uptime } = await health.history('a', '24h')
  expect(incidents).toEqual([])
  expect(uptime.availability).toBeNull() // no time that counts lies outside of the maintenance
})

test('what is assigned changes with the services, and a verifier that waits is told', async () => {
  const health = await start(specOf('a'))
  const { verifierId, identity } = await enrol(health)
  const time = String(clock.now())
  const signature = identity.header(`health-assignments-v1\n${verifierId}\n${time}`)
  const ask = (etag: string | null) =>
    health.verifiers.assignments({ verifierId, time, signature, etag, signal: new AbortController().signal })
  const before = await ask(null)
  const waiting = ask(before?.assignments.etag ?? null)
  await health.services.add(specOf('b'), unrecorded)
  expect((await waiting)?.assignments.targets.map(({ serviceId }) => serviceId)).toEqual(['a', 'b'])
  const waitingAgain = ask((await ask(null))?.assignments.etag ?? null)
  const told = waitingAgain.then(
    () => null,
    (error: unknown) => error,
  )
  await health.verifiers.revoke(verifierId, unrecorded)
  expect(await told).toMatchObject({ code: 'verifier_revoked' })
})

test('a verifier is silent by what it is asked for, and where nothing is asked for never', async () => {
  const health = await start(specOf('a', { policy: { intervalMs: 300 * second } }))
  const verifier = await enrol(health)
  const silentAt = () => health.verifiers.list()[0]?.silentAt
  expect(silentAt()).toBeNull() // it has not reported yet
  report(health, verifier, ['a'])
  expect(silentAt()).toBe(clock.now() + 750 * second)
  await activate(health)
  expect(silentAt()).toBeNull()
})

test('the built-in verifier probes every family of this release, also where an older one enrolled it', async () => {
  const { publicKey } = createTestIdentity()
  const older = await start()
  const { id } = await older.verifiers.switchOnBuiltIn(publicKey, '0.1.0')
  await older.stop()
  await database().run((sql) => sql`UPDATE verifiers SET families = '["evm"]' WHERE id = ${id}`)
  const newer = await start()
  expect(await newer.verifiers.switchOnBuiltIn(publicKey, '0.2.0')).toMatchObject({
    id,
    families: [...families],
    version: '0.2.0',
  })
})
