import { AlertChannel } from '../../shared/alert-channels.ts'
import type { MaintenanceWindow, AlertSilence } from '../../shared/alert-times.ts'
import type { AlertRule } from '../../shared/alerts.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import type { SealedColumn } from '../platform/resealing.ts'
import type { Vault } from '../platform/vault.ts'

/** What operators have stored, by name; silences that last. */
export interface StoredSettings {
  readonly channels: ReadonlyMap<string, AlertChannel>
  readonly rules: ReadonlyMap<string, AlertRule>
  readonly windows: ReadonlyMap<string, MaintenanceWindow>
  readonly silences: readonly AlertSilence[]
}

export const nothingStored: StoredSettings = {
  channels: new Map(),
  rules: new Map(),
  windows: new Map(),
  silences: [],
}

const specPlace = (name: string): string => `alert_channels ${name} spec`

export const sealedChannels: SealedColumn = {
  table: 'alert_channels',
  column: 'spec',
  key: 'name',
  place: specPlace,
}

const instant = (at: number): Date => new Date(at)

export type SettingsStore = ReturnType<typeof createSettingsStore>

/** Channels, rules, silences and planned maintenance in PostgreSQL. Functions that take `sql` are part of the caller's transaction. */
export function createSettingsStore(database: Database, vault: Vault) {
  return {
    async load(now: number): Promise<StoredSettings> {
      return await database.transaction(async (sql) => {
        const channels = await sql<
          { name: string; spec: string }[]
        >`SELECT name, spec FROM alert_channels ORDER BY name`
        const rules = await sql<
          { name: string; rule: AlertRule }[]
        >`SELECT name, rule FROM alert_rules ORDER BY name`
        const windows = await sql<{ name: string; plan: MaintenanceWindow }[]>`
          SELECT name, plan FROM planned_maintenance ORDER BY name`
        const silences = await sql<{ silence: AlertSilence }[]>`
          SELECT silence FROM alert_silences WHERE ends_at > ${instant(now)} ORDER BY ends_at`
        return {
          channels: new Map(
            channels.map(({ name, spec }) => [
              name,
              AlertChannel.parse(JSON.parse(vault.open(spec, specPlace(name)))),
            ]),
          ),
          rules: new Map(rules.map(({ name, rule }) => [name, rule])),
          windows: new Map(windows.map(({ name, plan }) => [name, plan])),
          silences: silences.map(({ silence }) => silence),
        }
      })
    },

    async putChannel(sql: TransactionSql, channel: AlertChannel, now: number): Promise<void> {
      const spec = vault.seal(JSON.stringify(channel), specPlace(channel.name))
      await sql`
        INSERT INTO alert_channels (name, spec, updated_at) VALUES (${channel.name}, ${spec}, ${instant(now)})
        ON CONFLICT (name) DO UPDATE SET spec = excluded.spec, updated_at = excluded.updated_at`
    },

    async putRule(sql: TransactionSql, rule: AlertRule, now: number): Promise<void> {
      await sql`
        INSERT INTO alert_rules (name, rule, updated_at)
        VALUES (${rule.name}, ${JSON.stringify(rule)}::text::jsonb, ${instant(now)})
        ON CONFLICT (name) DO UPDATE SET rule = excluded.rule, updated_at = excluded.updated_at`
    },

    async putWindow(sql: TransactionSql, window: MaintenanceWindow, now: number): Promise<void> {
      await sql`
        INSERT INTO planned_maintenance (name, plan, updated_at)
        VALUES (${window.name}, ${JSON.stringify(window)}::text::jsonb, ${instant(now)})
        ON CONFLICT (name) DO UPDATE SET plan = excluded.plan, updated_at = excluded.updated_at`
    },

    async putSilence(sql: TransactionSql, silence: AlertSilence): Promise<void> {
      await sql`
        INSERT INTO alert_silences (id, silence, ends_at)
        VALUES (${silence.id}, ${JSON.stringify(silence)}::text::jsonb, ${instant(silence.until)})`
    },

    async removeNamed(
      sql: TransactionSql,
      table: 'alert_channels' | 'alert_rules' | 'planned_maintenance',
      name: string,
    ): Promise<void> {
      await sql`DELETE FROM ${sql(table)} WHERE name = ${name}`
    },

    async removeSilence(sql: TransactionSql, id: string): Promise<boolean> {
      const rows = await sql`DELETE FROM alert_silences WHERE id = ${id} RETURNING id`
      return rows.length > 0
    },
  }
}
