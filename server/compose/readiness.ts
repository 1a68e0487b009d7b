/**
 * Whether this process would answer the calls that it exists for, as `/readyz` says. A balancer that asks all processes of
 * an installation must not lose every one of them to something that only one of their calls needs: while the database is
 * away, known keys and health decisions go on from memory, so a process stays in until the keys in memory are too old.
 */
import { access, constants, statfs } from 'node:fs/promises'

import type { PartState, Readiness } from '../http/probes.ts'
import type { Limits } from '../limits/limits.ts'
import type { Database } from '../platform/database.ts'
import { withinDeadline } from '../platform/deadline.ts'
import type { QueryKeys } from '../query-keys/query-keys.ts'

/**
 * The least room (bytes) in the data folder: that of the next file of windows (8 MB) and of the next files of counters for
 * relayed calls and for calls of tools (2.5 MB each). Without them calls are refused.
 */
const leastFreeBytes = 13 * 1024 * 1024
/** A folder on a network drive may never answer. */
const diskDeadlineMs = 500

interface ReadinessParts {
  readonly database: Pick<Database, 'isReachable' | 'notifications'>
  readonly keys: Pick<QueryKeys, 'databaseState'>
  readonly limits: Pick<Limits, 'isStoreReady' | 'storeFailure' | 'storeWarning'>
  readonly isWarmingUp: () => boolean
  /** Whether the clock of this machine is far from that of the database. */
  readonly isClockWrong: () => boolean
  readonly dataDir: string
}

export async function readinessOf(parts: ReadinessParts): Promise<Readiness> {
  const { database, keys, limits, dataDir } = parts
  const [databaseCheck, disk] = await Promise.all([checkDatabase(database, keys), checkDisk(dataDir)])
  return {
    database: databaseCheck,
    limits: checkLimits(limits),
    health: checkHealth(parts),
    disk,
  }
}

const failed = (reason: string): PartState => ({ state: 'failed', reason })
const degraded = (reason: string): PartState => ({ state: 'degraded', reason })

function checkHealth({ isWarmingUp, isClockWrong }: ReadinessParts): PartState {
  if (isWarmingUp()) return failed('decisions about services are not known yet')
  return isClockWrong()
    ? degraded('the clock of this machine is more than 5 s from that of the database')
    : 'ok'
}

async function checkDatabase(
  database: ReadinessParts['database'],
  keys: ReadinessParts['keys'],
): Promise<PartState> {
  // Asked first: while the database is known to be away, the probe is answered without waiting for it.
  const state = keys.databaseState()
  if (state === 'answering' && (await database.isReachable()))
    return database.notifications() === 'away'
      ? degraded('DATABASE_DIRECT_URL does not answer; changes are looked for, not heard of')
      : 'ok'
  return state === 'away_too_long'
    ? failed('the database has been away for so long that keys are not believed any more')
    : degraded('the database does not answer; keys that are known go on for five minutes')
}

function checkLimits({ isStoreReady, storeFailure, storeWarning }: ReadinessParts['limits']): PartState {
  const failure = storeFailure()
  if (failure !== null) {
    const { kind, reason } = failure
    return failed(
      kind === 'unreached'
        ? `the store of the limits was never reached: ${reason}`
        : `the store of the limits cannot be used: ${reason}`,
    )
  }
  if (!isStoreReady()) return degraded('the store of the limits is away, or does not grant anything yet')
  const warning = storeWarning()
  return warning === null ? 'ok' : degraded(`the store of the limits: ${warning}`)
}

async function checkDisk(dataDir: string): Promise<PartState> {
  try {
    const look = Promise.all([access(dataDir, constants.W_OK), statfs(dataDir)])
    const [, { bavail, bsize }] = await withinDeadline(look, diskDeadlineMs)
    return bavail * bsize < leastFreeBytes ? failed('the data folder is full') : 'ok'
  } catch {
    return failed('the data folder cannot be written to')
  }
}
