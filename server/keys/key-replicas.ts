import type { Database } from '../platform/database.ts'
import { randomHex } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { type ChangeLog, createChangeLog } from './replicas/change-log.ts'
import { type KeySync, createKeySync } from './replicas/key-sync.ts'

/** What keeps the keys of all kinds the same in every process of the installation. There is one in each process. */
export interface KeyReplicas {
  readonly changeLog: ChangeLog
  readonly keySync: KeySync
}

interface KeyReplicasOptions {
  readonly database: Database
  readonly clock: SteadyClock
  readonly log: Log
  /** The id of this process in the table `nodes`. */
  readonly nodeId?: string
}

/** Every kind of keys is followed first; then `keySync.load()`, then `keySync.start()`. */
export function createKeyReplicas({
  database,
  clock,
  log,
  nodeId = randomHex(8),
}: KeyReplicasOptions): KeyReplicas {
  const changeLog = createChangeLog(database)
  const keySync = createKeySync({ database, changeLog, clock, log, nodeId })
  return { changeLog, keySync }
}
