import type { Database, TransactionSql } from '../database.ts'

/** An answer that is given again when its request is repeated. */
export interface KeptAnswer {
  readonly requestHash: string
  readonly sealedAnswer: string
}

/** Kept answers in PostgreSQL. Instants are epoch ms. */
export interface AnswerStore {
  /** False while another transaction has claimed the same id. Holds until the transaction ends. */
  claim(sql: TransactionSql, id: string): Promise<boolean>
  /** Claims it once no other transaction has. */
  waitAndClaim(sql: TransactionSql, id: string): Promise<void>
  find(sql: TransactionSql, id: string, newerThan: number): Promise<KeptAnswer | null>
  keep(sql: TransactionSql, id: string, answer: KeptAnswer, now: number): Promise<void>
  remove(sql: TransactionSql, id: string): Promise<void>
  removeOlder(than: number): Promise<void>
}

export function createAnswerStore(database: Database): AnswerStore {
  return {
    async claim(sql, id) {
      const [row] = await sql<{ claimed: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(hashtextextended(${id}, 0)) AS claimed`
      return row?.claimed === true
    },
    async waitAndClaim(sql, id) {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${id}, 0))`
    },
    async find(sql, id, newerThan) {
      const [row] = await sql<KeptAnswer[]>`
        SELECT request_hash AS "requestHash", answer_sealed AS "sealedAnswer" FROM query_key_answers
        WHERE id = ${id} AND created_at > ${new Date(newerThan)}`
      return row ?? null
    },
    async keep(sql, id, { requestHash, sealedAnswer }, now) {
      await sql`
        INSERT INTO query_key_answers (id, request_hash, answer_sealed, created_at)
        VALUES (${id}, ${requestHash}, ${sealedAnswer}, ${new Date(now)})
        ON CONFLICT (id) DO UPDATE SET request_hash = excluded.request_hash,
          answer_sealed = excluded.answer_sealed, created_at = excluded.created_at`
    },
    async remove(sql, id) {
      await sql`DELETE FROM query_key_answers WHERE id = ${id}`
    },
    async removeOlder(than) {
      await database.run((sql) => sql`DELETE FROM query_key_answers WHERE created_at <= ${new Date(than)}`)
    },
  }
}
