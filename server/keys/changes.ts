import type { Database, TransactionSql } from '../platform/database.ts'
import { Fault } from '../platform/fault.ts'
import { createInTurn } from '../platform/in-turn.ts'
import type { KeyReplicas } from './key-replicas.ts'
import { isAppliedEverywhere } from './replicas/change-log.ts'
import type { KeyKind, KeyKindName } from './stored-key.ts'

/** The account whose keys are changed, and the actor who changes them. */
export interface Author {
  readonly accountId: string
  /** Actor of the audit entry: the account itself, or an operator at the command line. */
  readonly actor: { readonly id: string; readonly label: string }
  readonly ip: string | null
  readonly requestId: string | null
}

/** An audit entry about a key. It contains no secret. */
export interface KeyEvent {
  readonly actor: Author['actor']
  readonly action: `${KeyKindName}.${KeyChangeAction}`
  readonly subject: { readonly kind: KeyKindName; readonly id: string }
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly ip: string | null
  readonly requestId: string | null
}

/** Appends audit entries in the transaction of the change. */
export type RecordKeyEvents = (sql: TransactionSql, events: readonly KeyEvent[]) => Promise<void>

export type KeyChangeAction = 'create' | 'update' | 'enable' | 'disable' | 'delete' | 'reveal' | 'rotate'

/** The audited fields of one key before and after a change. */
export interface KeyChangeRecord {
  readonly id: string
  readonly before?: KeyFacts
  readonly after?: KeyFacts
}

type KeyFacts = Readonly<Record<string, unknown>>

/** The result of a change, and the keys that it changed. */
export interface KeyChangeOutcome<Result> {
  readonly keys: readonly KeyChangeRecord[]
  readonly result: Result
}

type Work<Result> = (sql: TransactionSql) => Promise<KeyChangeOutcome<Result>>

export interface KeyChangesOptions {
  readonly kind: KeyKind
  readonly database: Database
  readonly replicas: KeyReplicas
  readonly record: RecordKeyEvents
}

export interface KeyChanges {
  /**
   * Runs the work in one transaction, records it, and waits until this process and the others have applied it. When
   * `before` returns a result, that result is returned instead of doing the work; it does not wait for other changes.
   */
  <Result>(
    author: Author,
    action: KeyChangeAction,
    work: Work<Result>,
    before?: (sql: TransactionSql) => Promise<Result | null>,
  ): Promise<{ result: Result; propagated: boolean }>
  /** Records an action that changes no key. */
  recordOnly<Result>(author: Author, action: KeyChangeAction, work: Work<Result>): Promise<Result>
}

/** Creates the function through which all changes of keys go. */
export function createKeyChanges({ kind, database, replicas, record }: KeyChangesOptions): KeyChanges {
  const { changeLog, keySync } = replicas
  /**
   * All changes of keys wait for one lock in the database. Those of one account wait here, and take a connection one
   * after the other: however many somebody sends at once, they leave the pool to everybody else.
   */
  const inTurn = createInTurn()

  const recorded = (
    sql: TransactionSql,
    { accountId, ...by }: Author,
    action: KeyChangeAction,
    keys: readonly KeyChangeRecord[],
  ): Promise<void> =>
    record(
      sql,
      keys.map(({ id, before, after }) => ({
        ...by,
        action: `${kind.name}.${action}` as const,
        subject: { kind: kind.name, id },
        ...(before && { before: { accountId, ...before } }),
        ...(after && { after: { accountId, ...after } }),
      })),
    )

  /** Returns a null version when nothing was changed. */
  const commit = <Result>(
    author: Author,
    action: KeyChangeAction,
    work: Work<Result>,
    before: (sql: TransactionSql) => Promise<Result | null>,
  ) =>
    inTurn(author.accountId, () =>
      database.transaction(async (sql) => {
        const earlier = await before(sql)
        if (earlier !== null) return { version: null, result: earlier }
        await changeLog.lock(sql)
        const { keys, result } = await work(sql)
        const ids = keys.map(({ id }) => id)
        const version = await changeLog.append(sql, kind.name, ids)
        await recorded(sql, author, action, keys) // last: the audit log has a lock of its own
        return { version, result }
      }),
    )

  async function change<Result>(
    author: Author,
    action: KeyChangeAction,
    work: Work<Result>,
    before: (sql: TransactionSql) => Promise<Result | null> = () => Promise.resolve(null),
  ) {
    try {
      const { version, result } = await commit(author, action, work, before)
      if (version === null) return { result, propagated: true }
      await keySync.sync()
      const propagated = await isAppliedEverywhere(changeLog, version, kind.usedWithoutHeartbeatSec)
      return { result, propagated }
    } catch (error) {
      // After an error other than a refusal it is unknown whether the change was committed.
      if (!(error instanceof Fault) || error.code === 'unavailable') keySync.distrust()
      throw error
    }
  }

  const recordOnly = <Result>(author: Author, action: KeyChangeAction, work: Work<Result>): Promise<Result> =>
    inTurn(author.accountId, () =>
      database.transaction(async (sql) => {
        const { keys, result } = await work(sql)
        await recorded(sql, author, action, keys)
        return result
      }),
    )

  return Object.assign(change, { recordOnly })
}
