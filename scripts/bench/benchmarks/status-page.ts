import { measureInTurns } from '../arms.ts'
import { atLeast, atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark } from '../benchmark.ts'
import { makeServices } from '../fixtures/services.ts'
import { startFeed } from '../fixtures/verifiers.ts'
import { chooseLoadGenerator } from '../load/load.ts'
import { startBenchServer } from '../server/server-process.ts'
import { ratios } from '../statistics.ts'

const serviceCount = 12
const connections = 32
const seconds = 1
const turnsPerRound = 3

export const statusPage: Benchmark = {
  name: 'status-page',
  about: 'GET /status/{page} of twelve services, against a constant text of about its length',

  async run({ rounds }) {
    const generator = chooseLoadGenerator()
    const serviceSet = makeServices(serviceCount)
    const groups = [{ name: 'Networks', services: serviceSet.services.map(({ id }) => ({ id })) }]
    const status = [{ page: 'main', title: 'Bench', groups }]
    const file = { services: serviceSet.services, verifiers: { builtIn: false }, status }
    const server = await startBenchServer(file)
    try {
      const feed = await startFeed(server, serviceSet, 1)
      await server.untilDecided(serviceCount)
      const load = (url: string, path: string) => generator.run({ url, paths: [path], connections, seconds })
      const arms = {
        constant: () => load(server.comparisonUrl, '/constant-page'),
        page: () => load(server.url, '/status/main'),
      }
      for (const warmUp of Object.values(arms)) await warmUp()
      const { constant, page } = await measureInTurns(rounds * turnsPerRound, arms)
      await feed.stop()
      const rates = (results: typeof page) => results.map(({ requestsPerSec }) => requestsPerSec)
      const { byteLength } = await (await fetch(`${server.url}/status/main`)).arrayBuffer()
      const failures = [...constant, ...page].reduce((sum, result) => sum + result.failures, 0)
      return {
        title: `A status page of ${serviceCount} services`,
        rows: [
          benchmarkRowOf('constant text of 16 kB', 'requests/s', rates(constant)),
          benchmarkRowOf('GET /status/{page}', 'requests/s', rates(page)),
          benchmarkRowOf('ratio of the two', '', ratios(rates(page), rates(constant)), atLeast(0.8)),
          benchmarkRowOf('length of the page', 'kB', [byteLength / 1_000], atMost(50)),
          benchmarkRowOf('failed requests', '', [failures], atMost(0)),
        ],
        notes: [
          `${generator.name}, ${connections} connections kept alive over loopback, ${seconds} s an arm, arms in turns; both uncompressed.`,
        ],
      }
    } finally {
      await server.stop()
    }
  },
}
