import type { Database, TransactionSql } from '../database.ts'

/** What somebody may own: the part `shard` of a kind of work. */
export interface LeaseName {
  readonly name: string
  readonly shard: number
}

/** Who owns it. Each holder after another has a higher epoch. */
export interface HeldLease {
  readonly holder: string
  readonly epoch: number
}

/** What the database says of a lease. */
export interface LeaseAnswer extends HeldLease {
  /** How long (ms) it still lasted when the database answered. */
  readonly leftMs: number
  /** Epoch ms by the clock of the database. */
  readonly databaseTime: number
}

/** Work was to be stored under a lease that somebody else has by now. Nothing of it was stored. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export interface LeaseStore {
  /**
   * Takes a lease that nobody has, or renews that of `epoch`, by the clock of the database. Resolves to who has it then, or
   * to null where somebody else was about to take it. `known` is the highest epoch that was heard of: a database that lost it
   * in a failover does not give it to somebody else.
   */
  claim(lease: LeaseName, holder: string, epoch: number | null, known?: number): Promise<LeaseAnswer | null>
  /** Resolves to who has a lease, or had it last; to null where nobody ever did. */
  read(lease: LeaseName): Promise<LeaseAnswer | null>
  /** Lets others take the lease at once. */
  release(lease: LeaseName, held: HeldLease): Promise<void>
}

const lastsSec = 3
/** Shorter than a renewal may be late, so that a statement that hangs does not cost the lease. */
const deadlineMs = 1_500

export function createLeaseStore(database: Database): LeaseStore {
  return {
    async claim({ name, shard }, holder, epoch, known = 0) {
      const [row] = await database.run(
        (sql) => sql<LeaseAnswer[]>`
          WITH claimed AS (
            INSERT INTO leases AS held (name, shard, holder, epoch, expires_at)
            VALUES (${name}, ${shard}, ${holder}, ${known}::bigint + 1, now() + make_interval(secs => ${lastsSec}))
            ON CONFLICT (name, shard) DO UPDATE SET
              epoch = CASE WHEN held.holder = excluded.holder AND held.epoch = ${epoch} THEN held.epoch
                ELSE greatest(held.epoch + 1, excluded.epoch) END,
              holder = excluded.holder, expires_at = excluded.expires_at
            WHERE held.expires_at <= now() OR (held.holder = excluded.holder AND held.epoch = ${epoch})
            RETURNING holder, epoch, expires_at)
          SELECT holder, epoch::float8 AS epoch, ${leftMs(sql)}, ${databaseTime(sql)} FROM claimed
          UNION ALL
          SELECT holder, epoch::float8 AS epoch, ${leftMs(sql)}, ${databaseTime(sql)} FROM leases
          WHERE name = ${name} AND shard = ${shard} AND NOT EXISTS (SELECT FROM claimed)`,
        deadlineMs,
      )
      return row ?? null
    },
    async read({ name, shard }) {
      const [row] = await database.run(
        (sql) => sql<LeaseAnswer[]>`
          SELECT holder, epoch::float8 AS epoch, ${leftMs(sql)}, ${databaseTime(sql)} FROM leases
          WHERE name = ${name} AND shard = ${shard}`,
        deadlineMs,
      )
      return row ?? null
    },
    async release({ name, shard }, { holder, epoch }) {
      await database.run(
        (sql) => sql`
          UPDATE leases SET expires_at = now()
          WHERE name = ${name} AND shard = ${shard} AND holder = ${holder} AND epoch = ${epoch}`,
        deadlineMs,
      )
    },
  }
}

const leftMs = (sql: Database['sql']) =>
  sql`(extract(epoch FROM expires_at - now()) * 1000)::float8 AS "leftMs"`
const databaseTime = (sql: Database['sql']) =>
  sql`(extract(epoch FROM now()) * 1000)::float8 AS "databaseTime"`

/**
 * Rolls the transaction back with `LeaseLost` when somebody else has the lease. It belongs at the end of a transaction: until
 * the commit nobody can take or renew the lease, so that of two holders the one with the higher epoch writes last.
 */
export async function requireLease(
  sql: TransactionSql,
  { name, shard }: LeaseName,
  { holder, epoch }: HeldLease,
): Promise<void> {
  const held = await sql`
    SELECT FROM leases
    WHERE name = ${name} AND shard = ${shard} AND holder = ${holder} AND epoch = ${epoch} FOR SHARE`
  if (held.length === 0) throw new LeaseLost('another process has taken over')
}
