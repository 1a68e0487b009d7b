import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import {
  msUntilNoticed,
  openCount,
  openStreams,
  residentMb,
  startStreamingClient,
  untilNoStream,
} from '../../scripts/world/sse-streams.ts'

/** What many event streams cost, and what is left of them. */

const streamCount = 5_000
const cycles = 2_000
const atOnce = 100

let installation: TestInstallation
let server: GatehouseProcess

beforeAll(async () => {
  installation = await createTestInstallation({ verifiers: { builtIn: false } })
  server = await installation.start({ GATEHOUSE_LOG_LEVEL: 'error' })
}, 60_000)

afterAll(() => installation?.remove())

test('5,000 open streams take at most 400 MB, and none is left when their clients are gone', async () => {
  const streams = await openStreams(server.url, streamCount)
  expect(await openCount(server)).toBe(streamCount)
  expect(residentMb(server.pid)).toBeLessThan(400)
  streams.abort()
  await untilNoStream(server)
}, 60_000)

test('2,000 clients that connect and vanish leave nothing behind', async () => {
  for (let done = 0; done < cycles; done += atOnce) (await openStreams(server.url, atOnce)).abort()
  await untilNoStream(server)
  expect(residentMb(server.pid)).toBeLessThan(400)
}, 60_000)

test('a client that is killed is noticed within 100 ms', async () => {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    times.push(await msUntilNoticed(server, await startStreamingClient(server.url)))
  }
  // The quickest: the machine of a test has other things to do as well.
  expect(Math.min(...times)).toBeLessThan(100)
}, 60_000)
