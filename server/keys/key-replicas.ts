import type { Database } from '../platform/database.ts'
import { randomHex } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { type ChangeLog, createChangeLog } from './replicas/change-log.ts'
import { type KeySync, createKeySync } from './replicas/key-sync.ts'
import { type ReplicatedChange, createReplicatedChange } from './replicas/replicated-change.ts'

/** What keeps keys, and all else that the change log tells of, the same in every process. There is one in each process. */
export interface KeyReplicas {
  readonly changeLog: ChangeLog
  readonly keySync: KeySync
  readonly change: ReplicatedChange
}

interface KeyReplicasOptions {
  readonly database: Database
  readonly clock: SteadyClock
  readonly log: Log
  /** The id of this process in the table `nodes`. */
  readonly nodeId?: string
}

/** Each memory is followed first; the next `keySync.load()` or `keySync.sync()` reads it, and `keySync.start()` keeps it in step. */
export function createKeyReplicas({
  database,
  clock,
  log,
  nodeId = randomHex(8),
}: KeyReplicasOptions): KeyReplicas {
  const changeLog = createChangeLog(database)
  const keySync = createKeySync({ database, changeLog, clock, log, nodeId })
  return { changeLog, keySync, change: createReplicatedChange({ database, changeLog, keySync }) }
}
