import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark } from '../benchmark.ts'
import { makeServices } from '../fixtures/services.ts'
import { startFeed } from '../fixtures/verifiers.ts'
import { startBenchServer } from '../server/server-process.ts'
import { percentile } from '../statistics.ts'

const serviceCount = 10_000
const scrapesPerRound = 10
const pauseMs = 1

export const serviceMetrics: Benchmark = {
  name: 'service-metrics',
  about: 'GET /metrics/services with 10,000 services, and what others notice of it',

  async run({ rounds }) {
    const serviceSet = makeServices(serviceCount)
    const server = await startBenchServer({ services: serviceSet.services, verifiers: { builtIn: false } })
    try {
      const feed = await startFeed(server, serviceSet, 1)
      await server.untilDecided(serviceCount)
      await feed.stop()
      const token = (await readFile(join(server.dataDir, 'private', 'metrics-token'), 'utf8')).trim()
      const scrape = (): Promise<Scrape> => scrapeOnce(server.url, token)
      const healthUrl = `${server.url}/health/${serviceSet.services[0]?.id}`
      for (let turn = 0; turn < scrapesPerRound; turn++) await scrape()
      const scrapes: Scrape[] = []
      const quiet: number[] = []
      const meanwhile: number[] = []
      for (let turn = 0; turn < rounds * scrapesPerRound; turn++) {
        scrapes.push(await scrape())
        quiet.push(...(await askDuring(healthUrl, Bun.sleep(200))))
        meanwhile.push(...(await askDuring(healthUrl, scrape())))
      }
      const p99 = (times: readonly number[]): number[] => [percentile(times.toSorted(ascending), 99)]
      return {
        title: `Metrics of ${serviceCount.toLocaleString('en-US')} services`,
        rows: [
          benchmarkRowOf(
            'a scrape, alone',
            'ms',
            scrapes.map(({ ms }) => ms),
            atMost(200),
          ),
          benchmarkRowOf(
            'its length',
            'MB',
            scrapes.map(({ bytes }) => bytes / 1_000_000),
          ),
          benchmarkRowOf('GET /health/{id} meanwhile, p99', 'ms', p99(meanwhile), atMost(20)),
          benchmarkRowOf('GET /health/{id} otherwise, p99', 'ms', p99(quiet)),
        ],
        notes: [
          'Both are asked by one other process of the same machine, which reads the whole answer of a scrape itself.',
        ],
      }
    } finally {
      await server.stop()
    }
  },
}

const ascending = (one: number, other: number): number => one - other

interface Scrape {
  readonly ms: number
  readonly bytes: number
}

async function scrapeOnce(url: string, token: string): Promise<Scrape> {
  const startedAt = performance.now()
  const response = await fetch(`${url}/metrics/services`, { headers: { authorization: `Bearer ${token}` } })
  const { byteLength } = await response.arrayBuffer()
  return { ms: performance.now() - startedAt, bytes: byteLength }
}

/** Returns how long requests took (ms) that were sent one after the other until the work was done. */
async function askDuring(url: string, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const state = { isDone: false }
  const done = work.finally(() => (state.isDone = true))
  while (!state.isDone) {
    const startedAt = performance.now()
    await (await fetch(url)).text()
    times.push(performance.now() - startedAt)
    await Bun.sleep(pauseMs)
  }
  await done
  return times
}
