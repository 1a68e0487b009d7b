import type { Database, Sql } from '../platform/database.ts'
import { missingKeyIds } from '../platform/master-keys.ts'
import { type CopyIn, copyInto } from './copy-in.ts'
import type { BackupHeader, MigrationVersion, Partition, RowCounts, TableShape } from './format.ts'
import { advanceSequences, countTableRows, readMigrationVersion, readShapes } from './inventory.ts'
import { BackupDamaged, readBackup } from './read-backup.ts'
import { countRunningProcesses } from './running-processes.ts'
import { ownTables } from './tables.ts'
import { longestCopyMs, nameList, settleTextForm } from './text-form.ts'

export type Restoration =
  | { readonly kind: 'restored'; readonly rows: RowCounts }
  /** The backup is of a database with other tables or columns. */
  | { readonly kind: 'other_version'; readonly backup: MigrationVersion; readonly database: MigrationVersion }
  | { readonly kind: 'not_empty'; readonly rows: RowCounts }
  /** So many processes use the database. */
  | { readonly kind: 'in_use'; readonly processes: number }
  /** Its secrets are sealed under master keys that are not there. */
  | { readonly kind: 'other_master_key'; readonly keyIds: readonly string[] }

interface RestoreOptions {
  readonly database: Database
  /** The header that `checkBackup` returned. */
  readonly header: BackupHeader
  readonly source: AsyncIterable<Uint8Array>
  /** Whether a database that is not empty may be replaced. */
  readonly replaces: boolean
  /** Ids of the master keys that there are; null: whether its secrets can be opened does not matter. */
  readonly keyIds: readonly string[] | null
  readonly onLoaded: (table: string, count: number) => void
}

/** Reads a backup to its end and returns its header. Throws `BackupDamaged`. */
export async function checkBackup(source: AsyncIterable<Uint8Array>): Promise<BackupHeader> {
  let header: BackupHeader | null = null
  for await (const piece of readBackup(source)) {
    if (piece.kind === 'header') header = piece.header
  }
  if (header === null) throw new BackupDamaged('has no header')
  return header
}

/**
 * Replaces the contents of our tables with a backup, or changes nothing. The backup is checked again on the way. Throws
 * `BackupDamaged`, and what the database throws.
 */
export async function restoreDatabase(options: RestoreOptions): Promise<Restoration> {
  const { database, header } = options
  const version = await database.run(readMigrationVersion)
  if (version.hash !== header.migration.hash) {
    return { kind: 'other_version', backup: header.migration, database: version }
  }
  await untilNobodyRuns(database)
  try {
    return await database.transaction((sql) => replaceContents(sql, options), longestCopyMs)
  } catch (error) {
    if (error instanceof MissingKeys) return { kind: 'other_master_key', keyIds: error.keyIds }
    throw error
  }
}

/** Undoes the transaction. */
class MissingKeys extends Error {
  readonly keyIds: readonly string[]

  constructor(keyIds: readonly string[]) {
    super('secrets of the backup are sealed under another master key')
    this.keyIds = keyIds
  }
}

/** A process that was killed a moment ago is gone by the end of this. */
async function untilNobodyRuns(database: Database): Promise<void> {
  for (let attempt = 0; attempt < 16; attempt++) {
    if ((await database.run(countRunningProcesses)) === 0) return
    await Bun.sleep(250)
  }
}

async function replaceContents(
  sql: Sql,
  { header, source, replaces, keyIds, onLoaded }: RestoreOptions,
): Promise<Restoration> {
  await settleTextForm(sql)
  await checkShapes(sql, header)
  // The lock comes before the counts, so that no other session adds rows after it.
  await sql.unsafe(`LOCK TABLE ${nameList(ownTables)} IN ACCESS EXCLUSIVE MODE`)
  const processes = await countRunningProcesses(sql)
  if (processes > 0) return { kind: 'in_use', processes }
  const existing = await countTableRows(sql, ownTables)
  if (Object.keys(existing).length > 0 && !replaces) return { kind: 'not_empty', rows: existing }
  await sql`SELECT set_config('gatehouse.restores_backup', 'yes', true)` // the trigger of the audit log refuses TRUNCATE otherwise
  await sql.unsafe(`TRUNCATE ${nameList(ownTables)}`)
  await makePartitions(sql, header.partitions)
  const rows = await load(sql, source, header, onLoaded)
  await advanceSequences(sql, ownTables)
  const missing = keyIds === null ? [] : await missingKeyIds(sql, keyIds)
  if (missing.length > 0) throw new MissingKeys(missing)
  return { kind: 'restored', rows }
}

/** Throws `BackupDamaged` for names that are not ours. Equal migrations make equal tables, so such a header was forged. */
async function checkShapes(sql: Sql, header: BackupHeader): Promise<void> {
  const shapes = await readShapes(sql, ownTables)
  const isFamiliar = header.partitions.every(({ table }) => shapes.some(({ name }) => name === table))
  if (!isFamiliar || !Bun.deepEquals(shapes, header.tables)) {
    throw new BackupDamaged('names other tables or columns than its version has')
  }
}

/** Creates the missing partitions of the backup. The retention job of health creates only those around today. */
async function makePartitions(sql: Sql, partitions: readonly Partition[]): Promise<void> {
  for (const { name, table, from, to } of partitions) {
    await sql.unsafe(
      `CREATE TABLE IF NOT EXISTS "${name}" PARTITION OF "${table}" FOR VALUES FROM ('${from}') TO ('${to}')`,
    )
  }
}

async function load(
  sql: Sql,
  source: AsyncIterable<Uint8Array>,
  header: BackupHeader,
  onLoaded: RestoreOptions['onLoaded'],
): Promise<RowCounts> {
  const shapes = new Map(header.tables.map((shape) => [shape.name, shape]))
  let current: { table: string; copy: CopyIn } | null = null
  for await (const piece of readBackup(source)) {
    if (piece.kind === 'header') continue
    if (current !== null && (piece.kind === 'end' || piece.table !== current.table)) {
      await current.copy.finish()
      current = null
    }
    if (piece.kind === 'end') return piece.rows
    current ??= { table: piece.table, copy: await copyInto(sql, shapeOf(shapes, piece.table)) }
    await current.copy.write(piece.bytes)
    onLoaded(piece.table, piece.count)
  }
  throw new BackupDamaged('is cut short')
}

function shapeOf(shapes: ReadonlyMap<string, TableShape>, table: string): TableShape {
  const shape = shapes.get(table)
  if (!shape) throw new BackupDamaged(`has rows of a table that it does not name, ${table}`)
  return shape
}
