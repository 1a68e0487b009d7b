import type { Family } from '../../../shared/chains.ts'
import type { Database, Sql, TransactionSql } from '../../platform/database.ts'
import type { Verifier } from './verifier.ts'

export interface VerifierStore {
  load(): Promise<Verifier[]>
  insert(verifier: Verifier): Promise<void>
  /** Uses up a token for a verifier, both or neither: two callers with one token cannot both succeed. */
  enroll(
    tokenHash: string,
    verifier: Verifier,
    now: number,
  ): Promise<'enrolled' | 'token_invalid' | 'key_taken'>
  /** Tells whether there is such a verifier. Revoking it again changes nothing. */
  revoke(id: string): Promise<boolean>
  /** Sequence numbers and last-seen instants, many at once; a lower number never replaces a higher one. */
  saveProgress(progress: readonly Pick<Verifier, 'id' | 'lastSeq' | 'lastSeenAt'>[]): Promise<void>
  saveToken(token: { tokenHash: string; label: string; expiresAt: number }): Promise<void>
}

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

export function createVerifierStore(database: Database): VerifierStore {
  return {
    async load() {
      const rows = await database.run(
        (sql) => sql<VerifierRow[]>`SELECT * FROM verifiers ORDER BY created_at`,
      )
      return rows.map(toVerifier)
    },
    insert: (verifier) => database.run((sql) => insertVerifier(sql, verifier).then(() => undefined)),
    async enroll(tokenHash, verifier, now) {
      try {
        return await database.transaction(async (sql) => {
          const tokens = await sql`
            DELETE FROM verifier_tokens WHERE token_hash = ${tokenHash} AND expires_at > ${new Date(now)} RETURNING label`
          if (tokens.length === 0) return 'token_invalid'
          await insertVerifier(sql, verifier)
          return 'enrolled'
        })
      } catch (error) {
        if (isUniqueViolation(error)) return 'key_taken'
        throw error
      }
    },
    async revoke(id) {
      const rows = await database.run(
        (sql) => sql`UPDATE verifiers SET is_revoked = true WHERE id = ${id} RETURNING id`,
      )
      return rows.length > 0
    },
    async saveProgress(progress) {
      await database.run(
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
    async saveToken({ tokenHash, label, expiresAt }) {
      await database.run(
        (sql) => sql`
          INSERT INTO verifier_tokens (token_hash, label, expires_at)
          VALUES (${tokenHash}, ${label}, ${new Date(expiresAt)})`,
      )
    },
  }
}

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23505'

const insertVerifier = (sql: Sql | TransactionSql, verifier: Verifier) => sql`
  INSERT INTO verifiers (id, name, region, public_key, families, version, is_built_in, created_at)
  VALUES (${verifier.id}, ${verifier.name}, ${verifier.region}, ${verifier.publicKey},
    ${sql.json([...verifier.families])}, ${verifier.version}, ${verifier.isBuiltIn}, ${new Date(verifier.createdAt)})`
