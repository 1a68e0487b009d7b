import { rmSync } from 'node:fs'

import { type ToolServer, startToolServer } from '../../../server/connections/test-support/tool-server.ts'
import { temporaryDataDir, testDatabase } from '../../../scripts/world/database.ts'
import type { GatehouseProcess } from '../../../scripts/world/gatehouse-process.ts'
import { type GatewayKey, makeGatewayKey } from '../../support/gateway-keys.ts'
import { untilListed, writeRegistry } from '../../../scripts/world/registry-folder.ts'
import { type Replicas, startReplicas } from '../../../scripts/world/replicas.ts'
import { type RoundRobin, startRoundRobin } from '../../../scripts/world/round-robin.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { startStore, type TestStore } from '../../../scripts/world/limit-nodes/nodes.ts'

/** What opens `mcpservers:vault`. */
export const vaultSecret = 'canary-secret-of-the-vault'

/** Processes behind one address, each request to another one, with two tool servers. */
export interface ReplicatedGateway {
  readonly front: RoundRobin
  readonly replicas: Replicas
  /** The shared store; null where there is none. */
  readonly store: TestStore | null
  readonly key: GatewayKey
  /** Wants `vaultSecret`. */
  readonly vault: ToolServer
  /** `mcpservers:modern`: wants nothing, and asks its callers back. */
  readonly modern: ToolServer
  /** `mcpservers:plain`: wants nothing, and keeps sessions of 2025. */
  readonly plain: ToolServer
  processAt(replica: number): GatehouseProcess
  /** Those that were stopped or killed. */
  restartStopped(): Promise<void>
  stop(): Promise<void>
}

export async function startReplicatedGateway(
  count: number,
  { hasStore }: { hasStore: boolean },
): Promise<ReplicatedGateway> {
  const folder = temporaryDataDir()
  const vault = await startToolServer({ wants: { header: 'authorization', value: `Bearer ${vaultSecret}` } })
  const modern = await startToolServer({ era: 'modern' })
  const plain = await startToolServer({ era: 'legacy' })
  const chains = ['base']
  const locked = { auth: 'API Key', credentialKey: 'vault' }
  const source = writeRegistry([
    { slug: 'vault', provider: 'Vault', url: vault.url, ...locked, chains },
    { slug: 'modern', provider: 'Modern', url: modern.url, chains },
    { slug: 'plain', provider: 'Plain', url: plain.url, chains },
  ])
  const store = hasStore ? await startStore(folder) : null
  const database = await testDatabase()
  const replicas = await startReplicas({
    count,
    file: { verifiers: { builtIn: false }, registry: { source } },
    databaseUrl: database.url,
    redisUrl: store?.url ?? null,
  })
  const urls = replicas.servers.map(({ url }) => url)
  for (const url of urls) {
    await untilListed(url, 'mcpservers:vault')
    await untilLimitsAreCounted(url)
  }
  const front = startRoundRobin(urls)
  return {
    front,
    replicas,
    store,
    key: await makeGatewayKey(urls[0] ?? ''),
    vault,
    modern,
    plain,
    processAt(replica) {
      const one = replicas.servers[replica]
      if (one === undefined) throw new RangeError(`there is no process ${replica}`)
      return one
    },
    async restartStopped() {
      for (const [index, { program }] of replicas.servers.entries()) {
        if (!program.isRunning()) await replicas.restart(index)
      }
    },
    async stop() {
      await front.stop()
      await replicas.remove()
      store?.resume()
      await store?.kill()
      await database.drop()
      await Promise.all([vault.stop(), modern.stop(), plain.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A store that has just started grants nothing until those who knew an earlier one could have come back. */
const untilLimitsAreCounted = (url: string): Promise<void> =>
  waitUntil('limits are counted', async () => {
    const answer = (await fetch(`${url}/readyz`).then((ready) => ready.json())) as {
      checks: { limits: string }
    }
    return answer.checks.limits === 'ok'
  })
