import { createHash } from 'node:crypto'

import type { Database } from '../../platform/database.ts'
import { presenceMs } from '../../platform/internal-http/node-registry.ts'

/**
 * Records which process owns a session that moved from the process which opened it. Every method rejects with the fault
 * `unavailable` while the database is away.
 */
export interface OwnerDirectory {
  /** Returns the owner, or null when the session never moved. */
  find(sessionId: string): Promise<string | null>
  /** Makes this process the owner, unless another process was faster or `gone` is still present. */
  claim(sessionId: string, gone: string, lifeMs: number): Promise<{ owner: string; isNew: boolean }>
  /** Removes this process as the owner. */
  release(sessionId: string): Promise<void>
  /** Returns those local sessions that another process has claimed. */
  claimedByOthers(sessionIds: readonly string[]): Promise<string[]>
}

export function createOwnerDirectory(database: Database, nodeId: string): OwnerDirectory {
  async function find(sessionId: string): Promise<string | null> {
    const [row] = await database.run(
      (sql) => sql<{ owner: string }[]>`
        SELECT owner FROM gateway_session_owners WHERE session = ${hashOf(sessionId)} AND expires_at > now()`,
    )
    return row?.owner ?? null
  }

  return {
    find,

    async claim(sessionId, gone, lifeMs) {
      const [claimed] = await database.run(
        (sql) => sql`
          INSERT INTO gateway_session_owners AS known (session, owner, expires_at)
          SELECT ${hashOf(sessionId)}, ${nodeId}, now() + make_interval(secs => ${lifeMs / 1_000})
          WHERE NOT EXISTS (
            SELECT 1 FROM nodes WHERE id = ${gone} AND url IS NOT NULL
              AND seen_at > now() - make_interval(secs => ${presenceMs / 1_000}))
          ON CONFLICT (session) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
          WHERE known.owner = ${gone} OR known.expires_at <= now()
          RETURNING 1`,
      )
      if (claimed !== undefined) return { owner: nodeId, isNew: true }
      return { owner: (await find(sessionId)) ?? gone, isNew: false }
    },

    async release(sessionId) {
      await database.run(
        (sql) => sql`
          DELETE FROM gateway_session_owners WHERE session = ${hashOf(sessionId)} AND owner = ${nodeId}`,
      )
    },

    async claimedByOthers(sessionIds) {
      const byHash = new Map(sessionIds.map((id) => [hashOf(id), id]))
      const rows = await database.run(async (sql) => {
        await sql`DELETE FROM gateway_session_owners WHERE expires_at <= now()`
        return await sql<{ session: string }[]>`
          SELECT session FROM gateway_session_owners
          WHERE session = ANY(${[...byHash.keys()]}::text[]) AND owner <> ${nodeId}`
      })
      return rows.flatMap(({ session }) => byHash.get(session) ?? [])
    },
  }
}

/** The id itself would give access to the session. */
const hashOf = (sessionId: string): string => createHash('sha256').update(sessionId).digest('base64url')
