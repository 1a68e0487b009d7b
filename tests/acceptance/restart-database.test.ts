// Mostly waits: for the database to come back.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { codeProgram } from '../support/code-program.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { recordDecisions } from '../support/decision-recorder.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { healthClient } from '../support/health-client.ts'
import type { HealthClient } from '../support/health-client.ts'
import { freezeDescendants, processesNaming } from '../../scripts/world/process-tree.ts'

/** The database is frozen, and killed, while the server works: answers and decisions go on, history follows. */

let installation: TestInstallation
let server: GatehouseProcess
let health: HealthClient
let isFine = true
const website = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => new Response('', { status: isFine ? 200 : 503 }),
})

beforeAll(async () => {
  const policy = { intervalMs: 500, freshMs: 10_000, downForMs: 500, upForMs: 500, maxUpForMs: 500 }
  const endpoint = `http://127.0.0.1:${website.port}/`
  installation = await createTestInstallation({
    services: [{ id: 'site', name: 'Site', family: 'http', provider: 'acme', endpoint, policy }],
  })
  server = await installation.start()
  health = healthClient(server.url)
  await health.until({ site: 'UP' })
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  await website.stop(true)
})

const statusOf = async (path: string) => (await fetch(`${server.url}${path}`)).status

async function readiness() {
  const response = await fetch(`${server.url}/readyz`)
  const { status, checks, reasons } = (await response.json()) as {
    status: string
    checks: { database: string }
    reasons: { database?: string }
  }
  return { http: response.status, status, database: checks.database, reason: reasons.database }
}

const signalAll = (pids: readonly number[], signal: NodeJS.Signals) => {
  for (const pid of pids) process.kill(pid, signal)
}

/** Every transition since the beginning, once it is stored that there are so many. */
async function storedSteps(count: number): Promise<string[]> {
  let steps: string[] = []
  await waitUntil(
    `${count} transitions are stored`,
    async () => {
      if ((await statusOf('/health/site/history')) !== 200) return false
      steps = (await health.history('site')).transitions.map(({ from, to }) => `${from} ${to}`)
      return steps.length >= count
    },
    20_000,
  )
  return steps
}

async function worstAnswerMs(during: () => Promise<void>): Promise<number> {
  let worst = 0
  const recorder = recordDecisions(
    {
      async read(id) {
        const startedAt = performance.now()
        const result = await health.read(id)
        worst = Math.max(worst, performance.now() - startedAt)
        return result
      },
    },
    ['site'],
  )
  await during()
  await recorder.stop()
  expect(recorder.failures).toEqual([])
  expect(recorder.polls).toBeGreaterThan(5)
  return worst
}

test('while the database is frozen, answers come from memory and decisions go on', async () => {
  const resume = freezeDescendants(server.pid)
  try {
    const worst = await worstAnswerMs(async () => {
      isFine = false
      await health.until({ site: 'DOWN' })
      expect(await readiness()).toMatchObject({ http: 200, status: 'degraded', database: 'degraded' })
      expect(await statusOf('/healthz')).toBe(200)
      expect(await statusOf('/health/site/history')).toBe(503)
      isFine = true
      await health.until({ site: 'UP' })
    })
    expect(worst).toBeLessThan(1_000)
    expect((await health.details('site')).votes).toMatchObject([{ vote: 'OK' }])
  } finally {
    resume()
  }
}, 60_000)

test('what was decided meanwhile is stored afterwards, once', async () => {
  expect(await storedSteps(3)).toEqual(['UNKNOWN UP', 'UP DOWN', 'DOWN UP'])
  await waitUntil('the server is ready again', async () => (await readiness()).status === 'ready')
}, 40_000)

test('an agent whose owner has agreed gets its tokens although the database was killed in between', async () => {
  const program = await codeProgram(server.url, await signInAt(server.url))
  const { access_token: token } = await program.connect()
  const statusWithToken = async (): Promise<number> => {
    const answer = await fetch(`${server.url}/mcp/account`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
      }),
    })
    await answer.body?.cancel()
    return answer.status
  }
  expect(await statusWithToken()).toBe(200)
  const code = await program.askForCode()
  signalAll(processesNaming(installation.dataDir), 'SIGKILL')
  const statuses = new Set<number>()
  await waitUntil(
    'the code is exchanged',
    async () => {
      // A token that was seen goes on from memory meanwhile.
      expect(await statusWithToken()).toBe(200)
      const { status } = await program.exchange(code)
      statuses.add(status)
      return status === 200
    },
    20_000,
  )
  expect([...statuses].filter((status) => status !== 503)).toEqual([200])
}, 40_000)

test('a killed database is started again, and nothing is lost', async () => {
  // Connections outlive the process that opened them for a moment, in which what was asked before can be answered.
  await waitUntil('the database runs again', () => processesNaming(installation.dataDir).length > 0)
  const killed = processesNaming(installation.dataDir)
  expect(killed.length).toBeGreaterThan(0)
  signalAll(killed, 'SIGKILL')
  const worst = await worstAnswerMs(async () => {
    isFine = false
    await health.until({ site: 'DOWN' })
    isFine = true
    await health.until({ site: 'UP' })
  })
  expect(worst).toBeLessThan(1_000)
  const steps = ['UNKNOWN UP', 'UP DOWN', 'DOWN UP', 'UP DOWN', 'DOWN UP']
  expect(await storedSteps(5)).toEqual(steps)
  expect(processesNaming(installation.dataDir).some((pid) => killed.includes(pid))).toBe(false)
  expect(await server.stop()).toBe(0)
}, 60_000)

test('after the next start the history is still whole', async () => {
  server = await installation.start()
  const { transitions } = await health.history('site')
  const broken = transitions.filter(({ from }, index) => index > 0 && transitions[index - 1]?.to !== from)
  expect(broken).toEqual([])
  expect(transitions.length).toBeGreaterThanOrEqual(5)
}, 40_000)
