import type { Database } from '../../server/platform/database.ts'
import { makePartitions } from '../../server/platform/postgres/partitions.ts'

export interface PastUse {
  readonly accountId: string
  readonly keyId: string
  readonly endpoint: string
  readonly method: string
  /** Epoch ms. */
  readonly at: number
  readonly requests: number
}

/**
 * Calls as another process of the installation has counted and closed them: one in ten an error, 26 credits each. Needs
 * the database, where alone a past can be made.
 */
export async function makePastUsage(database: Database, uses: readonly PastUse[]): Promise<void> {
  await database.transaction(async (sql) => {
    await sql`
      INSERT INTO usage_writers (id, started_at, final_before) VALUES ('writer_past', now(), 'infinity')
      ON CONFLICT DO NOTHING`
    await makePartitions(
      sql,
      'usage_minutes',
      uses.map(({ at }) => at),
    )
    await sql`
      INSERT INTO usage_minutes
      SELECT account_id, date_trunc('minute', to_timestamp(at / 1000)), key_id, endpoint, method, 'writer_past', requests,
        requests * 26, 0, requests - floor(requests / 10), floor(requests / 10), 0, 0, requests * 120, requests * 300,
        requests * power(10::numeric, 16 * 12)
      FROM unnest(${uses.map((use) => use.accountId)}::text[], ${uses.map((use) => use.at)}::float8[],
        ${uses.map((use) => use.keyId)}::text[], ${uses.map((use) => use.endpoint)}::text[],
        ${uses.map((use) => use.method)}::text[], ${uses.map((use) => use.requests)}::float8[])
        AS past (account_id, at, key_id, endpoint, method, requests)`
    await sql`
      INSERT INTO usage_keys (id, account_id, endpoint, last_used_at)
      SELECT key_id, account_id, endpoint, to_timestamp(max(at) / 1000)
      FROM unnest(${uses.map((use) => use.accountId)}::text[], ${uses.map((use) => use.at)}::float8[],
        ${uses.map((use) => use.keyId)}::text[], ${uses.map((use) => use.endpoint)}::text[])
        AS past (account_id, at, key_id, endpoint)
      GROUP BY key_id, account_id, endpoint
      ON CONFLICT (id) DO UPDATE SET last_used_at = greatest(usage_keys.last_used_at, excluded.last_used_at)`
  }, 30_000)
}
