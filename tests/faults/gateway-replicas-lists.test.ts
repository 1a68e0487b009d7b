import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { GatewaySessionList } from '../../shared/session-lists.ts'
import { commandLineOf } from '../support/command-line.ts'
import { makeGatewayKey } from '../support/gateway-keys.ts'
import { needs } from '../support/needs.ts'
import { signInAt, type SignedInClient } from '../../scripts/world/signed-in-client.ts'
import { listToolsRaw, openHandle, openSession } from './gateway/raw-calls.ts'
import { type ReplicatedGateway, startReplicatedGateway } from './gateway/replicated-gateway.ts'
import { covers } from '../support/covers.ts'

/** Lists of the sessions that agents have at three processes, whichever of them is asked. */

const hasRedis = needs('redis-server')
let world: ReplicatedGateway

beforeAll(async () => {
  if (!hasRedis) return
  world = await startReplicatedGateway(3, { hasStore: true })
  await waitUntil('all know each other', areTogether, 20_000)
}, 120_000)
afterAll(() => world?.stop(), 60_000)
afterEach(async () => {
  if (!hasRedis) return
  await world.restartStopped()
  await waitUntil('every process is asked, and answers', areTogether, 20_000)
}, 60_000)

const replicas = [0, 1, 2]

const urlOf = (replica: number): string => world.processAt(replica).url

const allAt = (replica: number): Promise<GatewaySessionList> =>
  world.processAt(replica).operator.gateway.allSessions.query()

const ownOf = async (client: SignedInClient): Promise<GatewaySessionList> =>
  (await client.query('gateway.sessions')).data as GatewaySessionList

async function areTogether(): Promise<boolean> {
  const lists = await Promise.all(replicas.map(allAt))
  return lists.every(({ processes, silent }) => processes === 3 && silent === 0)
}

const keysIn = ({ sessions }: GatewaySessionList) => new Set(sessions.map(({ keyId }) => keyId))

describe.skipIf(!hasRedis)('a list of sessions', () => {
  test('holds those of every process; an owner sees none but the own, an operator all', async () => {
    covers('threat-38')
    const stranger = await makeGatewayKey(urlOf(0))
    for (const replica of replicas) await openSession(urlOf(replica), world.key.value)
    await openHandle(urlOf(2), world.key.value, { Vault: 'a secret' })
    await openSession(urlOf(1), stranger.value)
    await openSession(urlOf(2))

    for (const replica of replicas) {
      const owner = await signInAt(urlOf(replica), world.key.owner.wallet)
      const own = await ownOf(owner)
      expect([own.processes, own.silent]).toEqual([3, 0])
      expect(own.sessions.map(({ kind }) => kind).toSorted()).toEqual([
        'handle',
        'streamable',
        'streamable',
        'streamable',
      ])
      expect(own.sessions.map(({ accountId }) => accountId)).toEqual(
        own.sessions.map(() => world.key.owner.accountId),
      )
      const other = await signInAt(urlOf(replica), stranger.owner.wallet)
      expect([...keysIn(await ownOf(other))]).toEqual([stranger.id])
      expect((await owner.query('gateway.allSessions')).status).toBe(403)

      const all = await allAt(replica)
      expect(keysIn(all)).toEqual(new Set([world.key.id, stranger.id, null]))
      expect(all.sessions).toEqual(all.sessions.toSorted((one, next) => one.lastUsedAt - next.lastUsedAt))
      expect(JSON.stringify(all)).toContain('"boundProviders":["vault"]')
      expect(JSON.stringify(all)).not.toMatch(/gws_|a secret/)
    }
  })

  test('is whole when a process has many', async () => {
    const before = (await allAt(0)).sessions.length
    await Promise.all(Array.from({ length: 450 }, () => openSession(urlOf(1))))
    const all = await allAt(0)
    expect([all.sessions.length, all.silent]).toEqual([before + 450, 0])
    expect(new Set(all.sessions.map(({ id }) => id)).size).toBe(all.sessions.length)
  }, 30_000)

  test('says that a process does not answer, and how much is missing', async () => {
    const id = await openSession(urlOf(2), world.key.value)
    const commands = commandLineOf(world.processAt(0).dataDir)
    world.processAt(2).program.signal('SIGSTOP')
    try {
      const startedAt = performance.now()
      const all = await allAt(0)
      expect(performance.now() - startedAt).toBeLessThan(2_000)
      expect(all).toMatchObject({ processes: 3, silent: 1 })
      const { stdout, stderr, exitCode } = await commands.run(['gateway', 'sessions'])
      expect(stderr).toBe('Sessions of 1 of 3 processes are missing: it did not answer in time.\n')
      expect(stdout).toContain(world.key.id)
      expect(exitCode).toBe(0)
    } finally {
      world.processAt(2).program.signal('SIGCONT')
    }
    await waitUntil('it answers again', areTogether, 10_000)
    const listed = await commands.answerOf<{ keyId: string | null }[]>('gateway', 'sessions')
    expect(listed.some(({ keyId }) => keyId === world.key.id)).toBe(true)
    expect(id).toStartWith('gws_')
  }, 30_000)

  test('knows nothing of a process that has ended', async () => {
    await openSession(urlOf(1), world.key.value)
    await world.processAt(1).kill9()
    for (const replica of [0, 2])
      await waitUntil('two are left', async () => (await allAt(replica)).processes === 2, 10_000)
    expect(await allAt(2)).toMatchObject({ processes: 2, silent: 0 })
  }, 30_000)
})

describe.skipIf(!hasRedis)('while the shared store is away', () => {
  test.each(['killed', 'frozen'])(
    '%s: sessions are found, opened and listed at every process as ever',
    async (how) => {
      const own = await openSession(urlOf(0), world.key.value)
      await (how === 'killed' ? world.store?.kill() : world.store?.pause())
      try {
        for (const replica of replicas) {
          expect((await listToolsRaw(urlOf(replica), own, world.key.value)).status).toBe(200)
          const opened = await openSession(urlOf(replica), world.key.value)
          for (const other of replicas)
            expect((await listToolsRaw(urlOf(other), opened, world.key.value)).status).toBe(200)
        }
        expect(await allAt(1)).toMatchObject({ processes: 3, silent: 0 })
      } finally {
        await (how === 'killed' ? world.store?.start() : world.store?.resume())
      }
    },
    60_000,
  )
})
