import type { Database, TransactionSql } from '../platform/database.ts'
import { type DecisionChange, createAlertStore } from './alert-store.ts'

/** The way of changed decisions from health to alerts; it is there before both. */
export interface DecisionFeed {
  /** Adds changes, in the transaction that stores them. */
  store(sql: TransactionSql, changes: readonly DecisionChange[]): Promise<void>
  /** They are committed. */
  stored(): void
  /** Calls back when there are new ones. */
  connect(onStored: () => void): void
}

export function createDecisionFeed(database: Database): DecisionFeed {
  const { addChanges } = createAlertStore(database)
  let listener: (() => void) | null = null
  return {
    store: addChanges,
    stored: () => listener?.(),
    connect(onStored) {
      listener = onStored
    },
  }
}
