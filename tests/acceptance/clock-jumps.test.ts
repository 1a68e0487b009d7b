// Mostly waits: for votes to age.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, rmSync, writeFileSync } from 'node:fs'

import { startAnvilChain } from '../../scripts/world/anvil-chain.ts'
import type { AnvilChain } from '../../scripts/world/anvil-chain.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { recordDecisions } from '../support/decision-recorder.ts'
import type { DecisionRecorder } from '../support/decision-recorder.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { healthClient } from '../support/health-client.ts'
import type { HealthClient } from '../support/health-client.ts'
import { needs } from '../support/needs.ts'
import { startVerifier } from '../../scripts/world/verifier-process.ts'
import type { VerifierProcess } from '../../scripts/world/verifier-process.ts'

/** The whole server while somebody sets its wall clock: an hour back, and two hours ahead. */

/** Where Debian's package puts the library, by architecture. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path))

const ids = ['a', 'b', 'c']
const hourSec = 3_600

let chain: AnvilChain
let installation: TestInstallation
let server: GatehouseProcess
let health: HealthClient
let recorder: DecisionRecorder
let verifier: VerifierProcess
let offsetFile: string

/** The library reads the file anew whenever the server asks for the time. */
const setClock = (offsetSec: number) =>
  writeFileSync(offsetFile, `${offsetSec < 0 ? '' : '+'}${offsetSec}s\n`)

/** By the newest line of its log. */
function serverTime(): number {
  const times = [...server.output().matchAll(/"time":"([^"]+)"/g)]
  return Date.parse(times.at(-1)?.[1] ?? '')
}

/** Each verifier probes and is heard several times meanwhile. */
async function goOnFor(blocks: number): Promise<void> {
  const until = chain.height() + blocks
  await waitUntil(`the chain has ${blocks} more blocks`, () => chain.height() >= until, 60_000)
  expect(await health.decisions(ids)).toEqual(['UP', 'UP', 'UP'])
  expect(await health.read('a')).toMatchObject({ liveVerifiers: 2, avgBlocksLatency: 0 })
  const { votes } = await health.details('a')
  expect(votes.map(({ vote }) => vote)).toEqual(['OK', 'OK'])
  for (const { ageMs } of votes) expect(ageMs).toBeLessThan(10_000)
}

describe.skipIf(!needs('faketime') || library === undefined)('a clock that jumps', () => {
  beforeAll(async () => {
    chain = await startAnvilChain(ids.length)
    const policy = { intervalMs: 1_000, freshMs: 10_000, enterBlocks: 5, enterSec: 5, downForMs: 1_000, latencyForMs: 1_000, upForMs: 1_000 } // prettier-ignore
    const services = ids.map((id, index) => ({
      id,
      name: id,
      chain: 'testnet',
      provider: `provider-${id}`,
      endpoint: chain.nodes[index]?.url,
      policy,
    }))
    installation = await createTestInstallation({
      chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000 } },
      services,
    })
    offsetFile = `${installation.filePath}.offset`
    setClock(0)
    server = await installation.start({
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: offsetFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    })
    health = healthClient(server.url)
    verifier = await startVerifier(server, 'with a right clock')
    await health.until({ a: 'UP', b: 'UP', c: 'UP' })
    recorder = recordDecisions(health, ids)
  }, 60_000)

  afterAll(async () => {
    await recorder?.stop()
    await verifier?.stop()
    await installation?.remove()
    await chain?.stop()
  }, 30_000)

  test.each([
    ['an hour back', -hourSec],
    ['two hours ahead of that', hourSec],
    ['a day back', -24 * hourSec],
    ['right again', 0],
  ])(
    '%s',
    async (_, offsetSec) => {
      setClock(offsetSec)
      await server.operator.verifiers.createToken.mutate({ label: 'the database takes writes' })
      await goOnFor(6)
      expect(recorder.failures).toEqual([])
    },
    60_000,
  )

  test('the server did see the jumps, and nobody else', async () => {
    setClock(-hourSec)
    installation.writeFile('services: 7')
    const before = server.output().length
    await waitUntil('it logs', () => server.output().length > before)
    expect(Math.abs(serverTime() + hourSec * 1000 - Date.now())).toBeLessThan(10_000)
    expect(verifier.program.isRunning()).toBe(true)
  })

  test('healthy services were UP throughout, and a dead node is still noticed', async () => {
    for (const id of ids) expect([id, recorder.seen(id)]).toEqual([id, ['UP']])
    await chain.nodes[2]?.stop()
    await health.until({ a: 'UP', b: 'UP', c: 'DOWN' })
    const { transitions } = await health.history('a')
    expect(transitions.map(({ to }) => to)).toEqual(['UP'])
    expect(await server.stop()).toBe(0)
    rmSync(offsetFile)
  }, 30_000)
})
