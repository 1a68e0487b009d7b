import { generateKeyPairSync } from 'node:crypto'

import { createObservationTable } from '../../../server/health/evaluation/observation-table.ts'
import { createEvaluator } from '../../../server/health/evaluation/evaluator.ts'
import { createRecorder } from '../../../server/health/history/recorder.ts'
import { createPublishedDecisions } from '../../../server/health/evaluation/published-decisions.ts'
import { createCatalogue } from '../../../server/health/services/catalogue.ts'
import { resolveService } from '../../../server/health/services/service.ts'
import { createActiveVerifiers } from '../../../server/health/verifiers/active-verifiers.ts'
import { createEjections } from '../../../server/health/verifiers/ejections.ts'
import { systemClock } from '../../../server/platform/clock.ts'
import { createSteadyClock } from '../../../server/platform/steady-clock.ts'
import { families } from '../../../shared/chains.ts'
import { silentLog } from '../../world/database.ts'
import { measureInTurns } from '../arms.ts'
import { atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Bar, Benchmark, Row } from '../benchmark.ts'
import { makeServices } from '../fixtures/services.ts'
import { watchTicks } from '../server/tick-watch.ts'

const warmUpPasses = 3

export const decide: Benchmark = {
  name: 'decide',
  about: 'one pass of decisions over 10,000 services × 20 verifiers',

  async run({ rounds }) {
    const arms = {
      few: passOver(1_000, 20),
      lonely: passOver(10_000, 1),
      full: passOver(10_000, 20),
    }
    for (let pass = 0; pass < warmUpPasses; pass++) {
      for (const arm of Object.values(arms)) await arm()
    }
    const { few, lonely, full } = await measureInTurns(rounds, arms)
    return {
      title: 'Deciding',
      rows: [
        row('CPU of a pass, 1,000 services × 20 verifiers', cpu(few)),
        row('CPU of a pass, 10,000 services × 1 verifier', cpu(lonely)),
        row('CPU of a pass, 10,000 services × 20 verifiers', cpu(full), atMost(100)),
        row(
          'longest tick of that pass, computing',
          full.map(({ longestTickMs }) => longestTickMs),
          atMost(10),
        ),
      ],
      notes: [
        'Votes, quorum, averages, state machine, time in states, ejections and the prebuilt answer of every service, once; the CPU is that of all threads of the process.',
      ],
    }
  },
}

interface Pass {
  readonly cpuMs: number
  readonly longestTickMs: number
}

const cpu = (passes: readonly Pass[]): number[] => passes.map(({ cpuMs }) => cpuMs)

const row = (measure: string, values: readonly number[], bar?: Bar): Row =>
  benchmarkRowOf(measure, 'ms', values, bar)

/** Everything that a pass needs, in memory; the function that is returned makes one. */
function passOver(serviceCount: number, verifierCount: number): () => Promise<Pass> {
  const clock = createSteadyClock(systemClock)
  const table = createObservationTable()
  const activeVerifiers = createActiveVerifiers()
  const recorder = createRecorder(() => undefined)
  const catalogue = fillCatalogue(serviceCount)
  for (let index = 0; index < verifierCount; index++) activeVerifiers.put(makeVerifier(index))
  const evaluator = createEvaluator({
    catalogue,
    table,
    activeVerifiers,
    ejections: createEjections(activeVerifiers, silentLog),
    published: createPublishedDecisions(clock.now),
    clock,
    log: silentLog,
    onEvaluated({ service, at, previousAt, previous, snapshot }) {
      if (previousAt === null) return
      recorder.lasted(service, previous.published, snapshot.liveVerifiers, previousAt, at)
    },
    onTimeWentBack: () => undefined,
  })

  function observeAll(): void {
    const at = clock.now()
    for (const { slot } of catalogue.all()) {
      for (let column = 0; column < verifierCount; column++) {
        const [lagBlocks, lagSec] = slot % 10 === 0 ? [1, 12] : [0, 0]
        const seen = {
          at,
          ok: true,
          error: null,
          lagBlocks,
          lagSec,
          rttMs: 40,
          height: 1_000,
          timestamp: 1_000,
        }
        table.write(slot, column, seen)
      }
    }
  }

  return async () => {
    observeAll()
    evaluator.markAllDue()
    const ticks = watchTicks()
    const before = process.cpuUsage()
    await evaluator.evaluateDue()
    const { user, system } = process.cpuUsage(before)
    // The watch comes round once more, or a last long slice would go unseen.
    await Bun.sleep(5)
    return { cpuMs: (user + system) / 1000, longestTickMs: ticks.stop().longestBusyMs }
  }
}

function fillCatalogue(serviceCount: number) {
  const catalogue = createCatalogue()
  const { chains, services } = makeServices(serviceCount)
  const byKey = new Map(chains.map((chain) => [chain.key, chain]))
  for (const service of services) {
    const resolved = resolveService(
      { ...service, policy: {} },
      { id: service.id, managedBy: 'file' },
      (key) => byKey.get(key),
    )
    if (resolved.kind === 'problem') throw new TypeError(resolved.problem.message)
    catalogue.put(resolved.service)
  }
  return catalogue
}

function makeVerifier(index: number) {
  const { publicKey } = generateKeyPairSync('ed25519')
  return {
    id: `verifier-${index}`,
    name: `verifier-${index}`,
    region: 'bench',
    publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64'),
    families: [...families],
    version: '0',
    isBuiltIn: false,
    isRevoked: false,
    createdAt: 0,
    lastSeq: 0,
    lastSeenAt: 1,
  }
}
