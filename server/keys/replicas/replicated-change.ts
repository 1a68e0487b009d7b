import type { Database, TransactionSql } from '../../platform/database.ts'
import { Fault } from '../../platform/fault.ts'
import { type ChangeLog, type ChangedKind, isAppliedEverywhere } from './change-log.ts'
import type { KeySync } from './key-sync.ts'

/** Some of what is in every process's memory, by kind. */
export interface ChangedThings {
  readonly kind: ChangedKind
  readonly ids: readonly string[]
}

/** What a transaction changed; no ids where it found nothing to change. */
export interface LoggedWork<Result> {
  readonly ids: readonly string[]
  /** What else changed with it. */
  readonly further?: readonly ChangedThings[]
  readonly result: Result
}

/** A change, and whether all processes that live have applied it. */
export interface ReplicatedResult<Result> {
  readonly result: Result
  readonly propagated: boolean
}

/**
 * Changes what every process has in memory: does the work in one transaction with an entry of the change log, and resolves
 * when this process and all others that live have applied it, or after about a second. Changes are made one after the
 * other in the whole installation. Fault: `unavailable`; the change may have been made then.
 */
export type ReplicatedChange = <Result>(
  kind: ChangedKind,
  work: (sql: TransactionSql) => Promise<LoggedWork<Result>>,
  livingSec?: number,
) => Promise<ReplicatedResult<Result>>

/** Nobody waits for processes whose last heartbeat is older (s). It is longer than one that lost the database goes on. */
const usualLivingSec = 60

interface ReplicatedChangeOptions {
  readonly database: Database
  readonly changeLog: ChangeLog
  readonly keySync: Pick<KeySync, 'sync' | 'distrust'>
}

export const createReplicatedChange =
  ({ database, changeLog, keySync }: ReplicatedChangeOptions): ReplicatedChange =>
  async (kind, work, livingSec = usualLivingSec) => {
    try {
      const { version, result } = await database.transaction(async (sql) => {
        await changeLog.lock(sql)
        const done = await work(sql)
        let last: number | null = null
        for (const changed of [{ kind, ids: done.ids }, ...(done.further ?? [])]) {
          if (changed.ids.length > 0) last = await changeLog.append(sql, changed.kind, changed.ids)
        }
        return { version: last, result: done.result }
      })
      if (version === null) return { result, propagated: true }
      await keySync.sync()
      return { result, propagated: await isAppliedEverywhere(changeLog, version, livingSec) }
    } catch (error) {
      // After an error other than a refusal it is unknown whether the change was committed.
      if (!(error instanceof Fault) || error.code === 'unavailable') keySync.distrust()
      throw error
    }
  }
