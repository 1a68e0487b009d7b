import type { AlertChannel } from '../../shared/alert-channels.ts'
import type { MaintenanceWindow, AlertSilence } from '../../shared/alert-times.ts'
import type { AlertRule } from '../../shared/alerts.ts'
import type { AuditAction, AuditSubject } from '../../shared/audit.ts'
import type { AuditEntry, ChangedBy } from '../audit/audit.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { TransactionSql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { defaultRules } from './default-rules.ts'
import { type SettingsStore, nothingStored } from './settings-store.ts'

/** The sections of the declarative file, as they are now. */
export interface DeclaredAlerts {
  readonly file: {
    readonly channels: readonly AlertChannel[]
    readonly alerts: readonly AlertRule[]
    readonly maintenance: readonly MaintenanceWindow[]
  }
}

export interface AlertSettingsOptions {
  readonly replicas: KeyReplicas
  readonly store: SettingsStore
  readonly record: (sql: TransactionSql, entry: AuditEntry) => Promise<void>
  readonly declared: DeclaredAlerts
  /** Epoch ms. */
  readonly now: () => number
}

/** Something with a name, and who says so. */
export interface Managed<Item> {
  readonly item: Item
  readonly managedBy: 'file' | 'operator' | 'default'
}

export type AlertSettings = ReturnType<typeof createAlertSettings>

/**
 * Channels, rules, planned maintenance and silences, in the memory of every process. What the file declares wins over what is
 * stored under the same name; what is stored wins over the rules that are there from the start.
 */
export function createAlertSettings({ replicas, store, record, declared, now }: AlertSettingsOptions) {
  let stored = nothingStored

  async function reload(): Promise<void> {
    stored = await store.load(now())
  }
  replicas.keySync.follow({ kind: 'alert_settings', reload, refresh: reload })

  const channels = () => merged<AlertChannel>([], stored.channels, declared.file.channels)
  const rules = () => merged(defaultRules, stored.rules, declared.file.alerts)
  const windows = () => merged<MaintenanceWindow>([], stored.windows, declared.file.maintenance)

  return {
    channels,
    rules,
    windows,
    /** Those that last. */
    silences: (): readonly AlertSilence[] => stored.silences.filter(({ until }) => until > now()),
    /** What rules are decided by now. */
    active() {
      const all = channels()
      return {
        rules: [...rules().values()].map(({ item }) => item),
        channels: new Set(all.keys()),
        expiring: new Set(
          [...all].filter(([, { item }]) => item.type === 'alertmanager').map(([name]) => name),
        ),
        windows: [...windows().values()].map(({ item }) => item),
        silences: stored.silences,
        quietHoursOf: (channel: string) => all.get(channel)?.item.quietHours,
      }
    },
    findChannel: (name: string): AlertChannel | null => channels().get(name)?.item ?? null,

    /** Stores a change with its audit entry, and resolves when every process goes by it. */
    async change(
      by: ChangedBy,
      what: {
        readonly action: AuditAction
        readonly subject: { readonly kind: AuditSubject; readonly id: string }
        readonly before?: Readonly<Record<string, unknown>>
        readonly after?: Readonly<Record<string, unknown>>
      },
      work: (sql: TransactionSql) => Promise<void>,
    ): Promise<void> {
      await replicas.change('alert_settings', async (sql) => {
        await work(sql)
        await record(sql, { ...by, ...what })
        return { ids: [what.subject.id], result: null }
      })
    },
  }
}

function merged<Item extends { readonly name: string }>(
  builtIn: readonly Item[],
  stored: ReadonlyMap<string, Item>,
  ofFile: readonly Item[],
): Map<string, Managed<Item>> {
  const all = new Map<string, Managed<Item>>()
  for (const item of builtIn) all.set(item.name, { item, managedBy: 'default' })
  for (const [name, item] of stored) all.set(name, { item, managedBy: 'operator' })
  for (const item of ofFile) all.set(item.name, { item, managedBy: 'file' })
  return all
}

/** Returns what an operator may change. Faults: `not_found`; `conflict` for what the file has. */
export function requireOwn<Item>(
  all: ReadonlyMap<string, Managed<Item>>,
  name: string,
  word: string,
): Managed<Item> {
  const found = all.get(name)
  if (found === undefined) throw fault('not_found', `There is no ${word} of this name`)
  if (found.managedBy === 'file')
    throw fault('conflict', `This ${word} is in the installation's file: change it there`)
  return found
}

/** Throws the fault `conflict` where a name is taken. */
export function requireFree(all: ReadonlyMap<string, unknown>, name: string, word: string): void {
  if (all.has(name)) throw fault('conflict', `name: there is a ${word} of this name already`)
}
