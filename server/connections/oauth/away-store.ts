import type { Database } from '../../platform/database.ts'
import type { SealedColumn } from '../../platform/resealing.ts'

/** Somebody who was sent to consent. */
export interface Away {
  readonly stateHash: string
  readonly connectionId: string
  readonly accountId: string
  readonly sessionId: string
  readonly sealed: string
}

/** The place of what a consent that is pending needs. */
export const awayPlace = (stateHash: string): string => `oauth_away:${stateHash}`

export const sealedConsents: SealedColumn = {
  table: 'oauth_away',
  column: 'sealed',
  key: 'state_hash',
  place: awayPlace,
}

export type AwayStore = ReturnType<typeof createAwayStore>

/** People who were sent to consent, and have not come back. */
export function createAwayStore(database: Database) {
  return {
    /** Takes a note of somebody who leaves for ten minutes at most; what is over is removed. */
    async leave({ stateHash, connectionId, accountId, sessionId, sealed }: Away): Promise<void> {
      await database.run(
        (sql) => sql`
          INSERT INTO oauth_away (state_hash, connection_id, account_id, session_id, sealed, expires_at)
          VALUES (${stateHash}, ${connectionId}, ${accountId}, ${sessionId}, ${sealed}, now() + interval '10 minutes')`,
      )
    },

    /** The account for which somebody left in that web session; null: nobody did, or it is too late. */
    async accountOf(stateHash: string, sessionId: string): Promise<string | null> {
      const [row] = await database.run(
        (sql) => sql<{ account_id: string }[]>`
          SELECT account_id FROM oauth_away
          WHERE state_hash = ${stateHash} AND session_id = ${sessionId} AND expires_at > now()`,
      )
      return row?.account_id ?? null
    },

    /** Takes somebody back: once, in time, and in the web session that left. */
    async comeBack(
      stateHash: string,
      { accountId, sessionId }: Pick<Away, 'accountId' | 'sessionId'>,
    ): Promise<Pick<Away, 'connectionId' | 'sealed'> | null> {
      const [row] = await database.run(
        (sql) => sql<{ connection_id: string; sealed: string }[]>`
          DELETE FROM oauth_away
          WHERE state_hash = ${stateHash} AND account_id = ${accountId} AND session_id = ${sessionId}
            AND expires_at > now()
          RETURNING connection_id, sealed`,
      )
      return row === undefined ? null : { connectionId: row.connection_id, sealed: row.sealed }
    },

    /** Removes notes of people who did not come back in time. */
    async clean(): Promise<void> {
      await database.run((sql) => sql`DELETE FROM oauth_away WHERE expires_at < now()`)
    },
  }
}
