import * as z from 'zod/mini'

/*
 * A backup is a series of records, each a line of JSON. A `rows` record is followed by as many bytes as it says:
 * whole lines of PostgreSQL's COPY text format (PostgreSQL manual, COPY, "Text Format"), UTF-8. The last record is
 * `end`, which holds the SHA-256 of everything before its line; or `failed`, when the server had to give up.
 */

export const formatVersion = 1

const SqlName = z.string().check(z.regex(/^[a-z_][a-z0-9_]{0,62}$/))
const count = z.int().check(z.minimum(0))

/** The newest migration of a database; `madeAt` in epoch ms. */
export const MigrationVersion = z.object({ madeAt: count, hash: z.string().check(z.minLength(1)) })
export type MigrationVersion = z.infer<typeof MigrationVersion>

/** A table with its columns in the order of the rows. */
export const TableShape = z.object({ name: SqlName, columns: z.array(SqlName).check(z.minLength(1)) })
export type TableShape = z.infer<typeof TableShape>

/** A partition by time; its bounds are text as PostgreSQL writes them in UTC, for instance `2026-01-31 00:00:00+00`. */
const instant = z.string().check(z.regex(/^\d{4,6}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\+00$/))
export const Partition = z.object({ name: SqlName, table: SqlName, from: instant, to: instant })
export type Partition = z.infer<typeof Partition>

export const BackupHeader = z.object({
  kind: z.literal('gatehouse-backup'),
  version: z.literal(formatVersion),
  createdAt: count, // epoch ms
  migration: MigrationVersion,
  tables: z.array(TableShape),
  partitions: z.array(Partition),
})
export type BackupHeader = z.infer<typeof BackupHeader>

export const RowsRecord = z.object({ kind: z.literal('rows'), table: SqlName, bytes: count, count })
export type RowsRecord = z.infer<typeof RowsRecord>

/** Number of rows by table. */
export const RowCounts = z.record(z.string(), count)
export type RowCounts = z.infer<typeof RowCounts>

export const EndRecord = z.object({ kind: z.literal('end'), rows: RowCounts, sha256: z.string() })
export const FailedRecord = z.object({ kind: z.literal('failed'), reason: z.string() })

/** A record that may follow the header. */
export const BodyRecord = z.discriminatedUnion('kind', [RowsRecord, EndRecord, FailedRecord])

/** Returns a record as its line of the file. */
export const recordLine = (
  record: BackupHeader | RowsRecord | z.infer<typeof EndRecord> | z.infer<typeof FailedRecord>,
): Uint8Array => new TextEncoder().encode(`${JSON.stringify(record)}\n`)
