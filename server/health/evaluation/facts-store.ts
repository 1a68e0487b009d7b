import type { ServiceFacts } from '../../../shared/service-facts.ts'
import type { Database } from '../../platform/database.ts'
import type { KnownFacts } from './facts.ts'

/** The facts of services in the database, a row each. */
export interface FactsStore {
  load(since: number): Promise<[serviceId: string, known: KnownFacts][]>
  save(rows: readonly (readonly [serviceId: string, known: KnownFacts])[]): Promise<void>
  /** Deletes what was reported before an instant (epoch ms). */
  deleteBefore(at: number): Promise<void>
  forgetService(serviceId: string): Promise<void>
  forgetVerifier(verifierId: string): Promise<void>
}

interface FactsRow {
  service_id: string
  /** With the tag of the address that they were read from: versions before that one skip it. */
  facts: ServiceFacts & { address?: string | null }
  verifier_ids: string[]
  reported_at: Date
}

/** `transaction` may refuse to store what another process has taken over. */
export const createFactsStore = (database: Database, transaction: Database['transaction']): FactsStore => ({
  async load(since) {
    const rows = await database.run(
      (sql) => sql<FactsRow[]>`
        SELECT service_id, facts, verifier_ids, reported_at FROM service_facts
        WHERE reported_at >= ${new Date(since)}`,
      30_000,
    )
    return rows.map(
      ({ service_id: id, facts: { address = null, ...facts }, reported_at: at, verifier_ids }) => [
        id,
        { facts, at: at.getTime(), verifierIds: verifier_ids, address },
      ],
    )
  },

  async save(rows) {
    await transaction(
      (sql) => sql`
        INSERT INTO service_facts (service_id, facts, verifier_ids, reported_at)
        SELECT service_id, facts::jsonb, string_to_array(verifier_ids, ','), to_timestamp(at / 1000)
        FROM unnest(
          ${rows.map(([id]) => id)}::text[],
          ${rows.map(([, { facts, address }]) => JSON.stringify({ ...facts, address }))}::text[],
          ${rows.map(([, { verifierIds }]) => verifierIds.join(','))}::text[],
          ${rows.map(([, { at }]) => at)}::float8[]
        ) AS fresh (service_id, facts, verifier_ids, at)
        ON CONFLICT (service_id) DO UPDATE SET
          facts = excluded.facts, verifier_ids = excluded.verifier_ids, reported_at = excluded.reported_at
        WHERE service_facts.reported_at <= excluded.reported_at`,
    )
  },

  async deleteBefore(at) {
    await database.run((sql) => sql`DELETE FROM service_facts WHERE reported_at < ${new Date(at)}`)
  },
  async forgetService(serviceId) {
    await database.run((sql) => sql`DELETE FROM service_facts WHERE service_id = ${serviceId}`)
  },
  async forgetVerifier(verifierId) {
    await database.run((sql) => sql`DELETE FROM service_facts WHERE ${verifierId} = ANY (verifier_ids)`)
  },
})
