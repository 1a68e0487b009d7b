import { atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Bar, Benchmark, Row } from '../benchmark.ts'
import { makeServices } from '../fixtures/services.ts'
import { startFeed } from '../fixtures/verifiers.ts'
import type { ProcessUsage } from '../server/messages.ts'
import { startBenchServer } from '../server/server-process.ts'

const serviceCount = 10_000
const verifierCount = 20
/** Every verifier has reported on every service several times by then. */
const settledMs = 30_000

export const memory: Benchmark = {
  name: 'memory',
  about: 'resident size with 10,000 services and 20 verifiers, against the empty server',

  async run() {
    const empty = await measureEmpty()
    const loaded = await measureLoaded()
    return {
      title: 'Memory',
      rows: [
        row('empty server', empty.residentMb),
        row(
          `${serviceCount.toLocaleString('en-US')} services × ${verifierCount} verifiers`,
          loaded.residentMb,
          atMost(400),
        ),
        row('the same, highest so far', loaded.peakResidentMb),
      ],
      notes: [
        `Resident size of the server's process after ${settledMs / 1000} s of 20,000 observations a second; PostgreSQL's processes are not in it.`,
      ],
    }
  },
}

const row = (measure: string, value: number, bar?: Bar): Row => benchmarkRowOf(measure, 'MB', [value], bar)

async function measureEmpty(): Promise<ProcessUsage> {
  const server = await startBenchServer({ verifiers: { builtIn: false } })
  return server.usageDuring(() => Bun.sleep(2_000)).finally(server.stop)
}

async function measureLoaded(): Promise<ProcessUsage> {
  const serviceSet = makeServices(serviceCount)
  const server = await startBenchServer({ services: serviceSet.services, verifiers: { builtIn: false } })
  try {
    const feed = await startFeed(server, serviceSet, verifierCount)
    await server.untilDecided(serviceCount)
    const usage = await server.usageDuring(() => Bun.sleep(settledMs))
    await feed.stop()
    return usage
  } finally {
    await server.stop()
  }
}
