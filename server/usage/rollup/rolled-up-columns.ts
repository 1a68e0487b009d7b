import type { Sql } from '../../platform/database.ts'
import { hourPartStarts } from '../hour-parts.ts'

/*
 * What the statements of a roll-up have in common. Rows of five minutes, hours and days have the same columns. `level` is 0
 * for a method of a key, 1 for a key, 2 for a method of an account, and 3 for an account.
 */

export const rolledUpColumns = (sql: Sql) => sql`
  account_id, level, key_id, bucket, endpoint, method, requests, credits, ok, errors, rate_limited, credit_limited, cached,
  unanswered, bytes_in, bytes_out, latencies, last_used_at`

export const sums = (sql: Sql) => sql`
  sum(requests), sum(credits), sum(ok), sum(errors), sum(rate_limited), sum(credit_limited), sum(cached),
  sum(unanswered), sum(bytes_in), sum(bytes_out), sum(latencies), max(last_used_at)`

type Fragment = ReturnType<typeof sums>

/** The beginning of the row of an hour: hours in which a day begins somewhere are divided there (`../hour-parts.ts`). */
export const partOfHour = (sql: Sql, bucket: Fragment) => sql`
  (date_trunc('day', ${bucket}, 'UTC') + interval '1 minute' *
    (${hourPartStarts}::int[])[1 + extract(epoch FROM ${bucket} - date_trunc('day', ${bucket}, 'UTC'))::int / 900])`

/** Adds to rows that are there: of five minutes that were moved in several parts, and of units that were closed before. */
export const adding = (sql: Sql) => sql`
  ON CONFLICT (account_id, level, key_id, bucket, endpoint, method) DO UPDATE SET
    requests = kept.requests + excluded.requests,
    credits = kept.credits + excluded.credits,
    ok = kept.ok + excluded.ok,
    errors = kept.errors + excluded.errors,
    rate_limited = kept.rate_limited + excluded.rate_limited,
    credit_limited = kept.credit_limited + excluded.credit_limited,
    cached = kept.cached + excluded.cached,
    unanswered = kept.unanswered + excluded.unanswered,
    bytes_in = kept.bytes_in + excluded.bytes_in,
    bytes_out = kept.bytes_out + excluded.bytes_out,
    latencies = kept.latencies + excluded.latencies,
    last_used_at = greatest(kept.last_used_at, excluded.last_used_at)`
