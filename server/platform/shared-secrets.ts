import { randomBytes } from 'node:crypto'

import type { Database } from './database.ts'
import type { SealedColumn } from './resealing.ts'
import type { Vault } from './vault.ts'

const secretBytes = 32

const placeOf = (name: string): string => `shared_secrets:${name}`

export const sealedSharedSecrets: SealedColumn = {
  table: 'shared_secrets',
  column: 'sealed',
  key: 'name',
  place: placeOf,
}

/**
 * A secret of 32 bytes that every process on this database has in common: made by the first that asks for it, and kept
 * sealed, so that it survives a change of the master key and is worth nothing to who has only the database.
 */
export async function sharedSecret(database: Database, vault: Vault, name: string): Promise<Buffer> {
  const place = placeOf(name)
  const minted = vault.seal(randomBytes(secretBytes).toString('base64'), place)
  await database.sql`
    INSERT INTO shared_secrets (name, sealed) VALUES (${name}, ${minted}) ON CONFLICT (name) DO NOTHING`
  const [row] = await database.sql<{ sealed: string }[]>`
    SELECT sealed FROM shared_secrets WHERE name = ${name}`
  if (row === undefined) throw new Error(`the shared secret ${name} is gone`)
  return Buffer.from(vault.open(row.sealed, place), 'base64')
}
