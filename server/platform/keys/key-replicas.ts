import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import type { Log } from '../log.ts'
import type { SteadyClock } from '../steady-clock.ts'
import { type ChangeLog, createChangeLog } from './replicas/change-log.ts'
import { type Follower, createFollower } from './replicas/follower.ts'

/** What keeps the keys of all kinds the same in every process of the installation. There is one in each process. */
export interface KeyReplicas {
  readonly changeLog: ChangeLog
  readonly follower: Follower
}

interface KeyReplicasOptions {
  readonly database: Database
  readonly clock: SteadyClock
  readonly log: Log
}

/** Every kind of keys is followed first; then `follower.load()`, then `follower.start()`. */
export function createKeyReplicas({ database, clock, log }: KeyReplicasOptions): KeyReplicas {
  const changeLog = createChangeLog(database)
  const follower = createFollower({ database, changeLog, clock, log, nodeId: randomId('node') })
  return { changeLog, follower }
}
