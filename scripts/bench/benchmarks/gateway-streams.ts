import { createTestInstallation } from '../../world/gatehouse-process.ts'
import type { GatehouseProcess } from '../../world/gatehouse-process.ts'
import {
  msUntilNoticed,
  openCount,
  openStreams,
  residentMb,
  startStreamingClient,
  untilNoStream,
} from '../../world/sse-streams.ts'
import { atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark } from '../benchmark.ts'

const streamCount = 5_000
const cycles = 2_000
const atOnce = 100
const kills = 10

export const gatewayStreams: Benchmark = {
  name: 'gateway-streams',
  about: 'memory of open event streams, and what is left of clients that vanish',

  async run() {
    const installation = await createTestInstallation({ verifiers: { builtIn: false } })
    try {
      const server = await installation.start({ GATEHOUSE_LOG_LEVEL: 'error' })
      const emptyMb = residentMb(server.pid)
      const openMb = await withStreams(server)
      const leftOver = await afterCycles(server)
      const noticedMs: number[] = []
      for (let kill = 0; kill < kills; kill++) {
        noticedMs.push(await msUntilNoticed(server, await startStreamingClient(server.url)))
      }
      const againMb = await withStreams(server)
      const name = `${streamCount.toLocaleString('en-US')} open streams`
      return {
        title: 'Event streams of the gateway',
        rows: [
          benchmarkRowOf('without any, resident size', 'MB', [emptyMb]),
          benchmarkRowOf(`${name}, resident size`, 'MB', [openMb], atMost(400)),
          benchmarkRowOf(`${name} anew, after all the rest`, 'MB', [againMb], atMost(400)),
          benchmarkRowOf(
            `streams left by ${cycles.toLocaleString('en-US')} that were cut`,
            '',
            [leftOver],
            atMost(0),
          ),
          benchmarkRowOf('a client that is killed, until its stream is gone', 'ms', noticedMs, atMost(100)),
        ],
        notes: [
          `GET /sse, each with a session and a server of the protocol. Resident size is that of the server's process; PostgreSQL's are not in it. ${atOnce} streams are opened at a time; streams are cut without a word, as by a client that crashes.`,
        ],
      }
    } finally {
      await installation.remove()
    }
  },
}

async function withStreams(server: GatehouseProcess): Promise<number> {
  const streams = await openStreams(server.url, streamCount)
  const resident = residentMb(server.pid)
  streams.abort()
  await untilNoStream(server)
  return resident
}

async function afterCycles(server: GatehouseProcess): Promise<number> {
  for (let done = 0; done < cycles; done += atOnce) (await openStreams(server.url, atOnce)).abort()
  await untilNoStream(server).catch(() => undefined) // what is left is the measure
  return openCount(server)
}
