import type postgres from 'postgres'
import { systemClock } from '../clock.ts'
import type { Generation, TransactionSql } from './connections.ts'
import { DeadlinePassed } from '../deadline.ts'

/** For the driver, once it must do nothing more: it neither commits nor rolls back then. */
const never = new Promise<never>(() => undefined)

/**
 * Runs work in a transaction that the server rolls back after `deadlineMs`.
 *
 * postgres.js 3.4.9 sends whatever is asked of a transaction, its own `rollback` included, to a connection that
 * is already closed. The write happens later, on a socket that is null (`nextWrite` in its connection.js), and the
 * TypeError belongs to nobody: it ends the process (porsager/postgres#1208); or the connection has been opened
 * anew, and the statement is done outside any transaction (#1155). So once a connection was lost, nothing may
 * reach the driver.
 *
 * @throws DeadlinePassed when the work is late; what the work throws; the driver's error when the server is away.
 */
export async function runTransaction<T>(
  generation: Generation,
  work: (sql: TransactionSql) => Promise<T>,
  deadlineMs: number,
): Promise<T> {
  const startedAt = systemClock.monotonic()
  const abandoned = Promise.withResolvers<never>()
  const transact = async (driverSql: postgres.TransactionSql): Promise<{ value: T }> => {
    try {
      const sql = refusingOnceLost(driverSql, generation)
      const limit = String(Math.ceil(deadlineMs))
      await sql`
        select set_config('statement_timeout', ${limit}, true),
          set_config('idle_in_transaction_session_timeout', ${limit}, true)`
      const value = await work(sql)
      if (systemClock.monotonic() - startedAt >= deadlineMs) throw new DeadlinePassed(deadlineMs)
      refuseIfLost(generation)
      return { value }
    } catch (error) {
      if (!generation.isLost) throw error
      abandoned.reject(error)
      return never
    }
  }
  // Wrapped in an object: the driver's type for arrays of promises does not fit a generic result.
  const { value } = await Promise.race([generation.pool.begin(transact), abandoned.promise])
  return value
}

function refusingOnceLost(sql: postgres.TransactionSql, generation: Generation): TransactionSql {
  return new Proxy(sql, {
    apply(target, thisValue, args) {
      refuseIfLost(generation)
      return Reflect.apply(target, thisValue, args)
    },
    get(target, name, receiver) {
      refuseIfLost(generation)
      return Reflect.get(target, name, receiver)
    },
  })
}

function refuseIfLost(generation: Generation): void {
  if (!generation.isLost) return
  throw Object.assign(new Error('the connection of this transaction was lost'), { code: 'CONNECTION_CLOSED' })
}
