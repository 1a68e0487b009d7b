import { fileURLToPath } from 'node:url'

import type { ApiKeyInput } from '../../../shared/api-keys.ts'
import { silentLog } from '../../../tests/support/database.ts'
import { type Database, openDatabase } from '../../platform/database.ts'
import type { Author, KeyEvent } from '../../platform/keys/changes.ts'
import { createKeyReplicas } from '../../platform/keys/key-replicas.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { createVault } from '../../platform/vault.ts'
import { type ApiKeys, createApiKeys } from '../api-keys.ts'

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))

/** One more process's connections to a database. */
export const connectTo = (url: string): Promise<Database> =>
  openDatabase({ url, dataDir: '', log: silentLog, migrationsFolder })

/** A clock that stands still until it is moved. */
export interface HandClock extends SteadyClock {
  at: number
}

export function handClock(at = Date.UTC(2026, 0, 1)): HandClock {
  const clock = { at, now: () => clock.at, earliest: () => clock.at, latest: () => clock.at }
  return clock
}

/** Two of them have the same secrets, as two processes of one installation have. */
const vault = createVault([Buffer.alloc(32, 'vault')])
/** Under which the keys of these nodes are hashed. */
export const hashKey = Buffer.alloc(32, 'hash')

export interface KeyNode {
  readonly apiKeys: ApiKeys & { sync(): Promise<void> }
  /** What the audit log was told. */
  readonly events: KeyEvent[]
}

export interface NodeOptions {
  readonly clock?: SteadyClock
  readonly canReveal?: boolean
  readonly record?: (event: KeyEvent) => Promise<void>
}

/** One process of an installation, with its heartbeat only when it is started. */
export async function keyNode(database: Database, options: NodeOptions = {}): Promise<KeyNode> {
  const { clock = handClock(), canReveal = true, record = () => Promise.resolve() } = options
  const events: KeyEvent[] = []
  const replicas = createKeyReplicas({ database, clock, log: silentLog })
  const { follower } = replicas
  const apiKeys = createApiKeys({
    database,
    replicas,
    vault,
    hashKey,
    clock,
    log: silentLog,
    canReveal,
    record: async (_sql, made) => {
      for (const event of made) await record(event)
      events.push(...made)
    },
  })
  await follower.load()
  const start = () => {
    follower.start()
    apiKeys.start()
  }
  const stop = async () => {
    await apiKeys.stop()
    await follower.stop()
  }
  return { apiKeys: { ...apiKeys, sync: follower.sync, start, stop }, events }
}

export const author = (accountId: string): Author => ({
  accountId,
  actor: { id: accountId, label: `Owner of ${accountId}` },
  ip: '198.51.100.7',
  requestId: 'request-1',
})

export const keyInput = (input: Partial<ApiKeyInput> = {}): ApiKeyInput => ({
  name: 'a key',
  permissions: ['token_create'],
  allowedIps: [],
  allowedDomains: [],
  expiresAt: null,
  ...input,
})

/** A use without anything special about it. */
export const plainUse = { address: '198.51.100.7', origin: null, needs: 'token_create' } as const
