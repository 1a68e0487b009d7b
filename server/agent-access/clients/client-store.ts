import type { Database } from '../../platform/database.ts'
import type { AgentClient, ClientProofs } from './client.ts'

interface ClientRow {
  id: string
  kind: AgentClient['kind']
  name: string
  redirect_uris: string[]
  proofs: ClientProofs
  is_fresh: boolean | null
}

export interface StoredClient {
  readonly client: AgentClient
  /** False for a document that is to be read again. */
  readonly isFresh: boolean
}

/** For operators. Instants in epoch ms. */
export interface ListedClient {
  readonly id: string
  readonly kind: AgentClient['kind']
  readonly name: string
  readonly grants: number
  readonly createdAt: number
  readonly usedAt: number | null
}

export type ClientStore = ReturnType<typeof createClientStore>

/** Clients in PostgreSQL. */
export function createClientStore(database: Database) {
  return {
    async find(id: string): Promise<StoredClient | null> {
      const [row] = await database.run(
        (sql) => sql<ClientRow[]>`
          SELECT id, kind, name, redirect_uris, proofs, fresh_until > now() AS is_fresh
          FROM agent_clients WHERE id = ${id}`,
      )
      if (row === undefined) return null
      const { id: clientId, kind, name, redirect_uris: redirectUris, proofs, is_fresh: isFresh } = row
      return { client: { id: clientId, kind, name, redirectUris, proofs }, isFresh: isFresh !== false }
    },

    /** Adds a client, or replaces what was known of it. `freshSec` is null for one that is never read again. */
    async keep(client: AgentClient, freshSec: number | null): Promise<void> {
      const { id, kind, name, redirectUris, proofs } = client
      await database.run(
        (sql) => sql`
          INSERT INTO agent_clients (id, kind, name, redirect_uris, proofs, fresh_until, created_at)
          VALUES (${id}, ${kind}, ${name}, ${[...redirectUris]}::text[],
            ${sql.json({ methods: [...proofs.methods], jwksUri: proofs.jwksUri })},
            now() + make_interval(secs => ${freshSec}::float8), now())
          ON CONFLICT (id) DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris,
            proofs = excluded.proofs, fresh_until = excluded.fresh_until,
            created_at = CASE WHEN agent_clients.used_at IS NULL THEN now() ELSE agent_clients.created_at END`,
      )
    },

    async list(): Promise<ListedClient[]> {
      const rows = await database.run(
        (sql) => sql<
          (Omit<ListedClient, 'createdAt' | 'usedAt'> & { created_at: Date; used_at: Date | null })[]
        >`
          SELECT c.id, c.kind, c.name, c.created_at, c.used_at,
            (SELECT count(*)::int FROM agent_grants g
             WHERE g.client_id = c.id AND g.revoked_at IS NULL AND g.expires_at > now()) AS grants
          FROM agent_clients c ORDER BY c.created_at DESC LIMIT 1000`,
      )
      return rows.map(({ id, kind, name, grants, created_at: created, used_at: used }) => ({
        id,
        kind,
        name,
        grants,
        createdAt: created.getTime(),
        usedAt: used?.getTime() ?? null,
      }))
    },

    /** Returns whether an assertion is shown for the first time, at whichever process. */
    async useAssertion(hash: string, expiresAtSec: number): Promise<boolean> {
      const rows = await database.run(
        (sql) => sql`
          INSERT INTO agent_assertions (hash, expires_at) VALUES (${hash}, to_timestamp(${expiresAtSec}))
          ON CONFLICT DO NOTHING RETURNING 1`,
      )
      return rows.length > 0
    },
  }
}
