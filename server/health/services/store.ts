import * as z from 'zod/mini'

import { HttpRule, ServiceSpec } from '../../../shared/health.ts'
import type { Maintenance } from '../../../shared/health-services.ts'
import type { Database, TransactionSql } from '../../platform/database.ts'
import type { SealedColumn } from '../../platform/resealing.ts'
import type { Vault } from '../../platform/vault.ts'

export type StoredSpec = ServiceSpec & { id: string }

/** Services that operators registered. Addresses and headers are sealed: they may hold credentials. */
export interface ServiceStore {
  load(): Promise<StoredSpec[]>
  some(ids: readonly string[]): Promise<StoredSpec[]>
  /** Returns a service as the transaction sees it. */
  find(sql: TransactionSql, id: string): Promise<StoredSpec | undefined>
  save(sql: TransactionSql, spec: StoredSpec): Promise<void>
  remove(sql: TransactionSql, id: string): Promise<void>
  startMaintenance(sql: TransactionSql, serviceId: string, from: number, work: Maintenance): Promise<void>
  endMaintenance(sql: TransactionSql, serviceId: string, at: number): Promise<void>
  /** Services whose announced maintenance is not over at an instant: of several windows the one that lasts longest. */
  maintenance(at: number): Promise<Map<string, Maintenance>>
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
  capabilities: unknown
  labels: unknown
  objective: number | null
}

/** As older rules for texts allowed it: what was stored once is not refused when it is read. */
const StoredService = z.extend(ServiceSpec, {
  name: z.string(),
  provider: z.string(),
  endpoint: z.string(),
  ws: z.optional(z.string()),
  ca: z.optional(z.string()),
  rule: z.optional(z.extend(HttpRule, { contains: z.optional(z.string()) })),
  labels: z.array(z.string()),
})

const Access = z.object({
  endpoint: z.string(),
  ws: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
  ca: z.optional(z.string()),
})

const accessPlace = (id: string): string => `services:${id}:access`

export const sealedAccess: SealedColumn = {
  table: 'services',
  column: 'access',
  key: 'id',
  place: accessPlace,
}

export function createServiceStore(database: Database, vault: Vault): ServiceStore {
  const fromRow = (row: ServiceRow): StoredSpec => {
    const access = Access.parse(JSON.parse(vault.open(row.access, accessPlace(row.id))))
    const spec = StoredService.parse({
      id: row.id,
      name: row.name,
      family: row.family,
      ...(row.chain !== null && { chain: row.chain }),
      provider: row.provider,
      ...access,
      ...(row.rule !== null && { rule: row.rule }),
      ...(row.capabilities !== null && { capabilities: row.capabilities }),
      policy: row.policy,
      labels: row.labels,
      ...(row.objective !== null && { objective: row.objective }),
    })
    return { ...spec, id: row.id }
  }

  return {
    async load() {
      const rows = await database.run((sql) => sql<ServiceRow[]>`SELECT * FROM services ORDER BY created_at`)
      return rows.map(fromRow)
    },
    async some(ids) {
      const rows = await database.run(
        (sql) => sql<ServiceRow[]>`SELECT * FROM services WHERE id = ANY(${[...ids]})`,
      )
      return rows.map(fromRow)
    },
    async find(sql, id) {
      const [row] = await sql<ServiceRow[]>`SELECT * FROM services WHERE id = ${id}`
      return row && fromRow(row)
    },
    async save(sql, spec) {
      const { id, name, family, chain, provider, labels = [], objective = null } = spec
      const { endpoint, ws, headers, ca, rule, policy, capabilities } = spec
      const access = vault.seal(JSON.stringify({ endpoint, ws, headers, ca }), accessPlace(id))
      await sql`
        INSERT INTO services (id, name, family, chain, provider, access, rule, policy, capabilities, labels, objective)
        VALUES (${id}, ${name}, ${family ?? ''}, ${chain ?? null}, ${provider}, ${access},
          ${rule ? sql.json(rule) : null}, ${sql.json({ ...policy })},
          ${capabilities ? sql.json(capabilities) : null}, ${sql.json([...labels])}, ${objective})
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, family = excluded.family, chain = excluded.chain,
          provider = excluded.provider, access = excluded.access, rule = excluded.rule, policy = excluded.policy,
          capabilities = excluded.capabilities, labels = excluded.labels, objective = excluded.objective`
    },
    async remove(sql, id) {
      await sql`DELETE FROM services WHERE id = ${id}`
    },
    async startMaintenance(sql, serviceId, from, { until, note }) {
      await sql`
        INSERT INTO maintenance_windows (service_id, starts_at, ends_at, note)
        VALUES (${serviceId}, ${new Date(from)}, ${until === null ? null : new Date(until)}, ${note})`
    },
    async endMaintenance(sql, serviceId, at) {
      await sql`
        UPDATE maintenance_windows SET ends_at = ${new Date(at)}
        WHERE service_id = ${serviceId} AND (ends_at IS NULL OR ends_at > ${new Date(at)})`
    },
    async maintenance(at) {
      const rows = await database.run(
        (sql) => sql<{ service_id: string; ends_at: Date | null; note: string }[]>`
          SELECT DISTINCT ON (service_id) service_id, ends_at, note
          FROM maintenance_windows
          WHERE ends_at IS NULL OR ends_at > ${new Date(at)}
          ORDER BY service_id, ends_at DESC NULLS FIRST, id DESC`,
      )
      return new Map(
        rows.map((row) => [row.service_id, { until: row.ends_at?.getTime() ?? null, note: row.note }]),
      )
    },
  }
}
