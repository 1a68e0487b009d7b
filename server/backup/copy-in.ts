import type { Sql } from '../platform/database.ts'
import { nextTurn } from '../platform/turns.ts'
import type { TableShape } from './format.ts'
import { nameList } from './text-form.ts'

/** A COPY of rows into one table. */
export interface CopyIn {
  /** Resolves when the connection has room for more. */
  write(bytes: Uint8Array): Promise<void>
  /** Resolves when all rows are stored. Throws when PostgreSQL refused one. */
  finish(): Promise<void>
}

/** Begins to copy rows, in the COPY text format, into a table. Until `finish` the connection takes no other statement. */
export async function copyInto(sql: Sql, { name, columns }: TableShape): Promise<CopyIn> {
  const stream = await sql.unsafe(`COPY "${name}" (${nameList(columns)}) FROM STDIN`).writable()
  const failed = Promise.withResolvers<never>()
  stream.on('error', failed.reject)
  // The next `write` or `finish` rejects with it; an error between two writes must not end the process.
  failed.promise.catch(() => undefined)
  const done = new Promise<void>((resolve) => stream.once('finish', resolve))

  return {
    async write(bytes) {
      const { promise: written, resolve, reject } = Promise.withResolvers<void>()
      stream.write(bytes, (error) => (error ? reject(error) : resolve()))
      await Promise.race([written, failed.promise])
    },
    async finish() {
      stream.end()
      // The end is sent in this turn of the event loop or the next; a statement before it would be taken for rows.
      await nextTurn()
      await Promise.race([done, failed.promise, refusal(sql, name)])
    },
  }
}

/**
 * Rejects when PostgreSQL refused the rows. postgres.js 3.4.9 does not report an error that comes after the end of the
 * rows: its stream never finishes. The next statement fails then, because the transaction has.
 */
async function refusal(sql: Sql, table: string): Promise<void> {
  try {
    await sql`SELECT`
  } catch (error) {
    throw new Error(`PostgreSQL refused rows of ${table}`, { cause: error })
  }
}
