import { atLeast, atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark, Row } from '../benchmark.ts'
import { makeServices } from '../fixtures/services.ts'
import { startFeed } from '../fixtures/verifiers.ts'
import type { Feed } from '../fixtures/verifiers.ts'
import type { Ticks, ProcessUsage } from '../server/messages.ts'
import { startBenchServer } from '../server/server-process.ts'
import type { BenchServerProcess } from '../server/server-process.ts'
import { percentile } from '../statistics.ts'

const serviceCount = 10_000
const verifierCount = 20
const windowMs = 5_000
const pass = (): Promise<void> => Bun.sleep(windowMs)

export const reportIngest: Benchmark = {
  name: 'report-ingest',
  about: '20 verifiers that report 20,000 observations a second, signed, over HTTP',

  async run({ rounds }) {
    const serviceSet = makeServices(serviceCount)
    const server = await startBenchServer({ services: serviceSet.services, verifiers: { builtIn: false } })
    try {
      const feed = await startFeed(server, serviceSet, verifierCount)
      await server.untilDecided(serviceCount)
      const measured = await measure(server, feed, rounds)
      await feed.stop()
      return { title: 'Taking in reports', rows: rowsOf(measured), notes }
    } finally {
      await server.stop()
    }
  },
}

const notes = [
  `${verifierCount} verifiers, ${serviceCount.toLocaleString('en-US')} services of 55 chains, each observed by each verifier every 10 s; about 1,000 observations a second and verifier, in signed batches of up to 400. Windows of ${windowMs / 1000} s, for CPU and for the event loop in turns.`,
  'Taking in: signature, reading, reference heads, measuring, board, time of that thread. The whole: HTTP, decisions, history and the collector of garbage besides.',
]

interface Measured {
  readonly usages: readonly ProcessUsage[]
  readonly ticks: readonly Ticks[]
  /** Observations a second. */
  readonly rates: readonly number[]
  readonly ackTimes: readonly number[]
}

async function measure(server: BenchServerProcess, feed: Feed, rounds: number): Promise<Measured> {
  const usages: ProcessUsage[] = []
  const ticks: Ticks[] = []
  const rates: number[] = []
  feed.takeAckTimes()
  for (let round = 0; round < rounds; round++) {
    feed.takeObservations()
    const usage = await server.usageDuring(pass)
    rates.push((feed.takeObservations() / usage.elapsedMs) * 1000)
    usages.push(usage)
    ticks.push(await server.ticksDuring(pass))
  }
  return { usages, ticks, rates, ackTimes: feed.takeAckTimes().sort((one, other) => one - other) }
}

const coreShare = ({ cpuMs, elapsedMs }: ProcessUsage): number => cpuMs / elapsedMs

const reportsShare = ({ reportsMs, elapsedMs }: ProcessUsage): number => reportsMs / elapsedMs

function rowsOf({ usages, ticks, rates, ackTimes }: Measured): Row[] {
  return [
    benchmarkRowOf('observations taken in', '/s', rates, atLeast(19_000)),
    benchmarkRowOf('taking in reports', 'cores', usages.map(reportsShare), atMost(0.15)),
    benchmarkRowOf('CPU of the whole server, decisions and history included', 'cores', usages.map(coreShare)),
    benchmarkRowOf(
      'longest tick, computing',
      'ms',
      ticks.map(({ longestBusyMs }) => longestBusyMs),
      atMost(10),
    ),
    benchmarkRowOf(
      'longest tick, waiting for a core included',
      'ms',
      ticks.map(({ longestMs }) => longestMs),
    ),
    benchmarkRowOf(
      'ticks of more than 10 ms of computing',
      '',
      ticks.map(({ busyOver10Ms }) => busyOver10Ms),
    ),
    benchmarkRowOf('acknowledgement, p50', 'ms', [percentile(ackTimes, 50)]),
    benchmarkRowOf('acknowledgement, p99', 'ms', [percentile(ackTimes, 99)]),
  ]
}
