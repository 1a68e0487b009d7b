import { afterAll, expect, test } from 'bun:test'

import { join } from 'node:path'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { Chain } from '../../shared/chains.ts'
import type { Assignments, ReportBatch } from '../../shared/verifier-protocol.ts'
import { systemClock } from '../platform/clock.ts'
import { type Agent, createAgent } from './agent.ts'
import { untilAborted } from '../platform/deadline.ts'
import { createVerifierIdentity } from './identity/identity.ts'
import type { ProbeRunner } from './probes/run.ts'
import type { AssignmentsOutcome, ReportOutcome, ServerClient } from './server-client/server-client.ts'
import { createMemoryState } from './identity/state.ts'
import { silentLog } from '../../scripts/world/database.ts'
import { assignments, healthyRunner, target, testnet, withInterval } from './test-support/fixtures.ts'

const projectFolder = join(import.meta.dir, '../..')
const agents: Agent[] = []
const children: Bun.Subprocess[] = []
afterAll(async () => {
  for (const agent of agents.splice(0)) await agent.stop()
  for (const child of children.splice(0)) {
    child.kill('SIGKILL')
    await child.exited
  }
})

/** A server in memory: it holds a question for assignments until they change, as the real one does. */
function memoryServer(initial: Assignments) {
  let current = initial
  let change = Promise.withResolvers<void>()
  const batches: ReportBatch[] = []
  const server = {
    batches,
    intervalMs: 0,
    outcome: null as ReportOutcome | null,
    assign(next: Assignments) {
      current = next
      change.resolve()
      change = Promise.withResolvers<void>()
    },
    serverClient: {
      async assignments(etag, signal): Promise<AssignmentsOutcome> {
        while (etag === current.etag && !signal.aborted) await untilAborted(change.promise, signal)
        return { kind: 'changed', assignments: current }
      },
      report(body): Promise<ReportOutcome> {
        const batch: ReportBatch = JSON.parse(new TextDecoder().decode(body))
        batches.push(batch)
        const ack = {
          ackSeq: batch.seq,
          duplicate: false,
          serverTimeMs: Date.now(),
          intervalMs: server.intervalMs,
          assignmentsEtag: current.etag,
        }
        return Promise.resolve(server.outcome ?? { kind: 'accepted', ack })
      },
      ping: () => Promise.resolve(true),
    } satisfies ServerClient,
  }
  return server
}

function startAgent(serverClient: ServerClient, runner: ProbeRunner = healthyRunner): Agent {
  const agent = createAgent({
    serverClient,
    runner,
    dialFor: () => () => Promise.resolve(null),
    checkCanary: () => Promise.resolve(false),
    defaultCanaryChecks: {
      checkGateway: () => Promise.resolve(false),
      checkAddress: () => Promise.resolve(false),
    },
    identity: createVerifierIdentity(),
    state: createMemoryState('ver_1'),
    clock: systemClock,
    random: Math.random,
    log: silentLog,
  })
  agents.push(agent)
  agent.start()
  return agent
}

const deafRunner: ProbeRunner = {
  ...healthyRunner,
  probeHead: () => Promise.resolve({ ok: false, error: 'CONNECT', rttMs: 0 }),
}

const chainNamed = (key: string): Chain => ({ ...testnet, key })

const fresh = (targets: Assignments['targets'], changes: Partial<Assignments> = {}) =>
  assignments(targets, { serverTimeMs: Date.now(), ...changes })

test.concurrent('a service that stops answering is probed again at once, and each result is sent without delay', async () => {
  const server = memoryServer(fresh([target('a', withInterval(5_000)), target('b', withInterval(5_000))]))
  let isUp = true
  const failedAt: number[] = []
  const runner: ProbeRunner = {
    ...healthyRunner,
    probeHead(probed, chain) {
      if (isUp || probed.serviceId === 'b') return healthyRunner.probeHead(probed, chain)
      failedAt.push(performance.now())
      return Promise.resolve({ ok: false, error: 'TIMEOUT', rttMs: 0 })
    },
  }
  startAgent(server.serverClient, runner)
  await waitUntil('a first report', () => server.batches.length > 0)
  isUp = false
  const retests = () => server.batches.flatMap(({ rounds }) => rounds.filter(({ retest }) => retest === true))
  await waitUntil('three retests', () => retests().length === 3, 20_000)
  const reportedAt = performance.now()
  expect(retests().flatMap(({ obs }) => obs.map(([, ok, error]) => `${ok} ${error}`))).toEqual([
    '0 TIMEOUT',
    '0 TIMEOUT',
    '0 TIMEOUT',
  ])
  expect(failedAt).toHaveLength(4)
  const [first = 0, ...again] = failedAt
  for (const [index, at] of again.entries()) expect(at - first).toBeGreaterThanOrEqual((index + 1) * 500 - 5)
  expect(reportedAt - (failedAt[3] ?? 0)).toBeLessThan(900)
}, 30_000)

test.concurrent('what is assigned is probed and reported, again and again, and follows new assignments', async () => {
  const server = memoryServer(fresh([target('a', withInterval(200)), target('b', withInterval(200))]))
  startAgent(server.serverClient)
  await waitUntil('two reports', () => server.batches.length >= 2)
  const [first, second] = server.batches
  expect(first).toMatchObject({
    v: 1,
    verifierId: 'ver_1',
    isolated: false,
    backfill: false,
    services: ['a', 'b'],
  })
  expect(first?.rounds[0]).toMatchObject({ chain: 'testnet' })
  expect(first?.rounds[0]?.obs[0]?.slice(1, 6)).toEqual([1, null, 100, 1_800_000_000, null])
  expect(second?.seq).toBeGreaterThan(first?.seq ?? Infinity)

  const website = target('c', { chain: null, family: 'http', ...withInterval(200) })
  server.assign(fresh([website], { etag: 'etag-2' }))
  await waitUntil('a report of the new assignment', () => server.batches.at(-1)?.services.join() === 'c')
  expect(server.batches.at(-1)?.rounds[0]).toMatchObject({ chain: null })
})

test.concurrent('rounds of several chains that finish together share a batch', async () => {
  const chains = ['one', 'two', 'three'].map(chainNamed)
  const targets = chains.map(({ key }) => target(`on-${key}`, { chain: key, ...withInterval(100) }))
  const server = memoryServer(fresh(targets, { chains }))
  startAgent(server.serverClient)
  await waitUntil('a first report', () => server.batches.length >= 1)
  expect(server.batches[0]?.services.toSorted()).toEqual(['on-one', 'on-three', 'on-two'])
})

test.concurrent('a verifier that is cut off says so', async () => {
  const server = memoryServer(fresh([target('a', withInterval(200))], { canaries: ['one', 'two'] }))
  startAgent(server.serverClient, deafRunner)
  await waitUntil('a first report', () => server.batches.length >= 1)
  expect(server.batches[0]).toMatchObject({ isolated: true })
})

test.concurrent('never more than 100 probes are under way', async () => {
  let underWay = 0
  let most = 0
  const probeHead: ProbeRunner['probeHead'] = async (asked, chain) => {
    underWay += 1
    most = Math.max(most, underWay)
    await Bun.sleep(1)
    underWay -= 1
    return healthyRunner.probeHead(asked, chain)
  }
  const chains = ['one', 'two'].map(chainNamed)
  const targets = chains.flatMap(({ key }) =>
    Array.from({ length: 150 }, (_, index) =>
      target(`${key}-${index}`, { chain: key, ...withInterval(100) }),
    ),
  )
  const server = memoryServer(fresh(targets, { chains }))
  startAgent(server.serverClient, { ...healthyRunner, probeHead })
  await waitUntil('a first report', () => server.batches.length >= 1)
  expect(most).toBe(100)
})

/** Returns the times (ms) between rounds. */
function gapsIn(batches: readonly ReportBatch[]): number[] {
  const starts = batches.flatMap(({ sentAtMs, rounds }) => rounds.map(({ ageMs }) => sentAtMs - ageMs))
  return starts.slice(1).map((start, place) => start - (starts[place] ?? 0))
}

test.concurrent('the server can slow a verifier down', async () => {
  const server = memoryServer(fresh([target('a', withInterval(100))]))
  server.intervalMs = 600
  startAgent(server.serverClient)
  await waitUntil('five reports', () => server.batches.length >= 5)
  expect(Math.min(...gapsIn(server.batches.slice(0, 1)))).toBeLessThan(400)
  expect(Math.min(...gapsIn(server.batches.slice(2)))).toBeGreaterThan(400)
})

test.concurrent('the time in a report is that of the server', async () => {
  const inAnHour = Date.now() + 3_600_000
  const server = memoryServer(assignments([target('a', withInterval(100))], { serverTimeMs: inAnHour }))
  startAgent(server.serverClient)
  await waitUntil('a first report', () => server.batches.length >= 1)
  expect(Math.abs((server.batches[0]?.sentAtMs ?? 0) - inAnHour)).toBeLessThan(10_000)
})

test.concurrent('a chain with more services than a batch holds is reported in parts', async () => {
  const targets = Array.from({ length: 2_500 }, (_, index) => target(`service-${index}`))
  const server = memoryServer(fresh(targets))
  startAgent(server.serverClient)
  await waitUntil('two reports', () => server.batches.length >= 2)
  expect(server.batches.map(({ services }) => services.length)).toEqual([2_000, 500])
})

test.concurrent('a server that answers "unchanged" at once is not asked in a tight loop', async () => {
  const server = memoryServer(fresh([target('a', withInterval(100))]))
  let asked = 0
  const serverClient: ServerClient = {
    ...server.serverClient,
    assignments(etag, signal) {
      asked += 1
      return etag === null
        ? server.serverClient.assignments(null, signal)
        : Promise.resolve({ kind: 'unchanged' })
    },
  }
  startAgent(serverClient)
  await waitUntil('two reports', () => server.batches.length >= 2)
  expect(asked).toBeGreaterThan(1)
  expect(asked).toBeLessThan(10)
})

test.concurrent('stop does not wait for services, for the server or for timers', async () => {
  const probing = Promise.withResolvers<void>()
  const probeHead: ProbeRunner['probeHead'] = () => {
    probing.resolve()
    return new Promise(() => {})
  }
  const server = memoryServer(fresh([target('a')]))
  const agent = startAgent(server.serverClient, { ...healthyRunner, probeHead })
  await probing.promise
  const begin = performance.now()
  await agent.stop()
  expect(performance.now() - begin).toBeLessThan(100)
  expect(await agent.ended).toEqual({ kind: 'stopped' })
})

test.concurrent('stop does not wait for a report under way either', async () => {
  const reporting = Promise.withResolvers<void>()
  const server = memoryServer(fresh([target('a', withInterval(100))]))
  let reports = 0
  const report: ServerClient['report'] = () => {
    reports += 1
    reporting.resolve()
    return new Promise(() => {})
  }
  const agent = startAgent({ ...server.serverClient, report })
  await reporting.promise
  const begin = performance.now()
  await agent.stop()
  expect(performance.now() - begin).toBeLessThan(100)
  expect(reports).toBe(1)
})

test.concurrent('a stopped agent leaves nothing behind that would keep the process alive', async () => {
  const program = 'server/verifier/test-support/start-and-stop.ts'
  const child = Bun.spawn([process.execPath, '--no-env-file', program], {
    cwd: projectFolder,
    stdout: 'pipe',
  })
  children.push(child)
  expect(await new Response(child.stdout).text()).toBe('stopped')
  expect(await child.exited).toBe(0)
})

test.concurrent('a stop before the start, and a second one, are harmless', async () => {
  const server = memoryServer(fresh([target('a')]))
  const agent = createAgent({
    serverClient: server.serverClient,
    runner: healthyRunner,
    dialFor: () => () => Promise.resolve(null),
    checkCanary: () => Promise.resolve(true),
    defaultCanaryChecks: {
      checkGateway: () => Promise.resolve(false),
      checkAddress: () => Promise.resolve(false),
    },
    identity: createVerifierIdentity(),
    state: createMemoryState('ver_1'),
    clock: systemClock,
    random: Math.random,
    log: silentLog,
  })
  await agent.stop()
  agent.start()
  await agent.stop()
  expect(await agent.ended).toEqual({ kind: 'stopped' })
  expect(server.batches).toEqual([])
})

test.concurrent('a revoked verifier ends by itself, whichever answer says so', async () => {
  const server = memoryServer(fresh([target('a', withInterval(100))]))
  server.outcome = { kind: 'revoked' }
  expect(await startAgent(server.serverClient).ended).toEqual({ kind: 'revoked' })
  const refused: ServerClient = {
    ...server.serverClient,
    assignments: () => Promise.resolve({ kind: 'revoked' }),
  }
  expect(await startAgent(refused).ended).toEqual({ kind: 'revoked' })
})

test.concurrent('a mistake in the program ends the agent with its error', async () => {
  const mistake = new TypeError('a mistake')
  const server = memoryServer(fresh([target('a', withInterval(100))]))
  const agent = startAgent({ ...server.serverClient, report: () => Promise.reject(mistake) })
  expect(await agent.ended).toEqual({ kind: 'failed', error: mistake })
})
