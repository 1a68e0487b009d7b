import type { Database, Sql, TransactionSql } from '../platform/database.ts'
import { containsText } from '../platform/postgres/contains-text.ts'
import type { KeyOwnerRow, StoredKeyRow } from './rows.ts'
import type { KeyKind, StoredKey } from './stored-key.ts'

/** One kind of keys in PostgreSQL. */
export interface KeyStore<Key extends StoredKey> {
  /** Null when the account has no such key. The row stays locked until the transaction ends. */
  lock(sql: TransactionSql, accountId: string, id: string): Promise<Key | null>
  count(sql: Sql, accountId: string): Promise<number>
  insert(sql: TransactionSql, keys: readonly SealedKey<Key>[]): Promise<void>
  /** `sealedValue` null: the value is the one it was. */
  save(sql: TransactionSql, key: Key, sealedValue: string | null): Promise<void>
  remove(sql: TransactionSql, id: string): Promise<void>
  sealedValue(sql: TransactionSql, id: string): Promise<string>
  find(accountId: string, id: string): Promise<Key | null>
  /** The newest first. */
  list(accountId: string): Promise<Key[]>
  /** The newest first, at most `limit`; null: of every account. */
  listPart(accountId: string | null, part: KeyListPart): Promise<Key[]>
  /** Those with one of these hashes of a value, be it the newest or the one before. */
  findByHashes(hashes: readonly string[], deadlineMs?: number): Promise<Key[]>
  /** Whether there are more keys than this. */
  hasMoreThan(count: number): Promise<boolean>
  /** Those that still exist. */
  findAll(ids: readonly string[]): Promise<Key[]>
  /** Keys that can be used and end in this span (epoch ms), the next one first; at most so many. */
  ending(span: { readonly from: number; readonly to: number }, limit: number): Promise<Key[]>
  /** Keys with an id behind `after`, in order of the ids; an empty page is the end. */
  page(after: string, limit: number): Promise<Key[]>
}

/** Some of an account's keys. */
export interface KeyListPart {
  /** The columns of the table that must have a value. */
  readonly equal: Readonly<Record<string, string | boolean>>
  /** A part of the name, in any case of letters. */
  readonly namePart?: string | undefined
  /** A part of the name in any case of letters, an id, or a hint. */
  readonly text?: string | undefined
  /** The last key of the page before. */
  readonly after: KeyListPosition | null
  readonly limit: number
}

export interface KeyListPosition {
  /** Epoch ms. */
  readonly createdAt: number
  readonly id: string
}

export interface SealedKey<Key extends StoredKey> {
  readonly key: Key
  readonly sealedValue: string
}

/** How a kind of keys is stored. */
export interface KeyTable<Key extends StoredKey, Row extends StoredKeyRow> {
  readonly kind: KeyKind
  /** All but the sealed value, which leaves the database only to be shown. */
  readonly columns: readonly (keyof Row & string)[]
  toKey(row: Row & KeyOwnerRow): Key
  /** What is written. A column that is left out is written by other means. */
  toRow(key: Key): Readonly<Record<string, Cell>>
}

type Cell = string | number | boolean | Date | string[] | null

/** Of the whole table: more than a page at once would hold up everything else that this process does. */
const pageDeadlineMs = 10_000

export function createKeyStore<Key extends StoredKey, Row extends StoredKeyRow>(
  database: Database,
  { kind: { table }, columns: readColumns, toKey, toRow }: KeyTable<Key, Row>,
): KeyStore<Key> {
  const columns: string[] = [...readColumns]
  const read = (sql: Sql) => sql`${sql(columns)}, ${ofOwner(sql, table)}`
  /** The type of the rows follows from the columns, which the driver's types cannot tell of a table by name. */
  const keysOf = (rows: readonly object[]): Key[] => rows.map((row) => toKey(row as Row & KeyOwnerRow))
  const firstOf = (rows: readonly object[]): Key | null => keysOf(rows.slice(0, 1))[0] ?? null

  return {
    async lock(sql, accountId, id) {
      const rows = await sql`
        SELECT ${read(sql)} FROM ${sql(table)} WHERE id = ${id} AND account_id = ${accountId} FOR UPDATE`
      return firstOf(rows)
    },
    async count(sql, accountId) {
      const [row] = await sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM ${sql(table)} WHERE account_id = ${accountId}`
      return row?.count ?? 0
    },
    async insert(sql, keys) {
      const rows = keys.map(({ key, sealedValue }) => ({ ...toRow(key), key_sealed: sealedValue }))
      await sql`INSERT INTO ${sql(table)} ${sql(rows)}`
    },
    async save(sql, key, sealedValue) {
      const row = { ...toRow(key), ...(sealedValue !== null && { key_sealed: sealedValue }) }
      await sql`UPDATE ${sql(table)} SET ${sql(row)} WHERE id = ${key.id}`
    },
    async remove(sql, id) {
      await sql`DELETE FROM ${sql(table)} WHERE id = ${id}`
    },
    async sealedValue(sql, id) {
      const [row] = await sql<{ key_sealed: string }[]>`SELECT key_sealed FROM ${sql(table)} WHERE id = ${id}`
      if (row === undefined) throw new Error('a key without a sealed value')
      return row.key_sealed
    },
    async find(accountId, id) {
      const rows = await database.run(
        (sql) => sql`SELECT ${read(sql)} FROM ${sql(table)} WHERE id = ${id} AND account_id = ${accountId}`,
      )
      return firstOf(rows)
    },
    async list(accountId) {
      const rows = await database.run(
        (sql) => sql`
          SELECT ${read(sql)} FROM ${sql(table)} WHERE account_id = ${accountId} ORDER BY created_at DESC, id`,
      )
      return keysOf(rows)
    },
    async listPart(accountId, { equal, namePart, text, after, limit }) {
      const rows = await database.run(
        (sql) => sql`
          SELECT ${read(sql)} FROM ${sql(table)} WHERE ${ofAccount(sql, accountId)}
            ${[sql``, ...Object.entries(equal).map(([column, value]) => sql`AND ${sql(column)} = ${value}`)]}
            ${namePart === undefined ? sql`` : sql`AND ${containsText(sql, sql`name`, namePart)}`}
            ${text === undefined ? sql`` : sql`AND ${fits(sql, text)}`}
            ${after === null ? sql`` : behind(sql, after)}
          ORDER BY created_at DESC, id LIMIT ${limit}`,
      )
      return keysOf(rows)
    },
    async ending({ from, to }, limit) {
      const rows = await database.run(
        (sql) => sql`
          SELECT ${read(sql)} FROM ${sql(table)}
          WHERE expires_at > ${new Date(from)} AND expires_at <= ${new Date(to)} AND is_enabled
          ORDER BY expires_at, id LIMIT ${limit}`,
      )
      return keysOf(rows)
    },
    async findByHashes(hashes, deadlineMs) {
      const rows = await database.run(
        (sql) => sql`
          SELECT ${read(sql)} FROM ${sql(table)}
          WHERE key_hash = ANY (${[...hashes]}::text[]) OR previous_key_hash = ANY (${[...hashes]}::text[])`,
        deadlineMs,
      )
      return keysOf(rows)
    },
    async hasMoreThan(count) {
      const rows = await database.run(
        (sql) => sql`SELECT FROM ${sql(table)} OFFSET ${count} LIMIT 1`,
        pageDeadlineMs,
      )
      return rows.length > 0
    },
    async findAll(ids) {
      const rows = await database.run(
        (sql) => sql`SELECT ${read(sql)} FROM ${sql(table)} WHERE id = ANY (${[...ids]}::text[])`,
        pageDeadlineMs,
      )
      return keysOf(rows)
    },
    async page(after, limit) {
      const rows = await database.run(
        (sql) => sql`SELECT ${read(sql)} FROM ${sql(table)} WHERE id > ${after} ORDER BY id LIMIT ${limit}`,
        pageDeadlineMs,
      )
      return keysOf(rows)
    },
  }
}

/** Read with every key, so that no look-up, be it of one key or of all, can miss that its account is disabled or deleted, or its plan. */
const ofOwner = (sql: Sql, table: KeyKind['table']) => sql`
  (SELECT owner.state IN ('disabled', 'deleted') FROM accounts owner WHERE owner.id = ${sql(table)}.account_id) AS is_suspended,
  (SELECT owner.plan FROM accounts owner WHERE owner.id = ${sql(table)}.account_id) AS owner_plan`

const ofAccount = (sql: Sql, accountId: string | null) =>
  accountId === null ? sql`true` : sql`account_id = ${accountId}`

const fits = (sql: Sql, text: string) =>
  sql`(${containsText(sql, sql`name`, text)} OR id = ${text} OR hint = ${text} OR previous_hint = ${text})`

/** The ids of all keys of an account. */
export async function keyIdsOf(sql: Sql, table: KeyKind['table'], accountId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`SELECT id FROM ${sql(table)} WHERE account_id = ${accountId}`
  return rows.map(({ id }) => id)
}

/** The ids of the query keys of all accounts that have a plan. */
export async function keyIdsOfPlan(sql: Sql, plan: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    SELECT k.id FROM query_keys k JOIN accounts a ON a.id = k.account_id WHERE a.plan = ${plan}`
  return rows.map(({ id }) => id)
}

/** Deletes all keys of accounts, and returns their ids. */
export async function removeKeysOf(
  sql: TransactionSql,
  table: KeyKind['table'],
  accountIds: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    DELETE FROM ${sql(table)} WHERE account_id = ANY (${[...accountIds]}::text[]) RETURNING id`
  return rows.map(({ id }) => id)
}

const behind = (sql: Sql, { createdAt, id }: KeyListPosition) =>
  sql`AND (created_at < ${new Date(createdAt)} OR (created_at = ${new Date(createdAt)} AND id > ${id}))`
