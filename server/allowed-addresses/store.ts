import type { AllowedAddress } from '../../shared/allowed-addresses.ts'
import type { Sql } from '../platform/database.ts'

/** The addresses that operators allowed, the newest first. */
export async function readAllowedAddresses(sql: Sql): Promise<AllowedAddress[]> {
  return await sql<AllowedAddress[]>`
    SELECT address, name, allowed_by AS "allowedBy",
      floor(extract(epoch FROM allowed_at) * 1000)::float8 AS "allowedAt"
    FROM allowed_addresses ORDER BY allowed_at DESC, address`
}

export async function addAllowedAddress(
  sql: Sql,
  { address, name, allowedBy, allowedAt }: AllowedAddress,
): Promise<void> {
  await sql`
    INSERT INTO allowed_addresses (address, name, allowed_by, allowed_at)
    VALUES (${address}, ${name}, ${allowedBy}, ${new Date(allowedAt)})`
}

export async function removeAllowedAddress(sql: Sql, address: string): Promise<void> {
  await sql`DELETE FROM allowed_addresses WHERE address = ${address}`
}
