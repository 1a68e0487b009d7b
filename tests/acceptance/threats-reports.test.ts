import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { latestInstant } from '../../shared/instants.ts'
import { protocolLimits } from '../../shared/verifier-protocol.ts'
import type { ObservationRow } from '../../shared/verifier-protocol.ts'
import { startAlteringProxy } from '../support/altering-proxy.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { healthClient } from '../support/health-client.ts'
import type { HealthClient } from '../support/health-client.ts'
import { enrolWireVerifier, roundOf } from '../../scripts/world/wire-verifier.ts'
import type { WireVerifier } from '../../scripts/world/wire-verifier.ts'
import { covers } from '../support/covers.ts'

/**
 * Threats 58 and 59 of the design: verifiers with a good key that lie about what they may speak of, and about time.
 * What is refused at once stands in health-refused-reports.test.ts, and a lying majority in health-seven-nodes.test.ts.
 */

const freshMs = 3_500
const policy = { intervalMs: 500, freshMs, downForMs: 0, latencyForMs: 0, upForMs: 0 }
const onChain = (id: string) => ({ id, name: id, chain: 'testnet', provider: id, endpoint: 'http://127.0.0.1:1/', policy }) // prettier-ignore

let installation: TestInstallation
let server: GatehouseProcess
let health: HealthClient
let verifier: WireVerifier

const nowSec = () => Math.floor(Date.now() / 1000)
/** "It is well", with changes to single columns. */
function row(changes: Partial<Record<number, number | null>> = {}): ObservationRow {
  const well: ObservationRow = [0, 1, null, 100, nowSec(), '0123456789abcdef', 5, 0]
  return Object.assign(well, changes)
}

async function enrol(name: string, url = server.url): Promise<WireVerifier> {
  const { token } = await server.operator.verifiers.createToken.mutate({ label: name })
  return enrolWireVerifier(url, token, name)
}

beforeAll(async () => {
  const anchor = { provider: 'anchor', endpoint: 'http://127.0.0.1:1/' }
  installation = await createTestInstallation({
    chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000, anchors: [anchor] } },
    services: [
      ...['stopped', 'early', 'narrow', 'old', 'ancient', 'flooded'].map(onChain),
      { id: 'site', name: 'Site', family: 'http', provider: 'acme', endpoint: 'http://127.0.0.1:1/', policy },
    ],
    verifiers: { builtIn: false },
  })
  server = await installation.start()
  health = healthClient(server.url)
  verifier = await enrol('wire')
}, 60_000)
afterAll(() => installation?.remove())

/** Reads until the decision is gone; tells for how long it stood, in ms. */
async function standsFor(id: string): Promise<number> {
  const reportedAt = performance.now()
  await health.until({ [id]: 'UP' }, 2_000)
  await waitUntil(
    'the decision is gone',
    async () => (await health.read(id)).decision === 'UNKNOWN',
    2 * freshMs + 2_000,
  )
  return performance.now() - reportedAt
}

describe('a stale UP', () => {
  covers('threat-59')
  test('does not outlive the last report', async () => {
    await verifier.report({ services: ['stopped'], rounds: [roundOf('testnet', [row()])] })
    expect(await standsFor('stopped')).toBeWithin(500, freshMs + 300)
    expect(await health.read('stopped')).toMatchObject({ liveVerifiers: 0, avgBlocksLatency: 0 })
  })

  test('is not bought by observations from the future', async () => {
    const fromFuture = row({ 4: nowSec() + 14, 7: 1_000_000_000 })
    const response = await verifier.report({
      services: ['early'],
      sentAtMs: Date.now() + protocolLimits.clockSkewMs - 2_000,
      rounds: [roundOf('testnet', [fromFuture], { spreadMs: 1_000_000_000 })],
    })
    expect(response.status).toBe(200)
    expect(await standsFor('early')).toBeWithin(500, freshMs + 300)
  })
})

describe('a verifier', () => {
  covers('threat-58')
  test('has no say about families for which it did not enrol', async () => {
    const proxy = startAlteringProxy(server.url, { families: ['http'], headers: {} })
    try {
      const narrow = await enrol('narrow', proxy.url)
      expect((await narrow.assignments()).targets.map(({ serviceId }) => serviceId)).toEqual(['site'])
      const rounds = [roundOf('testnet', [row()]), roundOf(null, [row({ 0: 1, 3: null, 4: null, 5: null })])]
      expect((await narrow.report({ services: ['narrow', 'site'], rounds })).status).toBe(200)
    } finally {
      await proxy.stop()
    }
    await waitUntil('it may vote on its own', async () => (await health.details('site')).votes.length === 1)
    expect((await health.details('narrow')).votes).toEqual([])
    expect(await health.read('narrow')).toMatchObject({ decision: 'UNKNOWN', liveVerifiers: 0 })
  })

  test('has no say about anchors in public, nor about services that nobody registered', async () => {
    const services = ['anchor:testnet:0', 'nobody']
    await verifier.report({ services, rounds: [roundOf('testnet', [row(), row({ 0: 1 })])] })
    for (const id of services) {
      expect(await health.read(id)).toMatchObject({ decision: 'UNKNOWN', liveVerifiers: 0 })
      for (const path of ['details', 'history']) {
        expect((await fetch(`${server.url}/health/${id}/${path}`)).status).toBe(404)
      }
    }
  })

  test('that floods with unknown services costs little', async () => {
    const rows = Array.from({ length: protocolLimits.observationsPerBatch }, (_, index) => row({ 0: index }))
    const rounds = [roundOf('testnet', rows)]
    const before = await residentBytes()
    const startedAt = performance.now()
    for (let batch = 0; batch < 30; batch++) {
      const services = Array.from(
        { length: protocolLimits.observationsPerBatch },
        (_, index) => `unknown-${batch}-${index}`,
      )
      expect((await verifier.report({ services, rounds })).status).toBe(200)
    }
    expect((performance.now() - startedAt) / 30).toBeLessThan(100)
    expect((await residentBytes()) - before).toBeLessThan(100_000_000)
    expect(await health.read('unknown-0-0')).toMatchObject({ decision: 'UNKNOWN' })
  })

  test('that floods with rounds does not hold up anybody else', async () => {
    const rounds = Array.from({ length: protocolLimits.observationsPerBatch }, (_, index) =>
      roundOf('testnet', [row()], { ageMs: (protocolLimits.observationsPerBatch - index) * 2_000 }),
    )
    const answered = verifier.report({ services: ['flooded'], rounds })
    const startedAt = performance.now()
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(500)
    expect((await answered).status).toBe(200)
  })

  test('an age that no instant has is refused, with the field', async () => {
    const rounds = [roundOf('testnet', [row()], { ageMs: 2 ** 52 })]
    const answer = await verifier.report({ services: ['flooded'], rounds })
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain('rounds[0].ageMs')
  })

  // A service for each: the decision of the first one lives on over the restart.
  test.each([
    [3 * 86_400_000, 'old'],
    [latestInstant, 'ancient'],
  ])(
    'cannot stop history with an observation that is %d ms old',
    async (ageMs, id) => {
      const transitions = async () => (await health.history(id)).transitions.length
      const before = await transitions()
      for (const backfill of [true, false]) {
        const rounds = [roundOf('testnet', [row()], { ageMs })]
        expect((await verifier.report({ services: [id], rounds, backfill })).status).toBe(200)
      }
      // Everything gathered is stored when a server stops; a row that cannot be stored would take the rest with it.
      await verifier.report({ services: [id], rounds: [roundOf('testnet', [row({ 3: 101 })])] })
      await health.until({ [id]: 'UP' }, 3_000)
      expect(await server.stop()).toBe(0)
      expect(server.output()).not.toContain('history waits in memory')
      server = await installation.start()
      expect(await transitions()).toBeGreaterThan(before)
    },
    40_000,
  )
})

test('a revoked verifier is hung up on, and what it says later is refused', async () => {
  const proxy = startAlteringProxy(server.url, { headers: {} })
  try {
    const revoked = await enrol('revoked', proxy.url)
    proxy.alterations.headers['if-none-match'] = `"${(await revoked.assignments()).etag}"`
    const polling = revoked.assignments().then(() => 'assignments', String)
    expect(await Promise.race([polling, Bun.sleep(300).then(() => 'it waits')])).toBe('it waits')
    const revokedAt = performance.now()
    await server.operator.verifiers.revoke.mutate({ id: revoked.id })
    expect((await revoked.report({ services: ['site'], rounds: [roundOf(null, [row()])] })).status).toBe(401)
    expect(await polling).toContain('assignments answer 401: {"error":{"code":"verifier_revoked"')
    expect(performance.now() - revokedAt).toBeLessThan(3_000)
    expect(await revoked.assignments().catch(String)).toContain('assignments answer 401')
  } finally {
    await proxy.stop()
  }
}, 40_000)

/** By the metrics of the process itself. */
async function residentBytes(): Promise<number> {
  const token = await Bun.file(join(installation.dataDir, 'private', 'metrics-token')).text()
  const response = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${token.trim()}` },
  })
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(await response.text())?.[1])
}
