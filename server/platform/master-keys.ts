/**
 * Which master keys the processes of one installation have, so that a new one can take the place of an old one while they
 * are running. Keys are known here by their ids (`vault.ts`), which tell nothing of them.
 *
 * The first key of a process seals, and all of its keys open. So a key may become the first one anywhere only when every
 * process has it, and may be taken away only when nothing is sealed under it any more:
 * 1. All processes are started again, one after the other, with `GATEHOUSE_MASTER_KEY=old,new`; then with `new,old`.
 * 2. `admitMasterKeys` is the first that a process does with its database. It refuses the start when something may be
 *    sealed under a key that the process does not have, and when a running process does not have the key that this one
 *    would seal under. All in one transaction under a lock, so that of two that start at once one sees the other.
 * 3. The table `master_keys` says under which keys something may be sealed: a key is noted there before it seals, and
 *    forgotten once `resealing.ts` has sealed everything anew, while all running processes seal under one and the same.
 * 4. Now the old key may be left out: `GATEHOUSE_MASTER_KEY=new`.
 *
 * Known limitation: a process of a version before this table is not refused, and does not say which keys it has. While
 * one is running nothing is sealed anew.
 */
import type { Clock } from './clock.ts'
import type { Database, Sql } from './database.ts'
import { presenceMs } from './internal-http/node-registry.ts'
import type { Vault } from './vault.ts'

/** The master keys of a process do not fit the database or the other processes. One sentence for the operator. */
export class MasterKeyProblem extends Error {
  override readonly name = 'MasterKeyProblem'
}

interface MasterKeyOptions {
  readonly database: Database
  readonly vault: Pick<Vault, 'keyIds'>
  readonly nodeId: string
}

interface AdmissionOptions extends MasterKeyOptions {
  readonly clock: Pick<Clock, 'monotonic'>
  /** False when there can be no other process. */
  readonly hasOthers: boolean
}

/** Key of the lock: "keys" in ASCII. */
const lockKey = 0x6b657973
/** A process that was killed a moment ago is gone by then. */
const patienceMs = presenceMs + 1_000
const askAgainMs = 250

const order =
  'to change the master key, start every process with GATEHOUSE_MASTER_KEY=old,new first, then every one with new,old, ' +
  'and leave the old one out when the log says that everything is sealed anew'

/** Waits a moment for processes that were just killed. Throws MasterKeyProblem. */
export async function admitMasterKeys(options: AdmissionOptions): Promise<void> {
  const { database, clock, vault } = options
  const givesUpAt = clock.monotonic() + patienceMs
  for (;;) {
    const without = await database.transaction((sql) => tryToAdmit(sql, options))
    if (without === 0) return
    if (clock.monotonic() >= givesUpAt) {
      throw new MasterKeyProblem(
        `${without} running ${without === 1 ? 'process does' : 'processes do'} not have the master key ` +
          `${vault.keyIds[0]}, under which this one would seal: ${order}`,
      )
    }
    await Bun.sleep(askAgainMs)
  }
}

/** Returns how many running processes lack the first key; when none does, this process is noted as one of them. */
async function tryToAdmit(sql: Sql, { vault, nodeId, hasOthers }: AdmissionOptions): Promise<number> {
  const { keyIds } = vault
  await sql`SELECT pg_advisory_xact_lock(${lockKey})`
  const used = await usedKeyIds(sql)
  const lacking = used.needed.filter((id) => !keyIds.includes(id))
  if (lacking.length > 0) {
    throw new MasterKeyProblem(
      `secrets in the database are sealed under the master key ${lacking.join(', ')}, which this process does not have: ` +
        `set GATEHOUSE_MASTER_KEY, or restore private/master-key; ${order}`,
    )
  }
  const without = hasOthers ? await countWithout(sql, keyIds[0], nodeId) : 0
  if (without > 0) return without
  // A database of a version before this table does not say which keys were in use.
  const ids = used.isNoted ? keyIds.slice(0, 1) : [...keyIds]
  await sql`
    INSERT INTO master_keys (id, used_at) SELECT id, now() FROM unnest(${ids}::text[]) AS id
    ON CONFLICT (id) DO UPDATE SET used_at = excluded.used_at`
  if (hasOthers) {
    await sql`
      INSERT INTO nodes (id, seen_at, master_keys) VALUES (${nodeId}, now(), ${[...keyIds]}::text[])
      ON CONFLICT (id) DO UPDATE SET seen_at = now(), master_keys = excluded.master_keys`
  }
  return 0
}

async function usedKeyIds(sql: Sql): Promise<{ needed: string[]; isNoted: boolean }> {
  const rows = await sql<{ id: string; is_noted: boolean }[]>`
    SELECT id, true AS is_noted FROM master_keys
    UNION ALL SELECT DISTINCT split_part(sealed, '.', 2), false FROM shared_secrets
      WHERE NOT EXISTS (SELECT FROM master_keys)`
  return { needed: rows.map(({ id }) => id), isNoted: rows.some(({ is_noted }) => is_noted) }
}

async function countWithout(sql: Sql, keyId: string, nodeId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM nodes
    WHERE id <> ${nodeId} AND seen_at > now() - make_interval(secs => ${presenceMs / 1_000})
      AND NOT ${keyId} = ANY (master_keys)`
  return row?.count ?? 0
}

/** Returns the master keys, other than the given ones, under which something in the database may be sealed. */
export async function missingKeyIds(sql: Sql, keyIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`SELECT id FROM master_keys ORDER BY id`
  return rows.map(({ id }) => id).filter((id) => !keyIds.includes(id))
}

/** What resealing has to know of the other processes. */
export interface KeyAgreement {
  /** Returns the database's time (epoch ms) when all running processes seal under the first key; null otherwise. */
  agreedAt(): Promise<number | null>
  /** Forgets the other keys, unless a process began to seal under one since then. Returns whether none is left. */
  forgetOthers(since: number): Promise<boolean>
}

export function createKeyAgreement({ database, vault, nodeId }: MasterKeyOptions): KeyAgreement {
  const [first] = vault.keyIds
  return {
    async agreedAt() {
      const [row] = await database.run(
        (sql) => sql<{ at: number; disagreeing: number }[]>`
          SELECT (extract(epoch FROM now()) * 1000)::float8 AS at, (
            SELECT count(*)::int FROM nodes
            WHERE id <> ${nodeId} AND seen_at > now() - make_interval(secs => ${presenceMs / 1_000})
              AND master_keys[1] IS DISTINCT FROM ${first}) AS disagreeing`,
      )
      return row?.disagreeing === 0 ? row.at : null
    },
    async forgetOthers(since) {
      return await database.transaction(async (sql) => {
        await sql`SELECT pg_advisory_xact_lock(${lockKey})`
        await sql`DELETE FROM master_keys WHERE id <> ${first} AND used_at < to_timestamp(${since}::float8 / 1000)`
        const [left] = await sql`SELECT id FROM master_keys WHERE id <> ${first} LIMIT 1`
        return left === undefined
      })
    },
  }
}
