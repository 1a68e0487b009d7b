import type { StoredOAuthClientInformation } from '@modelcontextprotocol/client'
import * as z from 'zod/mini'

import type { IssuerClientForm, IssuerClientView } from '../../../shared/connections.ts'
import type { Database, Sql, TransactionSql } from '../../platform/database.ts'
import type { SealedColumn } from '../../platform/resealing.ts'
import type { Vault } from '../../platform/vault.ts'

/** What this installation is called at one authorization server. */
export interface Registration {
  readonly origin: IssuerClientView['origin']
  readonly client: StoredOAuthClientInformation
}

interface RegistrationRow {
  issuer: string
  origin: string
  client_id: string
  sealed: string
  created_at: Date
}

/** The schema of the SDK keeps more; what was sealed is our own, and only what is read is looked at. */
const Client = z.looseObject({
  client_id: z.string(),
  client_secret: z.optional(z.string()),
  client_secret_expires_at: z.optional(z.number()),
  redirect_uris: z.optional(z.array(z.string())),
  issuer: z.optional(z.string()),
})

const registrationPlace = (issuer: string): string => `oauth_registrations:${issuer}:client`

export const sealedRegistrations: SealedColumn = {
  table: 'oauth_registrations',
  column: 'sealed',
  key: 'issuer',
  place: registrationPlace,
}

type StoredOrigin = Exclude<Registration['origin'], 'file'>

export type Registrations = ReturnType<typeof createRegistrations>

/**
 * Our client ids, by issuer: one is never used at another authorization server. They carry no rights of any account. Those
 * of the installation's file precede what is stored.
 */
export function createRegistrations(
  database: Database,
  vault: Vault,
  ofFile: () => readonly IssuerClientForm[],
) {
  const inFile = (issuer: string) => ofFile().find((client) => client.issuer === issuer)

  async function find(issuer: string): Promise<Registration | null> {
    const given = inFile(issuer)
    if (given !== undefined) return { origin: 'file', client: clientOf(given) }
    const [row] = await database.run(
      (sql) => sql<RegistrationRow[]>`SELECT * FROM oauth_registrations WHERE issuer = ${issuer}`,
    )
    if (row === undefined) return null
    const client = Client.parse(JSON.parse(vault.open(row.sealed, registrationPlace(issuer))))
    return { origin: originOf(row), client: { ...client, issuer } as StoredOAuthClientInformation }
  }

  function write(
    sql: Sql | TransactionSql,
    issuer: string,
    origin: StoredOrigin,
    client: StoredOAuthClientInformation,
  ) {
    const sealed = vault.seal(JSON.stringify(client), registrationPlace(issuer))
    return sql`
      INSERT INTO oauth_registrations (issuer, origin, client_id, sealed, created_at)
      VALUES (${issuer}, ${origin}, ${client.client_id}, ${sealed}, now())
      ON CONFLICT (issuer) DO UPDATE
      SET origin = excluded.origin, client_id = excluded.client_id, sealed = excluded.sealed, created_at = now()
      WHERE oauth_registrations.origin <> 'operator' OR excluded.origin = 'operator'`
  }

  return {
    find,
    isInFile: (issuer: string): boolean => inFile(issuer) !== undefined,

    /** Keeps what we are called there. What an operator has set stays. */
    async keep(issuer: string, origin: StoredOrigin, client: StoredOAuthClientInformation): Promise<void> {
      await database.run((sql) => write(sql, issuer, origin, client))
    },

    /** Keeps what an operator was given. */
    async set(sql: TransactionSql, given: IssuerClientForm): Promise<void> {
      await write(sql, given.issuer, 'operator', clientOf(given))
    },

    /** Forgets what we were called, so that we register anew. What an operator has set stays. */
    async forget(issuer: string): Promise<void> {
      await database.run(
        (sql) => sql`DELETE FROM oauth_registrations WHERE issuer = ${issuer} AND origin <> 'operator'`,
      )
    },

    /** Removes it, whoever has set it. Returns false where there was none. */
    async remove(sql: TransactionSql, issuer: string): Promise<boolean> {
      const rows = await sql`DELETE FROM oauth_registrations WHERE issuer = ${issuer} RETURNING 1`
      return rows.length > 0
    },

    async list(): Promise<IssuerClientView[]> {
      const rows = await database.run(
        (sql) => sql<RegistrationRow[]>`SELECT * FROM oauth_registrations ORDER BY issuer`,
      )
      const stored = rows.map((row) => ({
        issuer: row.issuer,
        origin: originOf(row),
        clientId: row.client_id,
        createdAt: row.created_at.getTime(),
      }))
      const given = ofFile().map(({ issuer, clientId }): IssuerClientView => ({
        issuer,
        origin: 'file',
        clientId,
        createdAt: null,
      }))
      return [...given, ...stored.filter(({ issuer }) => inFile(issuer) === undefined)]
    },
  }
}

const clientOf = ({ issuer, clientId, clientSecret }: IssuerClientForm): StoredOAuthClientInformation => ({
  client_id: clientId,
  ...(clientSecret !== null && { client_secret: clientSecret }),
  issuer,
})

const originOf = ({ origin }: RegistrationRow): StoredOrigin =>
  origin === 'operator' || origin === 'document' ? origin : 'registered'
