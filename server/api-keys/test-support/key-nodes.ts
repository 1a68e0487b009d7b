import type { ApiKeyInput } from '../../../shared/api-keys.ts'
import { silentLog } from '../../../scripts/world/database.ts'
import type { Database } from '../../platform/database.ts'
import type { KeyEvent } from '../../keys/changes.ts'
import { createKeyReplicas } from '../../keys/key-replicas.ts'
import { handClock, hashKey, keepEvents, noCap, testVault } from '../../keys/test-support/key-world.ts'
import type { NodeOptions } from '../../keys/test-support/key-world.ts'
import { keepLabelsIn } from '../../usage/key-labels.ts'
import { type ApiKeys, createApiKeys } from '../api-keys.ts'

export interface KeyNode {
  readonly apiKeys: ApiKeys & { sync(): Promise<void> }
  /** What the audit log was told. */
  readonly events: KeyEvent[]
}

/** The one account that is no operator's. */
export const ordinaryAccount = 'acc_ordinary'

/** One process of an installation, with its heartbeat only when it is started. */
export async function keyNode(database: Database, options: NodeOptions = {}): Promise<KeyNode> {
  const { clock = handClock(), canReveal = true, keyCap = noCap, mostInMemory } = options
  const { events, record } = keepEvents(options.record)
  const replicas = createKeyReplicas({ database, clock, log: silentLog })
  const { keySync } = replicas
  const apiKeys = createApiKeys({
    database,
    replicas,
    vault: testVault,
    hashKey,
    clock,
    log: silentLog,
    canReveal,
    keyCap,
    keepLabel: keepLabelsIn('tool_usage'),
    isOperator: async (_sql, accountId) => accountId !== ordinaryAccount,
    record,
    ...(mostInMemory !== undefined && { mostInMemory }),
  })
  await keySync.load()
  const start = () => {
    keySync.start()
    apiKeys.start()
  }
  const stop = async () => {
    await apiKeys.stop()
    await keySync.stop()
  }
  return { apiKeys: { ...apiKeys, sync: keySync.sync, start, stop }, events }
}

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
