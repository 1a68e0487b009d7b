import { createTestInstallation } from '../../world/gatehouse-process.ts'
import { connectClient } from '../../world/mcp-clients.ts'
import { realRegistry } from '../../world/real-registry.ts'
import { waitUntil } from '../../world/wait-until.ts'
import { measureInTurns } from '../arms.ts'
import { atLeast, atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark } from '../benchmark.ts'
import { searchHeaders, searches } from '../gateway/searches.ts'
import { chooseLoadGenerator } from '../load/load.ts'

const connections = 32
const seconds = 2
/** As many as the gateway remembers answers to, and far more than it does. */
const counts = { one: 1, thousand: 1_000, many: 10_000 } as const
const networksOfOwn = 50

export const gatewaySearch: Benchmark = {
  name: 'gateway-search',
  about: 'searches of many clients through /mcp, one process',

  async run({ rounds }) {
    const load = chooseLoadGenerator()
    const source = realRegistry()
    const installation = await createTestInstallation({
      verifiers: { builtIn: false },
      ...(source !== null && { registry: { source } }),
    })
    try {
      const { url } = await installation.start({ GATEHOUSE_LOG_LEVEL: 'error' })
      const all = searches(counts.many, await chainsOf(url))
      const asking = (count: number) => async () =>
        load.runCalls({
          url: `${url}/mcp`,
          headers: searchHeaders,
          bodies: all.slice(0, count),
          connections,
          seconds,
        })
      for (const count of Object.values(counts)) await asking(count)()
      const measured = await measureInTurns(rounds, {
        one: asking(counts.one),
        thousand: asking(counts.thousand),
        many: asking(counts.many),
      })
      const perSecond = (arm: keyof typeof counts) =>
        measured[arm].map(({ requestsPerSec }) => requestsPerSec)
      const failures = Object.values(measured)
        .flat()
        .reduce((sum, { failures: failed }) => sum + failed, 0)
      return {
        title: 'Searches through the gateway',
        rows: [
          benchmarkRowOf('the same search again and again', '/s', perSecond('one'), atLeast(10_000)),
          benchmarkRowOf('1,000 different searches in turn', '/s', perSecond('thousand'), atLeast(10_000)),
          benchmarkRowOf('10,000 different searches in turn', '/s', perSecond('many'), atLeast(5_000)),
          benchmarkRowOf(
            'the same, p99',
            'ms',
            measured.many.map(({ p99Ms }) => p99Ms),
          ),
          benchmarkRowOf('failed requests', '', [failures], atMost(0)),
        ],
        notes: [
          `tools/call of the 2026-07-28 era, each a POST to /mcp without a key, from ${connections} connections kept alive over loopback, by ${load.name}, for ${seconds} s. ${source === null ? 'The product`s own registry, as a real one is not here' : 'A real registry of 55 networks'}.`,
          'An answer is remembered for a second, and the last 1,000 of them: of 1,000 searches nearly all are, of 10,000 in turn none is. Each answer has about 10 kB.',
        ],
      }
    } finally {
      await installation.remove()
    }
  },
}

/** Of the registry that is to be measured: one that the file names comes into force a moment after the start. */
async function chainsOf(url: string): Promise<string[]> {
  let chains: string[] = []
  await waitUntil('the registry is active', async () => {
    const client = await connectClient('v2 2026 http', url)
    const { value } = await client.call('discover_networks')
    await client.close()
    chains = value.networks.map(({ chain }: { chain: string }) => chain)
    return chains.length >= networksOfOwn
  })
  return chains
}
