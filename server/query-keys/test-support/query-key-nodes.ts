import type { DefaultLimits, QueryKeyForm, QueryKeyUse } from '../../../shared/query-keys.ts'
import type { Plan } from '../../../shared/plans.ts'
import { silentLog } from '../../../scripts/world/database.ts'
import type { Database } from '../../platform/database.ts'
import type { KeyEvent } from '../../keys/changes.ts'
import { createKeyReplicas } from '../../keys/key-replicas.ts'
import { handClock, hashKey, keepEvents, noCap, testVault } from '../../keys/test-support/key-world.ts'
import type { NodeOptions } from '../../keys/test-support/key-world.ts'
import { createPlans } from '../../plans/plans.ts'
import { keepLabelsIn } from '../../usage/key-labels.ts'
import { type QueryKeys, createQueryKeys } from '../query-keys.ts'

/** What the installation knows; a test changes it at will. */
export interface QueryKeyInstallation {
  endpoints: string[]
  types: string[]
  defaultLimits: DefaultLimits
  lastUses: Map<string, number>
  /** The plans that the file declares, and the one that every account has. */
  plans: Plan[]
  signUp: { plan?: string }
  plan: string | null
  /** What keys have used of their limits, by their ids; the store of limits does not say it of others. */
  limitsUses: Map<string, Omit<QueryKeyUse, 'keyId'>>
}

export const installation = (): QueryKeyInstallation => ({
  endpoints: ['mainnet', 'testnet'],
  types: ['freeRPC', 'growthRPC'],
  defaultLimits: { rate: null, credits: null },
  lastUses: new Map(),
  plans: [],
  signUp: {},
  plan: null,
  limitsUses: new Map(),
})

export interface QueryKeyNode {
  readonly queryKeys: QueryKeys & { sync(): Promise<void>; isFresh(): boolean; stop(): Promise<void> }
  /** What the audit log was told. */
  readonly events: KeyEvent[]
  readonly installation: QueryKeyInstallation
}

/** One process of an installation, with its heartbeat only when it is started. */
export async function queryKeyNode(database: Database, options: NodeOptions = {}): Promise<QueryKeyNode> {
  const { clock = handClock(), canReveal = true, keyCap = noCap, mostInMemory } = options
  const { events, record } = keepEvents(options.record)
  const known = installation()
  const replicas = createKeyReplicas({ database, clock, log: silentLog })
  const { keySync } = replicas
  const queryKeys = createQueryKeys({
    database,
    replicas,
    vault: testVault,
    hashKey,
    clock,
    log: silentLog,
    canReveal,
    keyCap,
    keepLabel: keepLabelsIn('usage'),
    record,
    ...(mostInMemory !== undefined && { mostInMemory }),
    world: {
      endpoints: {
        names: () => known.endpoints,
        keyTypes: () => known.types,
        defaultLimits: () => known.defaultLimits,
      },
      plans: { ...createPlans({ declared: { file: known } }), nameOf: async () => known.plan },
      limitsUse: async (id) => known.limitsUses.get(id) ?? null,
      lastUses: async () => known.lastUses,
      lastUsed: async () => [...known.lastUses.keys()],
      origin: () => 'https://gatehouse.example',
    },
  })
  await keySync.load()
  const start = () => {
    keySync.start()
    queryKeys.start()
  }
  const stop = async () => {
    await queryKeys.stop()
    await keySync.stop()
  }
  const { sync, isFresh } = keySync
  return { queryKeys: { ...queryKeys, sync, isFresh, start, stop }, events, installation: known }
}

export const unrestricted = {
  allowedIps: [],
  allowedDomains: [],
  expiresAt: null,
  allowedMethods: [],
  allowedContracts: [],
  moreEndpoints: [],
}

export const keyForm = (form: Partial<QueryKeyForm> = {}): QueryKeyForm => ({
  name: 'a key',
  type: 'freeRPC',
  endpoint: 'testnet',
  ...unrestricted,
  ...form,
})

/** A caller without anything special about it. */
export const plainCaller = { address: '198.51.100.7', origin: null } as const
