import type { Database } from '../platform/database.ts'
import { Fault } from '../platform/fault.ts'
import type { Log } from '../platform/log.ts'
import { dumpDatabase } from './dump.ts'
import type { Sink } from './dump.ts'
import { recordLine } from './format.ts'

export type Backup = ReturnType<typeof createBackup>

/** Backups of the database while the server goes on. Restoring needs it stopped: see `restore.ts`. */
export function createBackup(database: Database, now: () => number, log: Log) {
  async function write(sink: Sink): Promise<void> {
    try {
      const isWhole = await dumpDatabase(database, Math.floor(now()), sink)
      log.info(isWhole ? 'a backup was made' : 'whoever asked for a backup left before its end')
    } catch (error) {
      log.error('a backup was not finished', { error })
      const reason =
        error instanceof Fault ? error.message : 'something went wrong on the server; its log says what'
      await sink(recordLine({ kind: 'failed', reason }))
    }
  }

  return {
    /** The bytes of a backup, made as fast as they are read. Ends with a `failed` record when it cannot go on. */
    stream(): ReadableStream<Uint8Array> {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const writer = writable.getWriter()
      const sink: Sink = (bytes) =>
        writer.write(bytes).then(
          () => true,
          () => false, // the reader has left
        )
      void write(sink).finally(() => writer.close().catch(() => undefined))
      return readable
    },
  }
}
