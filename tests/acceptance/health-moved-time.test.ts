import { afterEach, beforeEach, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'

import { unrecorded } from '../../scripts/world/database.ts'
import type { ObservationRow } from '../../shared/verifier-protocol.ts'
import { healthClient } from '../support/health-client.ts'
import type { HealthClient } from '../support/health-client.ts'
import { startHealthInProcess } from '../support/health-in-process.ts'
import type { HealthInProcess } from '../support/health-in-process.ts'
import { chainOf } from '../support/probing.ts'
import { enrolWireVerifier, roundOf } from '../../scripts/world/wire-verifier.ts'
import type { WireVerifier } from '../../scripts/world/wire-verifier.ts'
import { covers } from '../support/covers.ts'

/** What takes minutes: time is moved by hand. */

const freshMs = 32_000
const nodes = ['a', 'b', 'c']
let server: HealthInProcess
let health: HealthClient
let verifier: WireVerifier

const service = (id: string) => ({
  id,
  name: id,
  provider: `provider-${id}`,
  endpoint: 'http://127.0.0.1:9/',
})

beforeEach(async () => {
  server = await startHealthInProcess([{ ...chainOf('evm', 31337), headAge: 'slot' }])
  health = healthClient(server.url)
  await server.health.services.add({ ...service('site'), family: 'http', policy: { freshMs } }, unrecorded)
  for (const id of nodes)
    await server.health.services.add({ ...service(id), chain: 'testnet', policy: {} }, unrecorded)
  const { token } = await server.health.verifiers.createToken('only', unrecorded)
  verifier = await enrolWireVerifier(server.url, token, 'only')
}, 60_000)
afterEach(() => server.stop())

test('an answer ends with its quorum, though the evaluator has died', async () => {
  covers('health-transition-to-unknown')
  const round = roundOf(null, [[0, 1, null, null, null, null, 5, 0]])
  const reportedAt = performance.now()
  expect((await verifier.report({ services: ['site'], rounds: [round] })).status).toBe(200)
  await health.until({ site: 'UP' })

  await server.health.stop() // from here on nobody evaluates
  server.pass(freshMs - 5_000)
  expect(await health.read('site')).toMatchObject({ decision: 'UP', liveVerifiers: 1 })
  server.pass(5_000 - (performance.now() - reportedAt) + 1_000)
  const zeros = { liveVerifiers: 0, avgBlocksLatency: 0, avgTimeLatency: 0 }
  expect(await health.read('site')).toMatchObject({ decision: 'UNKNOWN', ...zeros })
  expect((await health.details('site')).decision).toBe('UNKNOWN')
})

test('services of a chain that stands still stay UP, with an advisory', async () => {
  covers('health-chain-stall')
  const startedAt = Math.floor(Date.now() / 1000)
  const rows = nodes.map((_, index): ObservationRow => [
    index,
    1,
    null,
    100,
    startedAt,
    '0123456789abcdef',
    5,
    0,
  ])
  async function reportTheSameHead(passedMs: number): Promise<void> {
    const sentAtMs = Date.now() + passedMs
    const batch = { services: nodes, rounds: [roundOf('testnet', rows)], sentAtMs }
    expect((await verifier.report(batch)).status).toBe(200)
  }
  const advisories = async () => (await health.details('a')).advisories

  await reportTheSameHead(0)
  await health.until({ a: 'UP', b: 'UP', c: 'UP' })
  expect(await advisories()).toEqual([])
  server.pass(400_000)
  await reportTheSameHead(400_000)
  await waitUntil('the chain is known to stand still', async () =>
    (await advisories()).includes('CHAIN_STALLED'),
  )
  await health.until({ a: 'UP', b: 'UP', c: 'UP' })
  expect(await health.read('a')).toMatchObject({ avgBlocksLatency: 0, avgTimeLatency: 0 })
})
