import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type FuzzRun, type KeptCase, fuzz } from '../../scripts/fuzz/fuzz-run.ts'
import { type FuzzedServer, startFuzzedServer } from '../../scripts/fuzz/fuzzed-server.ts'
import kept from './fuzz-cases.json' with { type: 'json' }

/** A short run of `npm run fuzz`, with every case that a run once found. */

const seed = Number(process.env.GATEHOUSE_TEST_SEED ?? 1)

let server: FuzzedServer
let run: FuzzRun

beforeAll(async () => {
  server = await startFuzzedServer()
  const cases = kept as unknown as KeptCase[]
  run = await fuzz(server, { seed, requests: 15_000, withinMs: 12_000, kept: cases })
}, 60_000)

afterAll(() => server.stop())

test('every answer is as the OpenAPI document, the table of tRPC errors and the schemas of the tools declare it', () => {
  expect(run.findings).toEqual([])
})

test('every surface was reached, and took some of what was sent', () => {
  expect(run.requests).toBeGreaterThan(kept.length + 300)
  for (const surface of ['rest', 'trpc', 'mcp']) expect(run.counts.get(`${surface} 200`)).toBeGreaterThan(10)
})
