/**
 * Backups of the database while the server is running, and their restore while it is stopped.
 *
 * Backup: the control socket streams `createBackup(…).stream()` to `gatehouse backup`.
 *  1. `dump.ts` opens one REPEATABLE READ snapshot, so that all tables are of one moment, and copies each table of
 *     `tables.ts` out with PostgreSQL's COPY in the settings of `text-form.ts`.
 *  2. `format.ts` frames the rows: lines of JSON, then a checksum. Nothing is written faster than it is read.
 * Restore: `restore.ts`, called by `gatehouse restore`.
 *  1. `read-backup.ts` reads the whole file first and checks its checksum and row counts (`byte-reader.ts` splits it).
 *  2. `inventory.ts` compares migrations and columns, counts existing rows, and moves sequences on.
 *  3. `copy-in.ts` copies the rows in, in one transaction: either everything is replaced or nothing is changed.
 *
 * Verification: `verify-backup.ts`, called by `gatehouse backup verify`, restores a file into a scratch database
 * (`platform/postgres/scratch-database.ts`) and compares every table by `table-digests.ts`.
 * Schedule: `scheduled-backups.ts` writes files of `backup-file.ts` into a folder, and deletes the oldest.
 *
 * Failure: a backup that cannot be finished ends with a `failed` record, so that a truncated file is never taken for a
 * whole one. A file that is not sound throws `BackupDamaged` before the database is changed. Nothing is restored while
 * processes use the database, or when the master keys at hand do not open the secrets of the backup.
 *
 * Limitations: a backup is restored only into the version of Gatehouse that made it. Secrets in it stay sealed with the
 * master key, which is not part of it. The log of migrations is not dumped; the header names the newest.
 */

import type { Database } from '../platform/database.ts'
import { Fault } from '../platform/fault.ts'
import type { Log } from '../platform/log.ts'
import { type BackupSink, dumpDatabase } from './dump.ts'
import { recordLine } from './format.ts'

export type Backup = ReturnType<typeof createBackup>

/** Creates backups of the database; `now` returns epoch ms. */
export function createBackup(database: Database, now: () => number, log: Log) {
  async function write(sink: BackupSink): Promise<void> {
    try {
      const isWhole = await dumpDatabase(database, Math.floor(now()), sink)
      log.info(isWhole ? 'a backup was made' : 'the client of a backup disconnected before its end')
    } catch (error) {
      log.error('a backup was not finished', { error })
      const reason =
        error instanceof Fault ? error.message : 'something went wrong on the server; its log says what'
      await sink(recordLine({ kind: 'failed', reason }))
    }
  }

  return {
    /** Streams a backup at the pace of its reader. The stream ends with a `failed` record when the dump fails. */
    stream(): ReadableStream<Uint8Array> {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const writer = writable.getWriter()
      const sink: BackupSink = (bytes) =>
        writer.write(bytes).then(
          () => true,
          () => false, // the reader has left
        )
      void write(sink).finally(() => writer.close().catch(() => undefined))
      return readable
    },
  }
}
