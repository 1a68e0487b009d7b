import { atLeast, atMost } from '../benchmark.ts'
import type { Bar, Benchmark, Row } from '../benchmark.ts'
import { makeServices } from '../fixtures/services.ts'
import { startFeed } from '../fixtures/verifiers.ts'
import type { Usage } from '../server/messages.ts'
import { startServer } from '../server/server-process.ts'
import { percentile, spreadOf } from '../statistics.ts'

const serviceCount = 10_000
const verifierCount = 20
const windowMs = 10_000

export const reportIngest: Benchmark = {
  name: 'report-ingest',
  about: '20 verifiers that report 20,000 observations a second, signed, over HTTP',

  async run({ rounds }) {
    const serviceSet = makeServices(serviceCount)
    const server = await startServer({ services: serviceSet.services, verifiers: { builtIn: false } })
    try {
      const pass = () => Bun.sleep(windowMs)
      const idle = await server.usageDuring(() => Bun.sleep(windowMs / 2))
      const feed = await startFeed(server, serviceSet, verifierCount)
      await server.untilDecided(serviceCount)
      feed.takeAckTimes()
      feed.takeObservations()
      const usages: Usage[] = []
      const rates: number[] = []
      for (let round = 0; round < rounds; round++) {
        const usage = await server.usageDuring(pass)
        usages.push(usage)
        rates.push((feed.takeObservations() / usage.elapsedMs) * 1000)
      }
      const ackTimes = feed.takeAckTimes().sort((one, other) => one - other)
      await feed.stop()

      const coreShare = ({ cpuMs, elapsedMs }: Usage) => cpuMs / elapsedMs
      const row = (
        measure: string,
        unit: string,
        values: readonly number[],
        bar: Bar | null = null,
      ): Row => ({
        measure,
        unit,
        value: spreadOf(values),
        bar,
      })
      return {
        title: 'Taking in reports',
        rows: [
          row('observations taken in', '/s', rates, atLeast(19_000)),
          row('CPU of the whole server', 'cores', usages.map(coreShare), atMost(0.15)),
          row('CPU without reports', 'cores', [coreShare(idle)]),
          row(
            'longest tick, computing',
            'ms',
            usages.map(({ longestBusyTickMs }) => longestBusyTickMs),
            atMost(10),
          ),
          row(
            'longest tick, waiting for a core included',
            'ms',
            usages.map(({ longestTickMs }) => longestTickMs),
          ),
          row(
            'ticks of more than 10 ms of computing',
            '',
            usages.map(({ ticksOver10Ms }) => ticksOver10Ms),
          ),
          row('acknowledgement, p50', 'ms', [percentile(ackTimes, 50)]),
          row('acknowledgement, p99', 'ms', [percentile(ackTimes, 99)]),
        ],
        notes: [
          `${verifierCount} verifiers, ${serviceCount.toLocaleString('en-US')} services of 55 chains, each observed by each verifier every 10 s; one signed batch of about 1,000 observations a second and verifier. Windows of ${windowMs / 1000} s.`,
          'The CPU is that of the whole server process: HTTP, signatures, reading, reference heads, decisions, history. "Without reports" includes the watch that measures the ticks.',
        ],
      }
    } finally {
      await server.stop()
    }
  },
}
