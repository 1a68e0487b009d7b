import type { Database } from '../../platform/database.ts'
import { type DatabaseFollower, createDatabaseFollower } from '../../platform/database-follower.ts'
import { isFault } from '../../platform/fault.ts'
import type { Log } from '../../platform/log.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { type ChangeLog, type ChangedKind, type LoggedKeyChange, keyChangesChannel } from './change-log.ts'

/** A memory of what the change log tells of, as far as the sync uses it. */
export interface SyncedKeys {
  readonly kind: ChangedKind
  /** Reads all keys. */
  reload(): Promise<void>
  /** Reads the keys of these ids, and removes those that no longer exist. */
  refresh(ids: readonly string[]): Promise<void>
}

/** Keeps this process's memory of all keys in step with the database. */
export interface KeySync extends DatabaseFollower {
  /** Adds a memory. The next `load` or `sync` reads it, and from then on it is kept in step. */
  follow(keys: SyncedKeys): void
  /** Returns whether all changes older than 2 s are certainly in memory. If not, look-ups must ask the database. */
  isFresh(): boolean
  /** Returns whether the database did not answer the latest request. */
  isCutOff(): boolean
  /** Returns for how many ms the memory has not certainly been in step with the database. */
  ageMs(): number
  /** Reads all keys again, because something else changed that they are read with. Until then look-ups ask the database. */
  readAgain(): Promise<void>
  /** Marks the memory as stale until the next sync, after a change of which it is unknown whether it was committed. */
  distrust(): void
}

export interface KeySyncOptions {
  readonly database: Database
  readonly changeLog: ChangeLog
  readonly clock: SteadyClock
  readonly log: Log
  readonly nodeId: string
}

const heartbeatMs = 500
const freshMs = 2_000

/**
 * Keeps the keys of this process in step with the database. Freshness does not depend on notifications, which can be lost
 * silently; they only make it fast. Each heartbeat reads the changes itself, so a memory that was in step at the beginning
 * of a heartbeat less than 2 s ago lacks no older change. The heartbeat is written before the changes are read: a writer
 * that does not see this node alive has committed early enough for that read to find its change.
 */
export function createKeySync({ database, changeLog, clock, log, nodeId }: KeySyncOptions): KeySync {
  const followed: SyncedKeys[] = []
  const unread = new Set<SyncedKeys>()
  let applied: number | null = null
  let mustReload = true
  let isCutOff = false
  let acknowledged: number | null = null
  let freshAt: number | null = null
  let inStepAt: number | null = null
  let doubts = 0

  async function syncOnce(): Promise<void> {
    try {
      await applyAll()
      isCutOff = false
    } catch (error) {
      isCutOff = isFault(error, 'unavailable')
      throw error
    }
  }

  async function applyAll(): Promise<void> {
    const startedAt = clock.now()
    const doubtsBefore = doubts
    const known = await changeLog.beat(nodeId)
    // The database has lost what was acknowledged, by a restored backup for instance: its log may be another one.
    if (acknowledged !== null && known < acknowledged) mustReload = true
    if (mustReload) applied = null
    mustReload = false
    applied = applied === null ? await reload() : await catchUp(applied)
    await readUnread()
    if (doubts === doubtsBefore) freshAt = startedAt
    inStepAt = startedAt
    if (applied === acknowledged) return
    await changeLog.acknowledge(nodeId, applied)
    acknowledged = applied
  }

  /** Reads the version before the keys, so that changes made meanwhile are applied afterwards. */
  async function reload(): Promise<number> {
    applied = null
    freshAt = null
    acknowledged = null
    const version = await changeLog.latestVersion()
    for (const keys of followed) unread.add(keys)
    await readUnread()
    return await catchUp(version)
  }

  /** What is read now has all changes that were applied to the others. */
  async function readUnread(): Promise<void> {
    for (const keys of unread) {
      await keys.reload()
      unread.delete(keys)
    }
  }

  async function catchUp(version: number): Promise<number> {
    const changes = await changeLog.changesSince(version)
    if (changes === null) return await reload()
    for (const keys of followed) {
      if (unread.has(keys)) continue
      const ids = idsOf(keys.kind, changes)
      if (ids.length > 0) await keys.refresh(ids)
    }
    return changes.at(-1)?.version ?? version
  }

  function distrust(): void {
    doubts += 1
    freshAt = null
  }

  const follower = createDatabaseFollower({
    database,
    channel: keyChangesChannel,
    pollEveryMs: heartbeatMs,
    read: syncOnce,
    onFailed: (error) => log.warn('the keys could not be brought up to date', { error }),
    isNew: (version) => applied === null || Number(version) > applied,
    onOutageOver() {
      mustReload = true
      distrust()
    },
  })

  /** Returns infinity for an instant in the future, because the clock was set back then. */
  function ageOf(instant: number | null): number {
    const age = instant === null ? Number.POSITIVE_INFINITY : clock.now() - instant
    return age >= 0 ? age : Number.POSITIVE_INFINITY
  }

  return {
    ...follower,
    follow(keys) {
      followed.push(keys)
      unread.add(keys)
    },
    isFresh: () => ageOf(freshAt) <= freshMs,
    isCutOff: () => isCutOff,
    ageMs: () => ageOf(inStepAt),
    distrust,
    async readAgain() {
      mustReload = true
      distrust()
      await follower.sync()
    },
    async stop() {
      await follower.stop()
      try {
        await changeLog.leave(nodeId)
      } catch (error) {
        log.debug('the database will forget this node by itself', { error })
      }
    },
  }
}

const idsOf = (kind: ChangedKind, changes: readonly LoggedKeyChange[]): string[] => [
  ...new Set(changes.filter((change) => change.kind === kind).flatMap(({ ids }) => ids)),
]
