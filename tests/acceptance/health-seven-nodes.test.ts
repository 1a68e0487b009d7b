// Mostly waits: for changes that have to last.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { startAnvilChain } from '../../scripts/world/anvil-chain.ts'
import type { AnvilChain, ChainNode } from '../../scripts/world/anvil-chain.ts'
import type { FaultMode } from '../../scripts/world/fault-mode.ts'
import { startFaultProxy } from '../../scripts/world/fault-proxy.ts'
import type { FaultProxy } from '../../scripts/world/fault-proxy.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { Decision } from '../../shared/health.ts'
import { recordDecisions } from '../support/decision-recorder.ts'
import type { DecisionRecorder } from '../support/decision-recorder.ts'
import { startEvilVerifier } from '../support/evil-verifier.ts'
import type { EvilVerifier } from '../support/evil-verifier.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { healthClient } from '../support/health-client.ts'
import type { HealthClient } from '../support/health-client.ts'
import { startVerifier } from '../../scripts/world/verifier-process.ts'
import type { VerifierProcess } from '../../scripts/world/verifier-process.ts'

/**
 * Seven real nodes with the same blocks behind fault proxies, watched by four verifiers: the built-in one, two
 * stand-alone ones, and an evil one that inverts what it sees and invents heads. Three nodes are honest throughout;
 * the other four go wrong in one way after the other.
 */

const honest = ['a', 'b', 'c']
const troubled = ['d', 'e', 'f', 'g'] as const
type Troubled = (typeof troubled)[number]
const ids = [...honest, ...troubled]

const policy = {
  intervalMs: 1_000,
  timeoutMs: 600,
  freshMs: 10_000,
  enterBlocks: 5,
  enterSec: 5,
  downForMs: 2_000,
  latencyForMs: 2_000,
  upForMs: 2_000,
  maxUpForMs: 2_000,
  deepIntervalMs: 1_000,
}
/** Only this one minds slow answers: by default a slow node of a chain is as good as a fast one. */
const slowService = 'f'
const maxRttMs = 300

let chain: AnvilChain
let installation: TestInstallation
let server: GatehouseProcess
let health: HealthClient
let evil: EvilVerifier
let recorder: DecisionRecorder
const proxies: FaultProxy[] = []
const verifiers: VerifierProcess[] = []

const indexOf = (id: string): number => ids.indexOf(id)
function nodeOf(id: Troubled): ChainNode {
  const node = chain.nodes[indexOf(id)]
  if (!node) throw new Error(`service ${id} has no node`)
  return node
}
const setFault = (id: Troubled, mode: FaultMode): void => proxies[indexOf(id)]?.set(mode)

beforeAll(async () => {
  chain = await startAnvilChain(ids.length)
  for (const { url } of chain.nodes) proxies.push(await startFaultProxy({ target: url }))
  installation = await createTestInstallation({
    chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000, finalityDepth: 3 } },
    services: ids.map((id, index) => ({
      id,
      name: id,
      chain: 'testnet',
      provider: `provider-${id}`,
      endpoint: proxies[index]?.url,
      policy: { ...policy, ...(id === slowService && { maxRttMs }) },
    })),
  })
  server = await installation.start()
  health = healthClient(installation.url)
  await health.until(everybody('UP'))
  recorder = recordDecisions(health, ids)
  verifiers.push(...(await Promise.all([startVerifier(server, 'north'), startVerifier(server, 'south')])))
  const { token } = await server.operator.verifiers.createToken.mutate({ label: 'evil' })
  evil = await startEvilVerifier(server.url, token)
}, 60_000)

afterAll(async () => {
  await recorder?.stop()
  await evil?.stop()
  for (const verifier of verifiers) await verifier.stop()
  await installation?.remove()
  for (const proxy of proxies) await proxy.stop()
  await chain?.stop()
}, 30_000)

function everybody(decision: Decision): Record<string, Decision> {
  return Object.fromEntries(ids.map((id) => [id, decision]))
}

/** What the verifiers that count hold against a service, each reason once. */
async function reasonsAgainst(id: string): Promise<(string | null)[]> {
  const { votes } = await health.details(id)
  const counted = votes.filter(({ verifierId, counts }) => counts && verifierId !== evil.id)
  expect(counted.length).toBeGreaterThanOrEqual(2)
  return [...new Set(counted.map(({ reason }) => reason))]
}

async function healAll(): Promise<void> {
  for (const proxy of proxies) proxy.set({ mode: 'pass' })
  for (const id of troubled) {
    nodeOf(id).resume()
    await nodeOf(id).heal()
  }
  await health.until(everybody('UP'), 30_000)
}

test('healthy nodes are UP, whatever the evil verifier says', async () => {
  const quorum = async () => (await health.details('a')).quorum
  await waitUntil('all four have reported', async () => (await quorum()).assigned === 4, 20_000)
  expect(await quorum()).toEqual({ assigned: 4, needed: 3 })
  await health.until(everybody('UP'))
  const { reference } = await health.details('a')
  expect(reference).toMatchObject({ corroborated: true, providers: 7 })
  expect(Math.abs((reference?.height ?? 0) - chain.height())).toBeLessThanOrEqual(3)
}, 40_000)

test('exactly at the threshold is UP; a lie of 30 million blocks, silence and slowness are not', async () => {
  nodeOf('d').trail(policy.enterBlocks)
  setFault('e', { mode: 'lie', headOffset: 30_000_000 })
  setFault(slowService, { mode: 'slow', delayMs: 450 })
  await nodeOf('g').pause()
  await health.until({ a: 'UP', b: 'UP', c: 'UP', d: 'UP', e: 'DOWN', f: 'LATENCY', g: 'DOWN' })
  expect(await reasonsAgainst('e')).toEqual(['FUTURE_HEAD'])
  expect(await reasonsAgainst('f')).toEqual(['SLOW'])
  expect(await reasonsAgainst('g')).toEqual(['TIMEOUT'])
  await waitUntil('d is exactly at both thresholds, and UP', async () => {
    const { decision, avgBlocksLatency, avgTimeLatency } = await health.read('d')
    return decision === 'UP' && avgBlocksLatency === policy.enterBlocks && avgTimeLatency === policy.enterSec
  })
}, 40_000)

test('a node that falls further behind is LATENCY', async () => {
  nodeOf('d').hold()
  await health.until({ a: 'UP', b: 'UP', c: 'UP', d: 'LATENCY', e: 'DOWN', f: 'LATENCY', g: 'DOWN' })
  expect(await reasonsAgainst('d')).toEqual(['BLOCKS_BEHIND'])
}, 40_000)

test('healed, all of them are UP', healAll, 40_000)

test('a node whose head is stuck is LATENCY while it answers as ever', async () => {
  setFault('d', { mode: 'stuck' })
  await health.until({ a: 'UP', b: 'UP', c: 'UP', d: 'LATENCY', e: 'UP', f: 'UP', g: 'UP' }, 30_000)
  expect(await reasonsAgainst('d')).toEqual(['BLOCKS_BEHIND'])
  await healAll()
}, 60_000)

const voteOfEvil = async () =>
  (await health.details('a')).votes.find(({ verifierId }) => verifierId === evil.id)

test('the evil verifier is ejected: it is not live, and its votes are shown as not counting', async () => {
  await waitUntil('the evil verifier is ejected', async () => (await voteOfEvil())?.counts === false, 25_000)
  expect(await voteOfEvil()).toMatchObject({ vote: 'BAD', reason: 'CONNECT' })
  await waitUntil('three are live', async () => (await health.read('a')).liveVerifiers === 3)
}, 40_000)

test('the wrong chain, 429, garbage and a fork are DOWN', async () => {
  setFault('d', { mode: 'wrong-chain', chainId: 5 })
  setFault('e', { mode: 'status', status: 429 })
  setFault('f', { mode: 'garbage' })
  nodeOf('g').fork()
  await health.until({ a: 'UP', b: 'UP', c: 'UP', d: 'DOWN', e: 'DOWN', f: 'DOWN', g: 'DOWN' }, 30_000)
  expect(await reasonsAgainst('d')).toEqual(['WRONG_CHAIN'])
  expect((await health.details('d')).facts).toMatchObject({ otherChain: { named: '5', expected: '31337' } })
  // A refusal counts when it is the third in a row, which comes at another time to each verifier.
  await waitUntil('every verifier was refused three times', async () =>
    Bun.deepEquals(await reasonsAgainst('e'), ['RATE_LIMITED']),
  )
  expect(await reasonsAgainst('f')).toEqual(['NOT_JSON'])
  expect(await reasonsAgainst('g')).toEqual(['FORKED'])
}, 40_000)

test('healed again, all of them are UP', healAll, 40_000)

test('honest nodes never left UP, and the evil verifier was heard all the time', async () => {
  await recorder.stop()
  expect(recorder.failures).toEqual([])
  expect(recorder.polls).toBeGreaterThan(100)
  for (const id of honest) expect([id, recorder.seen(id)]).toEqual([id, ['UP']])
  for (const id of honest) expect((await health.history(id)).transitions.map(({ to }) => to)).toEqual(['UP'])
  expect(evil.accepted()).toBeGreaterThan(20)
  expect(evil.refusals).toEqual([])
  expect(await server.stop()).toBe(0)
})
