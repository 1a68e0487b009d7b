import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'bun:test'
import { randomBytes } from 'node:crypto'

import { type TestDatabase, silentLog, testDatabase, unrecorded } from '../../../scripts/world/database.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import type { Chain } from '../../../shared/chains.ts'
import type { Decision, ServiceSpec } from '../../../shared/health.ts'
import type { FactsRow, ProbeError } from '../../../shared/verifier-protocol.ts'
import { createKeyReplicas } from '../../keys/key-replicas.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { createVault } from '../../platform/vault.ts'
import { soleProcess } from '../fleet/among-processes.ts'
import { type Health, createHealth } from '../health.ts'
import {
  type TestIdentity,
  batchOf,
  createTestIdentity,
  enrollRequestOf,
  findTestChain,
  reportRoundOf,
  reportRowOf,
  signedBatch,
  testChain,
} from './fixtures.ts'
import { createVirtualClock, someInstant } from './virtual-clock.ts'

const second = 1_000

interface Reporter {
  readonly verifierId: string
  readonly identity: TestIdentity
}

/** What a reported round says of each service. */
interface Reported {
  readonly error?: ProbeError | null
  readonly facts?: FactsRow[]
}

/** The whole domain on a real database of this test file, with time in the hand of the test and real timers that look at it. */
export function createHealthTestbed() {
  const vault = createVault([randomBytes(32)])
  const clock = createVirtualClock()
  let testbed: TestDatabase
  let running: Health[] = []
  let sent = 0

  beforeAll(async () => {
    testbed = await testDatabase()
  })
  afterAll(() => testbed?.drop())
  beforeEach(async () => {
    clock.set(someInstant)
    await testbed.database.run(
      (
        sql,
      ) => sql`TRUNCATE services, maintenance_windows, verifiers, verifier_tokens, service_health, service_facts, nodes,
        health_transitions, history_batches, health_rollup_5m, health_rollup_1h, health_rollup_1d`,
    )
  })
  afterEach(async () => {
    for (const health of running) await health.stop()
    running = []
  })

  return {
    clock,
    database: () => testbed.database,
    activate,

    /** Starts a server with the services of a file. */
    async start(...specs: ServiceSpec[]): Promise<Health> {
      const chains = new Map<string, Chain>([['testnet', testChain()]])
      const { database } = testbed
      const health = await createHealth({
        database,
        among: soleProcess(database),
        replicas: createKeyReplicas({ database, clock, log: silentLog }),
        vault,
        clock,
        log: silentLog,
        metrics: createMetrics(),
        world: {
          findChain: (key) => chains.get(key),
          canaries: () => ({ canaries: [], defaultCanaries: false }),
          endpointsUsing: () => [],
          endpointsOnHostOf: () => [],
          pagesShowing: () => [],
          refusalOf: async () => null,
        },
      })
      running.push(health)
      await activate(health, ...specs)
      await health.restore()
      health.start()
      return health
    },

    async enrol(health: Health): Promise<Reporter> {
      const identity = createTestIdentity()
      const { token } = await health.verifiers.createToken('', unrecorded)
      const { verifierId } = await health.verifiers.enroll(enrollRequestOf(token, identity), unrecorded)
      return { verifierId, identity }
    },

    /** Reports a round of good answers, or of failures with `error`. */
    report(
      health: Health,
      { verifierId, identity }: Reporter,
      services: string[],
      { error = null, facts }: Reported = {},
    ): void {
      const timestamp = Math.floor(clock.now() / second)
      const rows = services.map((_, index) =>
        reportRowOf(index, { ok: error === null ? 1 : 0, error, timestamp }),
      )
      const seq = clock.now() * 1_000 + sent++
      const rounds = [reportRoundOf(rows, { ...(facts && { facts }) })]
      const batch = batchOf(verifierId, { seq, sentAtMs: clock.now(), services, rounds })
      const { header, body } = signedBatch(batch, identity)
      health.verifiers.reports.receive(verifierId, header, body)
    },

    until: (health: Health, id: string, decision: Decision) =>
      waitUntil(`${id} is ${decision}`, () => health.read(id).decision === decision),

    /** Waits for an evaluation at the instant of the clock. */
    evaluated: (health: Health, id: string) =>
      waitUntil('it is judged', () => {
        const { timestamp } = JSON.parse(health.read(id).body).result
        return timestamp === Math.floor(clock.now() / second)
      }),
  }
}

async function activate(health: Health, ...specs: ServiceSpec[]): Promise<void> {
  const { services, problems } = await health.checkFile(specs, findTestChain)
  expect(problems).toEqual([])
  health.applyFile(services, [testChain()])
}
