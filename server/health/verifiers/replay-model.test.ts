import { afterAll, beforeAll, expect, test } from 'bun:test'

import fc from 'fast-check'

import { type TestDatabase, silentLog, testDatabase, unrecorded } from '../../../scripts/world/database.ts'
import { createKeyReplicas } from '../../keys/key-replicas.ts'
import { Fault } from '../../platform/fault.ts'
import { createChainViews } from '../evaluation/chain-view.ts'
import { createObservationTable } from '../evaluation/observation-table.ts'
import { createReportedFacts } from '../evaluation/facts.ts'
import { createIngest } from '../evaluation/ingest.ts'
import { createCatalogue } from '../services/catalogue.ts'
import {
  batchOf,
  createTestIdentity,
  enrollRequestOf,
  findTestChain,
  httpServiceOf,
  reportRoundOf,
  reportRowOf,
  signedBatch,
} from '../test-support/fixtures.ts'
import { createVirtualClock } from '../test-support/virtual-clock.ts'
import { createActiveVerifiers } from './active-verifiers.ts'
import { createVerifiers } from './verifiers.ts'

/**
 * Batches sent, sent again, replayed, skewed, with the server killed and verifiers revoked in between. A plain model
 * says what must become of each, and in the end every observation has been counted once if its batch was accepted,
 * and never otherwise. Each observation is recognised by its round trip.
 */

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.drop())

interface Sent {
  readonly number: number
  readonly seq: number
  readonly sentAt: number
  readonly verifierId: string
  readonly body: Buffer
  readonly header: string
}

const nothing = () => undefined

/** The real thing: everything from the signature to what is counted. */
function createWorld() {
  const clock = createVirtualClock()
  const catalogue = createCatalogue()
  catalogue.put(httpServiceOf('node'))
  const counted = new Map<number, number>()
  const recorder = {
    measured: (_: unknown, { rttMs }: { rttMs: number }) =>
      void counted.set(rttMs, (counted.get(rttMs) ?? 0) + 1),
  }

  function boot() {
    const facts = createReportedFacts()
    const ingest = createIngest({
      catalogue,
      table: createObservationTable(),
      recorder,
      facts,
      chainViews: createChainViews(findTestChain),
      clock,
      observed: nothing,
      markAllDue: nothing,
    })
    const replicas = createKeyReplicas({ database: database.database, clock, log: silentLog })
    const verifiers = createVerifiers({
      database: database.database,
      replicas,
      clock,
      log: silentLog,
      watched: {
        catalogue,
        findChain: findTestChain,
        canaries: () => ({ canaries: [], defaultCanaries: false }),
      },
      activeVerifiers: createActiveVerifiers(),
      evaluation: { ingest, markAllDue: nothing },
      facts: { distrust: facts.distrust, deleteDistrusted: async () => {} },
      fleet: {
        isDeciding: () => true,
        accepted: null,
        passOn: () => Promise.reject(new Error('there is no other process')),
      },
      transaction: database.database.transaction,
      countReport: nothing,
    })
    return { verifiers, replicas }
  }

  let { verifiers, replicas } = boot()
  return {
    clock,
    counted,
    receive({ verifierId, header, body }: Sent): string {
      try {
        return verifiers.reports.receive(verifierId, header, body).duplicate ? 'duplicate' : 'accepted'
      } catch (error) {
        if (error instanceof Fault) return error.code
        throw error
      }
    },
    lastSeq: (verifierId: string) => verifiers.activeVerifiers.find(verifierId)?.verifier.lastSeq ?? 0,
    async enrol() {
      const identity = createTestIdentity()
      const { token } = await verifiers.createToken('model', unrecorded)
      const { verifierId } = await verifiers.enroll(enrollRequestOf(token, identity), unrecorded)
      return { verifierId, identity }
    },
    revoke: (verifierId: string) => verifiers.revoke(verifierId, unrecorded),
    /** As the timer does from time to time. */
    save: () => verifiers.stop(),
    async start() {
      await database.database.run((sql) => sql`TRUNCATE nodes`) // nobody waits for those of the runs before
      await replicas.keySync.sync()
    },
    async killAndStart() {
      clock.advance(10) // no process starts faster
      await replicas.keySync.stop() // nobody waits for the killed one
      ;({ verifiers, replicas } = boot())
      await replicas.keySync.sync()
    },
  }
}

type Created = ReturnType<typeof createWorld>
type World = Created & { sent: Sent[]; sender: Awaited<ReturnType<Created['enrol']>> }

/** What a careful reader of the protocol expects. */
interface Model {
  isRevoked: boolean
  /** What the server remembers of the current sender. */
  last: { seq: number; number: number | null }
  stored: number
  /** What the sender believes. */
  senderSeq: number
  sentCount: number
  accepted: Set<number>
}

const skewMs = 60_000

function expected(model: Model, sent: Sent, now: number, isOfSender: boolean): string {
  if (!isOfSender || model.isRevoked) return 'verifier_revoked'
  if (sent.seq === model.last.seq && sent.number === model.last.number) return 'duplicate'
  if (sent.seq <= model.last.seq) return 'sequence_replayed'
  return Math.abs(now - sent.sentAt) > skewMs ? 'clock_skew' : 'accepted'
}

function deliver(model: Model, world: World, sent: Sent): void {
  const isOfSender = sent.verifierId === world.sender.verifierId
  const outcome = expected(model, sent, world.clock.now(), isOfSender)
  expect(world.receive(sent)).toBe(outcome)
  if (outcome === 'accepted') {
    expect(model.accepted.has(sent.number)).toBe(false)
    model.accepted.add(sent.number)
    model.last = sent
  }
  // A sender that is told the last number goes on from there.
  if (outcome === 'sequence_replayed')
    model.senderSeq = Math.max(model.senderSeq, world.lastSeq(sent.verifierId))
}

function write(model: Model, world: World, sentAt: number, backfill: boolean): Sent {
  const { verifierId, identity } = world.sender
  const number = ++model.sentCount
  const seq = Math.max(model.senderSeq + 1, world.clock.now() * 1_000)
  model.senderSeq = seq
  const rounds = [reportRoundOf([reportRowOf(0, { rttMs: number })], { chain: null })]
  const batch = batchOf(verifierId, { seq, sentAtMs: sentAt, backfill, services: ['node'], rounds })
  const sent = { number, seq, sentAt, verifierId, ...signedBatch(batch, identity) }
  world.sent.push(sent)
  return sent
}

type Step = fc.AsyncCommand<Model, World>
const step = (name: string, run: (model: Model, world: World) => void | Promise<void>): Step => ({
  check: () => true,
  run: async (model, world) => run(model, world),
  toString: () => name,
})

const commands = [
  fc
    .boolean()
    .map((backfill) =>
      step(`send${backfill ? ' backfill' : ''}`, (model, world) =>
        deliver(model, world, write(model, world, world.clock.now(), backfill)),
      ),
    ),
  fc.constant(
    step('send the newest again', (model, world) => {
      const newest = world.sent.at(-1)
      if (newest) deliver(model, world, newest)
    }),
  ),
  fc.nat().map((place) =>
    step(`replay ${place}`, (model, world) => {
      const old = world.sent[place % Math.max(1, world.sent.length)]
      if (old) deliver(model, world, old)
    }),
  ),
  fc
    .integer({ min: -120_000, max: 120_000 })
    .map((offMs) =>
      step(`skewed by ${offMs}`, (model, world) =>
        deliver(model, world, write(model, world, world.clock.now() + offMs, false)),
      ),
    ),
  fc
    .integer({ min: 0, max: 40_000 })
    .map((ms) => step(`pass ${ms} ms`, (_, world) => world.clock.advance(ms))),
  fc.constant(
    step('save', async (model, world) => {
      await world.save()
      if (model.last.number !== null) model.stored = model.last.seq
    }),
  ),
  fc.constant(
    step('kill and start', async (model, world) => {
      await world.killAndStart()
      model.last = { seq: Math.max(model.stored, world.clock.now() * 1_000), number: null }
    }),
  ),
  fc.constant(
    step('revoke', async (model, world) => {
      await world.revoke(world.sender.verifierId)
      model.isRevoked = true
    }),
  ),
  fc.constant(
    step('enrol another', async (model, world) => {
      if (!model.isRevoked) return
      world.sender = await world.enrol()
      Object.assign(model, { isRevoked: false, last: { seq: 0, number: null }, stored: 0, senderSeq: 0 })
    }),
  ),
]

test('no observation is counted twice, and none is lost that was accepted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 100, size: 'max' }), async (steps) => {
      const created = createWorld()
      await created.start()
      const world: World = Object.assign(created, { sent: [], sender: await created.enrol() })
      const model: Model = {
        isRevoked: false,
        last: { seq: 0, number: null },
        stored: 0,
        senderSeq: 0,
        sentCount: 0,
        accepted: new Set(),
      }
      await fc.asyncModelRun(() => ({ model, real: world }), steps)
      expect(world.counted).toEqual(new Map([...model.accepted].map((number) => [number, 1])))
    }),
    { numRuns: 60 },
  )
}, 60_000)
