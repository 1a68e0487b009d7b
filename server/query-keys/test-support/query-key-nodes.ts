import { fileURLToPath } from 'node:url'

import type { DefaultLimits, QueryKeyForm, QueryKeyUse } from '../../../shared/query-keys.ts'
import { silentLog } from '../../../tests/support/database.ts'
import { type Database, openDatabase } from '../../platform/database.ts'
import type { Author, KeyEvent } from '../../platform/keys/changes.ts'
import { createKeyReplicas } from '../../platform/keys/key-replicas.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { createVault } from '../../platform/vault.ts'
import { type QueryKeys, createQueryKeys } from '../query-keys.ts'

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
const hashKey = Buffer.alloc(32, 'hash')

/** What the installation knows; a test changes it at will. */
export interface Installation {
  endpoints: string[]
  types: string[]
  defaultLimits: DefaultLimits
  lastUses: Map<string, number>
  /** What keys have used of their limits, by their ids; the store of limits does not say it of others. */
  limitsUses: Map<string, Omit<QueryKeyUse, 'keyId'>>
}

export const installation = (): Installation => ({
  endpoints: ['mainnet', 'testnet'],
  types: ['freeRPC', 'growthRPC'],
  defaultLimits: { rate: null, credits: null },
  lastUses: new Map(),
  limitsUses: new Map(),
})

export interface QueryKeyNode {
  readonly queryKeys: QueryKeys & { sync(): Promise<void>; isFresh(): boolean; stop(): Promise<void> }
  /** What the audit log was told. */
  readonly events: KeyEvent[]
  readonly installation: Installation
}

export interface NodeOptions {
  readonly clock?: SteadyClock
  readonly canReveal?: boolean
  readonly record?: (event: KeyEvent) => Promise<void>
}

/** One process of an installation, with its heartbeat only when it is started. */
export async function queryKeyNode(database: Database, options: NodeOptions = {}): Promise<QueryKeyNode> {
  const { clock = handClock(), canReveal = true, record = () => Promise.resolve() } = options
  const events: KeyEvent[] = []
  const known = installation()
  const replicas = createKeyReplicas({ database, clock, log: silentLog })
  const { follower } = replicas
  const queryKeys = createQueryKeys({
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
    world: {
      endpoints: {
        names: () => known.endpoints,
        keyTypes: () => known.types,
        defaultLimits: () => known.defaultLimits,
      },
      limitsUse: async (id) => known.limitsUses.get(id) ?? null,
      lastUses: () => known.lastUses,
      origin: () => 'https://gatehouse.example',
    },
  })
  await follower.load()
  const start = () => {
    follower.start()
    queryKeys.start()
  }
  const stop = async () => {
    queryKeys.stop()
    await follower.stop()
  }
  const { sync, isFresh } = follower
  return { queryKeys: { ...queryKeys, sync, isFresh, start, stop }, events, installation: known }
}

export const author = (accountId: string): Author => ({
  accountId,
  actor: { id: accountId, label: `Owner of ${accountId}` },
  ip: '198.51.100.7',
  requestId: 'request-1',
})

export const keyForm = (form: Partial<QueryKeyForm> = {}): QueryKeyForm => ({
  name: 'a key',
  type: 'freeRPC',
  endpoint: 'testnet',
  allowedIps: [],
  allowedDomains: [],
  expiresAt: null,
  ...form,
})

/** A caller without anything special about it. */
export const plainCaller = { address: '198.51.100.7', origin: null } as const
