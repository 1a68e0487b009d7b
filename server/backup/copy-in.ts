import type { Sql } from '../platform/database.ts'
import { nextTurn } from '../platform/turns.ts'
import type { TableShape } from './format.ts'
import { nameList } from './text-form.ts'

/** Rows on their way into one table. */
export interface CopyIn {
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>
  /** Resolves when all rows are in. Throws when PostgreSQL refused one. */
  finish(): Promise<void>
}

/** Begins to copy rows, in the COPY text format, into a table. Nothing else may be asked until `finish`. */
export async function copyInto(sql: Sql, { name, columns }: TableShape): Promise<CopyIn> {
  const stream = await sql.unsafe(`COPY "${name}" (${nameList(columns)}) FROM STDIN`).writable()
  const failed = Promise.withResolvers<never>()
  stream.on('error', failed.reject)
  // Whoever waits hears of it; an error between two writes must not end the process.
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
      // The end is sent in this turn of the event loop or the next; a question before it would be taken for rows.
      await nextTurn()
      await Promise.race([done, failed.promise, refusal(sql, name)])
    },
  }
}

/**
 * postgres.js 3.4.9 tells nobody of an error that comes after the end of the rows: its stream never finishes. The
 * next statement does fail then, because the transaction has.
 */
async function refusal(sql: Sql, table: string): Promise<void> {
  try {
    await sql`SELECT`
  } catch (error) {
    throw new Error(`PostgreSQL refused rows of ${table}`, { cause: error })
  }
}
