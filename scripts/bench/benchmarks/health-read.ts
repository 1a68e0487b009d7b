import { measureInTurns } from '../arms.ts'
import { atLeast, atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark, Bar, Row } from '../benchmark.ts'
import { makeServices } from '../fixtures/services.ts'
import { startFeed } from '../fixtures/verifiers.ts'
import { chooseLoadGenerator } from '../load/load.ts'
import type { LoadGenerator } from '../load/load.ts'
import type { LoadPlan, LoadResult } from '../load/load-plan.ts'
import { freezePostgres } from '../postgres-freeze.ts'
import { startBenchServer } from '../server/server-process.ts'
import type { BenchServerProcess } from '../server/server-process.ts'
import { ratios } from '../statistics.ts'

const serviceCount = 10_000
const connections = 32
/** Short turns, many of them: whatever else the machine does then meets both arms. */
const seconds = 1
const turnsPerRound = 3

export const healthRead: Benchmark = {
  name: 'health-read',
  about: 'GET /health/{id} with 10,000 services, against a constant text of the same server',

  async run({ rounds }) {
    const generator = chooseLoadGenerator()
    const serviceSet = makeServices(serviceCount)
    const server = await startBenchServer({ services: serviceSet.services, verifiers: { builtIn: false } })
    try {
      const feed = await startFeed(server, serviceSet, 1)
      await server.untilDecided(serviceCount)
      const load = (paths: string[]) =>
        loadAndMeasure(server, generator, { url: server.comparisonUrl, paths, connections, seconds })
      const arms = {
        // As many and as long requests as in the other arm: the load generator's own work is the same.
        constant: () => load(serviceSet.services.map(({ id }) => `/constant?${id}`)),
        health: () => load(serviceSet.services.map(({ id }) => `/health/${id}`)),
      }
      for (const warmUp of Object.values(arms)) await warmUp()
      const running = await measureInTurns(rounds * turnsPerRound, arms)
      const resume = await freezePostgres(server.dataDir)
      const frozen = await measureInTurns(rounds * turnsPerRound, arms).finally(resume)
      await feed.stop()
      return {
        title: `Reading health decisions (${serviceCount.toLocaleString('en-US')} services)`,
        rows: [...rowsOf('', running), ...rowsOf(', PostgreSQL frozen', frozen), failureRow(running, frozen)],
        notes: [
          `${generator.name}, ${connections} connections kept alive over loopback, ${seconds} s an arm, arms in turns; every answer is about another service.`,
          'Both arms are routes of one server with the same limits, headers, request ids and metrics. A verifier reports on all services every 10 s meanwhile.',
        ],
      }
    } finally {
      await server.stop()
    }
  },
}

interface Turn extends LoadResult {
  /** Of the whole server, in microseconds. */
  readonly cpuPerRequest: number
}

async function loadAndMeasure(
  server: BenchServerProcess,
  generator: LoadGenerator,
  plan: LoadPlan,
): Promise<Turn> {
  const results: LoadResult[] = []
  const { cpuMs } = await server.usageDuring(async () => results.push(await generator.run(plan)))
  const [result] = results
  if (!result) throw new Error('the load generator gave no result')
  return { ...result, cpuPerRequest: (cpuMs * 1000) / (result.requestsPerSec * plan.seconds) }
}

type Measured = Record<'constant' | 'health', Turn[]>

const rates = (results: readonly LoadResult[]) => results.map(({ requestsPerSec }) => requestsPerSec)
const cpus = (turns: readonly Turn[]) => turns.map(({ cpuPerRequest }) => cpuPerRequest)
const p99s = (results: readonly LoadResult[]) => results.map(({ p99Ms }) => p99Ms)

function rowsOf(circumstance: string, { constant, health }: Measured): Row[] {
  const row = (measure: string, unit: string, values: readonly number[], bar?: Bar): Row =>
    benchmarkRowOf(measure + circumstance, unit, values, bar)
  return [
    row('constant text', 'requests/s', rates(constant)),
    row('GET /health/{id}', 'requests/s', rates(health)),
    row('ratio of the two', '', ratios(rates(health), rates(constant)), atLeast(0.9)),
    row('constant text, CPU of a request', 'µs', cpus(constant)),
    row('GET /health/{id}, CPU of a request', 'µs', cpus(health)),
    row('constant text, p99', 'ms', p99s(constant)),
    row('GET /health/{id}, p99', 'ms', p99s(health)),
    row('ratio of the two, p99', '', ratios(p99s(health), p99s(constant)), atMost(1.5)),
  ]
}

function failureRow(...measured: Measured[]): Row {
  const results = measured.flatMap(({ constant, health }) => [...constant, ...health])
  const failures = results.reduce((sum, result) => sum + result.failures, 0)
  return benchmarkRowOf('failed requests', '', [failures], atMost(0))
}
