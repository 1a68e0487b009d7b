import type { BackupHeader } from './format.ts'
import { BackupDamaged, readBackup } from './read-backup.ts'

/** The rows of a table. Equal rows have equal digests, in whatever order the database gives them. */
export interface TableDigest {
  readonly rows: number
  readonly digest: string
}

export interface BackupDigests {
  readonly header: BackupHeader
  /** By table, in the order of the header. */
  readonly tables: ReadonlyMap<string, TableDigest>
}

const lineBreak = 0x0a

/** Reads a backup to its end, and returns the digest of each table. Throws `BackupDamaged`. */
export async function digestBackup(source: AsyncIterable<Uint8Array>): Promise<BackupDigests> {
  let header: BackupHeader | null = null
  const sums = new Map<string, { rows: number; sum: Uint32Array }>()
  for await (const piece of readBackup(source)) {
    if (piece.kind === 'header') {
      header = piece.header
      for (const { name } of piece.header.tables) sums.set(name, { rows: 0, sum: new Uint32Array(8) })
    }
    if (piece.kind !== 'rows') continue
    const table = sums.get(piece.table)
    if (table === undefined) throw new BackupDamaged('has rows of a table that it does not name')
    table.rows += piece.count
    addRows(table.sum, piece.bytes)
  }
  if (header === null) throw new BackupDamaged('has no header')
  const tables = [...sums].map(([name, { rows, sum }]) => [name, { rows, digest: hexOf(sum) }] as const)
  return { header, tables: new Map(tables) }
}

/** Adds the SHA-256 of each row, a line, to the sum, word by word: a sum does not depend on the order. */
function addRows(sum: Uint32Array, bytes: Uint8Array): void {
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(lineBreak, start)
    const end = found < 0 ? bytes.length : found
    const hash = new Bun.CryptoHasher('sha256').update(bytes.subarray(start, end)).digest()
    for (let word = 0; word < sum.length; word++) sum[word] = (sum[word] ?? 0) + hash.readUInt32LE(word * 4)
    start = end + 1
  }
}

const hexOf = (sum: Uint32Array): string => Buffer.from(sum.buffer).toString('hex')
