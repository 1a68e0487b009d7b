import type { Sql } from '../platform/database.ts'

/** A process whose last heartbeat is older is gone. */
const livingSec = 3

/** Returns how many processes use the database. One that was killed counts for three seconds more. */
export async function countRunningProcesses(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM nodes WHERE seen_at > now() - make_interval(secs => ${livingSec})`
  return row?.count ?? 0
}
