import { join } from 'node:path'

import { createRegistryQueries } from '../../../server/registry/queries/queries.ts'
import type { RegistryQueries } from '../../../server/registry/queries/queries.ts'
import type { SnapshotFile } from '../../../server/registry/snapshot.ts'
import { measureInTurns } from '../arms.ts'
import { atLeast, atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark } from '../benchmark.ts'
import {
  largeRowCount,
  loadBenchRegistry,
  realIsHere,
  registryFiles,
  repeatedFiles,
} from '../fixtures/registries.ts'
import { percentile } from '../statistics.ts'

/** What agents ask, and what is most work: words that every row has, ranges, far pages. */
const questions: readonly object[] = [
  { query: 'archive rpc ethereum free' },
  { query: 'block explorer', chain: 'base' },
  { chain: 'ethereum', category: 'apis', limit: 20 },
  { chain: 'solana', query: 'mcp server wallet' },
  { category: 'mcpservers' },
  { query: 'rpc' },
  { query: 'api node data free mainnet', limit: 20, offset: 10_000 },
  { filters: { planType: 'Free', accessPrice: { max: 50 } } },
  { filters: { chain: 'mainnet', trial: false }, query: 'archive' },
  {},
]
const searchesPerRound = 2_000
const warmUpSearches = 1_000

export const registry: Benchmark = {
  name: 'registry',
  about: 'search, import and memory of the service registry',

  async run({ rounds }) {
    const files = await registryFiles()
    const repeated = await repeatedFiles(files)
    const whole = await open(files)
    const large = await open(repeated)
    const measured = await measureInTurns(rounds, {
      whole: async () => searchTimes(whole.answers),
      large: async () => searchTimes(large.answers),
      narrow: async () =>
        searchTimes(whole.answers, { chain: 'ethereum', category: 'apis', query: 'archive' }),
    })
    const { importing } = await measureInTurns(rounds, { importing: () => importMs(files) })
    return {
      title: 'Registry',
      rows: [
        benchmarkRowOf(`search over ${rowsOf(whole.rows)}, p99`, 'ms', p99(measured.whole), atMost(2)),
        benchmarkRowOf('the same, p50', 'ms', p50(measured.whole)),
        benchmarkRowOf(`search over ${rowsOf(large.rows)}, p99`, 'ms', p99(measured.large), atMost(2)),
        benchmarkRowOf('the same, p50', 'ms', p50(measured.large)),
        benchmarkRowOf(
          'searches of one chain and category',
          '/s',
          measured.narrow.map(({ perSecond }) => perSecond),
          atLeast(10_000),
        ),
        benchmarkRowOf(`importing ${rowsOf(whole.rows)}`, 'ms', importing, atMost(3_000)),
        benchmarkRowOf(`memory of ${rowsOf(whole.rows)}`, 'MB', [await memoryMb()], atMost(150)),
        benchmarkRowOf(`memory of ${rowsOf(large.rows)}`, 'MB', [await memoryMb('--repeated')], atMost(150)),
      ],
      notes: [
        `${questions.length} kinds of questions in turn, in process, one after the other. ${realIsHere() ? 'A real registry of 55 networks' : 'The product`s own registry, as the real one is not here'}, and the same with its networks repeated to ${largeRowCount.toLocaleString('en-US')} rows.`,
        'Importing is reading all files, checking every row and building the index. Memory is what the process grew by, index included.',
      ],
    }
  },
}

const rowsOf = (count: number): string => `${count.toLocaleString('en-US')} rows`
const p99 = (of: readonly Times[]): number[] => of.map(({ p99Ms }) => p99Ms)
const p50 = (of: readonly Times[]): number[] => of.map(({ p50Ms }) => p50Ms)

async function open(files: readonly SnapshotFile[]): Promise<{ answers: RegistryQueries; rows: number }> {
  const { index, counts } = await loadBenchRegistry(files)
  const answers = createRegistryQueries(index, (name) => name, {
    isAny: () => false,
    linked: () => null,
    decisionOf: () => 'UNKNOWN',
  })
  return { answers, rows: counts.rows }
}

interface Times {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly perSecond: number
}

function searchTimes(answers: RegistryQueries, only?: object): Times {
  const asked = only === undefined ? questions : [only]
  for (let turn = 0; turn < warmUpSearches; turn++) answers.search(asked[turn % asked.length])
  const times = Array.from({ length: searchesPerRound }, (_, turn) => {
    const before = performance.now()
    answers.search(asked[turn % asked.length])
    return performance.now() - before
  })
  const sumMs = times.reduce((sum, time) => sum + time, 0)
  const sorted = times.toSorted((one, other) => one - other)
  return {
    p50Ms: percentile(sorted, 50),
    p99Ms: percentile(sorted, 99),
    perSecond: (searchesPerRound / sumMs) * 1_000,
  }
}

async function importMs(files: readonly SnapshotFile[]): Promise<number> {
  const before = performance.now()
  await loadBenchRegistry(files)
  return performance.now() - before
}

const memoryScript = join(import.meta.dir, '../../..', 'scripts/bench/fixtures/registry-memory.ts')

async function memoryMb(...args: string[]): Promise<number> {
  const child = Bun.spawn([process.execPath, memoryScript, ...args], { stdout: 'pipe', stderr: 'inherit' })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('the registry could not be loaded')
  return Number(text)
}
