import type { Family } from '../../../shared/chains.ts'
import type { Database, Sql, TransactionSql } from '../../platform/database.ts'
import type { RecordChange } from '../audit-entry.ts'
import type { Verifier } from './verifier.ts'

export interface VerifierStore {
  load(): Promise<Verifier[]>
  some(ids: readonly string[]): Promise<Verifier[]>
  insert(verifier: Verifier): Promise<void>
  /**
   * Uses a token and stores the verifier: two callers with one token cannot both succeed. `record` gets the label of the
   * token. Where the key is enrolled already, it throws an error for which `isTakenKey` is true.
   */
  enroll(
    sql: TransactionSql,
    tokenHash: string,
    verifier: Verifier,
    now: number,
    record: RecordChange<string>,
  ): Promise<'enrolled' | 'token_invalid'>
  revoke(sql: TransactionSql, id: string): Promise<'revoked' | 'was_revoked' | 'built_in' | 'unknown'>
  /** Stores sequence numbers and last-seen instants of many verifiers. A lower number never replaces a higher one. */
  saveProgress(progress: readonly Pick<Verifier, 'id' | 'lastSeq' | 'lastSeenAt'>[]): Promise<void>
  saveToken(sql: TransactionSql, token: StoredToken): Promise<void>
  /** Resolves to the tokens that can still be used, the newest first. */
  tokens(now: number): Promise<StoredToken[]>
  /** Removes the token whose hash begins with `prefix`. Resolves to its label, or to null where there is none. */
  removeToken(sql: TransactionSql, prefix: string): Promise<string | null>
}

/** A token for enrolment; `expiresAt` in epoch ms. */
export interface StoredToken {
  readonly tokenHash: string
  readonly label: string
  readonly expiresAt: number
}

/** The most tokens that a list shows. */
const maxTokens = 200

interface VerifierRow {
  id: string
  name: string
  region: string
  public_key: string
  families: Family[]
  version: string
  is_built_in: boolean
  is_revoked: boolean
  last_seq: string
  last_seen_at: Date | null
  created_at: Date
}

const toVerifier = (row: VerifierRow): Verifier => ({
  id: row.id,
  name: row.name,
  region: row.region,
  publicKey: row.public_key,
  families: row.families,
  version: row.version,
  isBuiltIn: row.is_built_in,
  isRevoked: row.is_revoked,
  lastSeq: Number(row.last_seq),
  lastSeenAt: row.last_seen_at?.getTime() ?? null,
  createdAt: row.created_at.getTime(),
})

/** `transaction` may refuse to store progress where another process takes reports by now. */
export function createVerifierStore(
  database: Database,
  transaction: Database['transaction'] = database.transaction,
): VerifierStore {
  return {
    async load() {
      const rows = await database.run(
        (sql) => sql<VerifierRow[]>`SELECT * FROM verifiers ORDER BY created_at`,
      )
      return rows.map(toVerifier)
    },
    insert: (verifier) => database.run((sql) => insertVerifier(sql, verifier).then(() => undefined)),
    async some(ids) {
      const rows = await database.run(
        (sql) => sql<VerifierRow[]>`SELECT * FROM verifiers WHERE id = ANY(${[...ids]})`,
      )
      return rows.map(toVerifier)
    },
    async enroll(sql, tokenHash, verifier, now, record) {
      const [token] = await sql<{ label: string }[]>`
        DELETE FROM verifier_tokens WHERE token_hash = ${tokenHash} AND expires_at > ${new Date(now)} RETURNING label`
      if (token === undefined) return 'token_invalid'
      await insertVerifier(sql, verifier)
      await record(sql, token.label)
      return 'enrolled'
    },
    async revoke(sql, id) {
      const [row] = await sql<{ is_revoked: boolean; is_built_in: boolean }[]>`
        SELECT is_revoked, is_built_in FROM verifiers WHERE id = ${id} FOR UPDATE`
      if (row === undefined) return 'unknown'
      if (row.is_built_in) return 'built_in'
      if (row.is_revoked) return 'was_revoked'
      await sql`UPDATE verifiers SET is_revoked = true WHERE id = ${id}`
      return 'revoked'
    },
    async saveProgress(progress) {
      await transaction(
        (sql) => sql`
          UPDATE verifiers SET last_seq = greatest(last_seq, fresh.seq), last_seen_at = to_timestamp(fresh.seen / 1000)
          FROM unnest(
            ${progress.map((row) => row.id)}::text[],
            ${progress.map((row) => row.lastSeq)}::bigint[],
            ${progress.map((row) => row.lastSeenAt)}::float8[]
          ) AS fresh (id, seq, seen)
          WHERE verifiers.id = fresh.id`,
      )
    },
    async saveToken(sql, { tokenHash, label, expiresAt }) {
      await sql`
        INSERT INTO verifier_tokens (token_hash, label, expires_at)
        VALUES (${tokenHash}, ${label}, ${new Date(expiresAt)})`
    },
    async tokens(now) {
      const rows = await database.run(
        (sql) => sql<{ token_hash: string; label: string; expires_at: Date }[]>`
          SELECT token_hash, label, expires_at FROM verifier_tokens
          WHERE expires_at > ${new Date(now)} ORDER BY expires_at DESC LIMIT ${maxTokens}`,
      )
      return rows.map((row) => ({
        tokenHash: row.token_hash,
        label: row.label,
        expiresAt: row.expires_at.getTime(),
      }))
    },
    async removeToken(sql, prefix) {
      const [row] = await sql<{ label: string }[]>`
        DELETE FROM verifier_tokens WHERE starts_with(token_hash, ${prefix}) RETURNING label`
      return row?.label ?? null
    },
  }
}

/** Returns whether an error is the unique violation of a public key, and of no other column that the transaction writes. */
export const isTakenKey = (error: unknown): boolean =>
  error instanceof Error &&
  'constraint_name' in error &&
  error.constraint_name === 'verifiers_public_key_unique'

const insertVerifier = (sql: Sql | TransactionSql, verifier: Verifier) => sql`
  INSERT INTO verifiers (id, name, region, public_key, families, version, is_built_in, created_at)
  VALUES (${verifier.id}, ${verifier.name}, ${verifier.region}, ${verifier.publicKey},
    ${sql.json([...verifier.families])}, ${verifier.version}, ${verifier.isBuiltIn}, ${new Date(verifier.createdAt)})`
