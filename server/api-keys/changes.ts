import type { Database, TransactionSql } from '../platform/database.ts'
import { Fault } from '../platform/fault.ts'
import type { ApiKeyFacts } from './api-key.ts'
import type { Follower } from './replicas/follower.ts'
import { isAppliedEverywhere } from './replicas/propagation.ts'
import type { ReplicaStore } from './replicas/store.ts'

/** Whose keys are meant, and who does something to them. */
export interface Author {
  readonly accountId: string
  /** For the audit log: the account itself, or an operator at the command line. */
  readonly actor: { readonly id: string; readonly label: string }
  readonly ip: string | null
  readonly requestId: string | null
}

/** What the audit log is told. Holds no secret. */
export interface KeyEvent {
  readonly actor: Author['actor']
  readonly action: `api_key.${KeyAction}`
  readonly subject: { readonly kind: 'api_key'; readonly id: string }
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly ip: string | null
  readonly requestId: string | null
}

/** Writes an event in the transaction that is given: both happen or neither does. */
export type RecordKeyEvent = (sql: TransactionSql, event: KeyEvent) => Promise<void>

type KeyAction = 'create' | 'update' | 'enable' | 'disable' | 'delete' | 'reveal' | 'rotate'

interface Outcome<Result> {
  readonly id: string
  readonly before?: ApiKeyFacts
  readonly after?: ApiKeyFacts
  readonly result: Result
}

type Work<Result> = (sql: TransactionSql) => Promise<Outcome<Result>>

export interface KeyChangesOptions {
  readonly database: Database
  readonly replicas: ReplicaStore
  readonly follower: Follower
  readonly record: RecordKeyEvent
}

export interface KeyChanges {
  /** Does the work, records it, and waits until this process and the others have applied it. */
  <Result>(
    author: Author,
    action: KeyAction,
    work: Work<Result>,
  ): Promise<{ result: Result; propagated: boolean }>
  /** For what changes no key. */
  recordOnly<Result>(author: Author, action: KeyAction, work: Work<Result>): Promise<Result>
}

/** The one way in which keys are changed. */
export function createKeyChanges({ database, replicas, follower, record }: KeyChangesOptions): KeyChanges {
  async function recorded<Result>(
    sql: TransactionSql,
    { accountId, ...by }: Author,
    action: KeyAction,
    { id, before, after }: Outcome<Result>,
  ): Promise<void> {
    await record(sql, {
      ...by,
      action: `api_key.${action}`,
      subject: { kind: 'api_key', id },
      ...(before && { before: { accountId, ...before } }),
      ...(after && { after: { accountId, ...after } }),
    })
  }

  const commit = <Result>(author: Author, action: KeyAction, work: Work<Result>) =>
    database.transaction(async (sql) => {
      await replicas.lock(sql)
      const outcome = await work(sql)
      const version = await replicas.append(sql, outcome.id)
      await recorded(sql, author, action, outcome) // last: the audit log has a lock of its own
      return { version, result: outcome.result }
    })

  async function change<Result>(author: Author, action: KeyAction, work: Work<Result>) {
    try {
      const { version, result } = await commit(author, action, work)
      await follower.sync()
      return { result, propagated: await isAppliedEverywhere(replicas, version) }
    } catch (error) {
      // Perhaps it was committed, and only the answer was lost. A refusal was not.
      if (!(error instanceof Fault) || error.code === 'unavailable') follower.distrust()
      throw error
    }
  }

  const recordOnly = <Result>(author: Author, action: KeyAction, work: Work<Result>): Promise<Result> =>
    database.transaction(async (sql) => {
      const outcome = await work(sql)
      await recorded(sql, author, action, outcome)
      return outcome.result
    })

  return Object.assign(change, { recordOnly })
}
