import * as z from 'zod/mini'

import { ServiceSpec } from '../../../shared/health.ts'
import type { Database } from '../../platform/database.ts'
import type { Vault } from '../../platform/vault.ts'

export type StoredSpec = ServiceSpec & { id: string }

/** Services that operators registered. Addresses and headers are sealed: they may hold credentials. */
export interface ServiceStore {
  load(): Promise<StoredSpec[]>
  save(spec: StoredSpec): Promise<void>
  remove(id: string): Promise<void>
  startMaintenance(serviceId: string, from: number, until: number | null, note: string): Promise<void>
  endMaintenance(serviceId: string, at: number): Promise<void>
  /** Services in announced maintenance at an instant, and until when (infinity: until it is ended). */
  maintenance(at: number): Promise<Map<string, number>>
}

interface ServiceRow {
  id: string
  name: string
  family: string
  chain: string | null
  provider: string
  access: string
  rule: unknown
  policy: unknown
}

const Access = z.object({ endpoint: z.string(), headers: z.optional(z.record(z.string(), z.string())) })

const accessPlace = (id: string): string => `services:${id}:access`

export function createServiceStore(database: Database, vault: Vault): ServiceStore {
  const fromRow = (row: ServiceRow): StoredSpec => {
    const access = Access.parse(JSON.parse(vault.open(row.access, accessPlace(row.id))))
    const spec = ServiceSpec.parse({
      id: row.id,
      name: row.name,
      family: row.family,
      ...(row.chain !== null && { chain: row.chain }),
      provider: row.provider,
      ...access,
      ...(row.rule !== null && { rule: row.rule }),
      policy: row.policy,
    })
    return { ...spec, id: row.id }
  }

  return {
    async load() {
      const rows = await database.run((sql) => sql<ServiceRow[]>`SELECT * FROM services ORDER BY created_at`)
      return rows.map(fromRow)
    },
    async save({ id, name, family, chain, provider, endpoint, headers, rule, policy }) {
      const access = vault.seal(JSON.stringify({ endpoint, ...(headers && { headers }) }), accessPlace(id))
      await database.run(
        (sql) => sql`
          INSERT INTO services (id, name, family, chain, provider, access, rule, policy)
          VALUES (${id}, ${name}, ${family ?? ''}, ${chain ?? null}, ${provider}, ${access},
            ${rule ? sql.json(rule) : null}, ${sql.json({ ...policy })})
          ON CONFLICT (id) DO UPDATE SET name = excluded.name, family = excluded.family, chain = excluded.chain,
            provider = excluded.provider, access = excluded.access, rule = excluded.rule, policy = excluded.policy`,
      )
    },
    async remove(id) {
      await database.run((sql) => sql`DELETE FROM services WHERE id = ${id}`)
    },
    async startMaintenance(serviceId, from, until, note) {
      await database.run(
        (sql) => sql`
          INSERT INTO maintenance_windows (service_id, starts_at, ends_at, note)
          VALUES (${serviceId}, ${new Date(from)}, ${until === null ? null : new Date(until)}, ${note})`,
      )
    },
    async endMaintenance(serviceId, at) {
      await database.run(
        (sql) => sql`
          UPDATE maintenance_windows SET ends_at = ${new Date(at)}
          WHERE service_id = ${serviceId} AND (ends_at IS NULL OR ends_at > ${new Date(at)})`,
      )
    },
    async maintenance(at) {
      const rows = await database.run(
        (sql) => sql<{ service_id: string; until: number }[]>`
          SELECT service_id, max(coalesce(extract(epoch FROM ends_at)::float8 * 1000, 'infinity')) AS until
          FROM maintenance_windows
          WHERE starts_at <= ${new Date(at)} AND (ends_at IS NULL OR ends_at > ${new Date(at)})
          GROUP BY service_id`,
      )
      return new Map(rows.map((row) => [row.service_id, row.until]))
    },
  }
}
