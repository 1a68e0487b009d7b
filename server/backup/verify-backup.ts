import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { missingKeyIds } from '../platform/master-keys.ts'
import { createBackup } from './backup.ts'
import type { BackupHeader } from './format.ts'
import { type Restoration, restoreDatabase } from './restore.ts'
import { type TableDigest, digestBackup } from './table-digests.ts'

/** A table that did not come back as it was. */
export interface ChangedTable {
  readonly table: string
  readonly backup: TableDigest
  readonly restored: TableDigest | null
}

export type BackupVerification =
  | {
      readonly kind: 'verified'
      readonly header: BackupHeader
      readonly tables: ReadonlyMap<string, TableDigest>
      /** Master keys that its secrets need, and that are not there. */
      readonly missingKeyIds: readonly string[]
    }
  | { readonly kind: 'changed'; readonly tables: readonly ChangedTable[] }
  | Exclude<Restoration, { kind: 'restored' }>

interface VerifyOptions {
  /** An empty database with our tables, which is thrown away afterwards. */
  readonly scratch: Database
  /** Reads the backup from its beginning. */
  readonly read: () => AsyncIterable<Uint8Array>
  /** Ids of the master keys that there are. */
  readonly keyIds: readonly string[]
  readonly now: () => number
  readonly log: Log
  readonly onLoaded: (table: string, count: number) => void
}

/**
 * Restores a backup into a scratch database, and compares every table with the file: the number of rows, and a digest of
 * them. Throws `BackupDamaged`, and what the database throws.
 */
export async function verifyBackup(options: VerifyOptions): Promise<BackupVerification> {
  const { scratch, read, keyIds, now, log, onLoaded } = options
  const { header, tables } = await digestBackup(read())
  const restoration = await restoreDatabase({
    database: scratch,
    header,
    source: read(),
    replaces: false,
    keyIds: null,
    onLoaded,
  })
  if (restoration.kind !== 'restored') return restoration
  const restored = await digestBackup(createBackup(scratch, now, log).stream())
  const changed = [...tables].flatMap(([table, backup]): ChangedTable[] => {
    const back = restored.tables.get(table) ?? null
    const isSame = back?.rows === backup.rows && back.digest === backup.digest
    return isSame ? [] : [{ table, backup, restored: back }]
  })
  if (changed.length > 0) return { kind: 'changed', tables: changed }
  return {
    kind: 'verified',
    header,
    tables,
    missingKeyIds: await scratch.run((sql) => missingKeyIds(sql, keyIds)),
  }
}
