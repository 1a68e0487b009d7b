// Runs alone: it measures how long answers take while the server is flooded.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { startProgram } from '../../scripts/world/program.ts'

/** Whoever asks for the state of a service is answered while others send more requests than can be answered. */

const connections = 300
const requestsOfEach = 200
const seconds = 2
/**
 * While somebody waits, the server does no more than this share of what it does in the whole flood. A server that begins
 * all requests as they come does nearly all of it.
 */
const largestShare = 1 / 6

let installation: TestInstallation
let server: GatehouseProcess
let script: string

beforeAll(async () => {
  installation = await createTestInstallation()
  server = await installation.start()
  const page = await fetch(server.url).then((answer) => answer.text())
  script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? ''
  await Promise.all([ask('/healthz'), ask('/health/nobody')])
})
afterAll(() => installation?.remove())

/**
 * Asks by the clock and not when the last answer has come, as a long silence would otherwise count once. Each result is
 * the time that the server's main thread has worked until the answer came, in ms, sorted: time for which the machine did
 * not let it run is not its own.
 */
async function workUntilAnswered(): Promise<number[]> {
  const paths = ['/healthz', '/health/nobody']
  const asked: Promise<number>[] = []
  for (const endsAt = performance.now() + seconds * 1_000; performance.now() < endsAt; await Bun.sleep(10)) {
    asked.push(ask(paths[asked.length % paths.length] ?? ''))
  }
  return (await Promise.all(asked)).toSorted((one, other) => one - other)
}

async function ask(path: string): Promise<number> {
  const workedBefore = workedMs()
  const answer = await fetch(server.url + path)
  expect(answer.status).toBe(200)
  await answer.arrayBuffer()
  return workedMs() - workedBefore
}

/** How long the server's main thread has run, which `schedstat` counts in ns. */
const workedMs = (): number =>
  Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.POSITIVE_INFINITY

test.each([
  ['the liveness probe', () => '/healthz'],
  ['a health decision', () => '/health/nobody'],
  ['an address without anything', () => '/nothing'],
  ['the page of the console', () => '/'],
  ['its script', () => script],
  ['the OpenAPI document', () => '/openapi.json'],
  ['the largest file of the reference page', () => '/reference/swagger-ui-bundle.js'],
])('health is told while 300 connections ask for %s, 200 times at once', async (_, pathOf) => {
  await fetch(server.url + pathOf())
  const numbers = [installation.port, connections, requestsOfEach, seconds].map(String)
  const command = ['sh', 'scripts/bun.sh', 'tests/support/pipelined-flood.ts', pathOf(), ...numbers]
  const flood = startProgram(command)
  const workedBefore = workedMs()
  const worked = await workUntilAnswered().finally(() => flood.kill())
  expect(worked.length).toBeGreaterThan(50)
  expect(percentile(worked, 0.99) / (workedMs() - workedBefore)).toBeLessThan(largestShare)
})
