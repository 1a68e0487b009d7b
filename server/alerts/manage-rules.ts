import { dayMs } from '../../shared/durations.ts'
import type {
  Acknowledgement,
  AlertRule,
  AlertRuleView,
  AlertView,
  RuleTestResult,
} from '../../shared/alerts.ts'
import {
  type MaintenanceView,
  type MaintenanceWindow,
  type AlertSilence,
  type SilenceForm,
} from '../../shared/alert-times.ts'
import { type SelectableService, isSelected } from '../../shared/alert-services.ts'
import type { ChangedBy } from '../audit/audit.ts'
import { fault } from '../platform/fault.ts'
import { randomId } from '../platform/ids.ts'
import type { AlertStore } from './alert-store.ts'
import { findingsOf } from './decide/conditions.ts'
import type { RuleWorld } from './decide/rule-finding.ts'
import { heldBack } from './decide/held-back.ts'
import { type OpenAlert, newAlert } from './decide/open-alert.ts'
import { isOn, maintenanceSpan } from './decide/spans.ts'
import { type AlertSettings, requireFree, requireOwn } from './settings.ts'
import type { SettingsStore } from './settings-store.ts'

export interface ManageRulesOptions {
  readonly settings: AlertSettings
  readonly store: SettingsStore
  readonly alerts: AlertStore
  /** What is known now, wherever this process is. */
  readonly seen: (rules: readonly AlertRule[]) => Promise<RuleWorld>
  readonly now: () => number
  readonly changed: () => void
}

const weekMs = 7 * dayMs

const ruleSubject = (id: string) => ({ kind: 'alert_rule', id }) as const
const silenceSubject = (id: string) => ({ kind: 'silence', id }) as const
const maintenanceSubject = (id: string) => ({ kind: 'maintenance', id }) as const

/** What operators do with rules. */
export function createManageRules({ settings, store, alerts, seen, now, changed }: ManageRulesOptions) {
  /** Throws the fault `invalid_request` for a channel that is not there. */
  function requireChannels(rule: AlertRule): void {
    const missing = rule.channels.findIndex((name) => settings.findChannel(name) === null)
    if (missing >= 0) throw fault('invalid_request', `channels[${missing}]: there is no channel of this name`)
  }

  return {
    async list(): Promise<AlertRuleView[]> {
      const counts = await alerts.byRule()
      return [...settings.rules().values()].map(({ item, managedBy }) => ({
        ...item,
        managedBy,
        firing: counts.get(item.name)?.firing ?? 0,
        lastFiredAt: counts.get(item.name)?.lastFiredAt ?? null,
      }))
    },

    /** Faults: `conflict`, `invalid_request`. */
    async create(rule: AlertRule, by: ChangedBy): Promise<void> {
      requireFree(settings.rules(), rule.name, 'rule')
      requireChannels(rule)
      const what = {
        action: 'alert_rule.create',
        subject: ruleSubject(rule.name),
        after: { ...rule },
      } as const
      await settings.change(by, what, (sql) => store.putRule(sql, rule, now()))
      changed()
    },

    /** Faults: `not_found`, `conflict`, `invalid_request`. */
    async update(rule: AlertRule, by: ChangedBy): Promise<void> {
      const { item: before } = requireOwn(settings.rules(), rule.name, 'rule')
      requireChannels(rule)
      const facts = { before: { ...before }, after: { ...rule } }
      const what = { action: 'alert_rule.update', subject: ruleSubject(rule.name), ...facts } as const
      await settings.change(by, what, (sql) => store.putRule(sql, rule, now()))
      changed()
    },

    /** Faults: `not_found`, `conflict`. */
    async remove(name: string, by: ChangedBy): Promise<void> {
      const { item, managedBy } = requireOwn(settings.rules(), name, 'rule')
      if (managedBy === 'default')
        throw fault('conflict', 'This rule is there from the start: switch it off instead')
      const what = { action: 'alert_rule.delete', subject: ruleSubject(name), before: { ...item } } as const
      await settings.change(by, what, (sql) => store.removeNamed(sql, 'alert_rules', name))
      changed()
    },

    async test(rule: AlertRule): Promise<RuleTestResult> {
      const known = await seen([rule])
      const rests = { ...known, silences: settings.silences(), windows: listed(settings) }
      const found = findingsOf(rule, known, known.services.values())
      return {
        holds: found.map((finding) => ({
          subject: finding.subject,
          decision: finding.decision,
          summary: finding.summary,
          since: Math.floor(finding.since),
          heldBack: heldBack(newAlert('', rule.name, finding, known.now), rests),
        })),
        lookedAt: known.services.size + known.facts.verifiers.length,
      }
    },
  }
}

/** What operators do with alerts that are firing. */
export function createManageFiring({ settings, alerts, now }: ManageRulesOptions) {
  return {
    async list(): Promise<AlertView[]> {
      const open = await alerts.open()
      return open
        .filter(({ phase }) => phase === 'firing')
        .map((alert) => viewOf(alert, null))
        .toReversed()
    },

    async past(): Promise<AlertView[]> {
      const past = await alerts.past(now() - weekMs)
      return past.map(({ alert, resolvedAt }) => viewOf(alert, resolvedAt))
    },

    /** Fault: `not_found`. */
    async acknowledge({ id, note }: Acknowledgement, by: ChangedBy): Promise<void> {
      const said = note === '' ? {} : { note }
      const subject = { kind: 'alert', id } as const
      const what = { action: 'alert.acknowledge', subject, ...(note !== '' && { after: said }) } as const
      await settings.change(by, what, async (sql) => {
        const acknowledged = { at: Math.floor(now()), by: by.actor.label, ...said }
        if (!(await alerts.acknowledge(sql, id, acknowledged)))
          throw fault('not_found', 'No alert of this id is firing')
      })
    },
  }
}

function viewOf(
  { id, rule, finding, toldTo, heldBack: held, affected, acknowledged }: OpenAlert,
  resolvedAt: number | null,
): AlertView {
  const { type, subject, decision, summary, since } = finding
  return {
    id,
    rule,
    type,
    subject,
    decision,
    summary,
    since: Math.floor(since),
    resolvedAt,
    toldTo,
    heldBack: held,
    affected,
    acknowledged,
  }
}

const listed = (settings: AlertSettings): MaintenanceWindow[] =>
  [...settings.windows().values()].map(({ item }) => item)

/** What operators do with silences. */
export function createManageSilences({ settings, store, now, changed }: ManageRulesOptions) {
  return {
    list: (): Promise<AlertSilence[]> => Promise.resolve([...settings.silences()]),

    /** Fault: `invalid_request`. */
    async create(form: SilenceForm, by: ChangedBy): Promise<{ id: string }> {
      if (form.until <= now()) throw fault('invalid_request', 'until: expected an instant in the future')
      const id = randomId('silence')
      const silence = { ...form, id, createdAt: Math.floor(now()), createdBy: by.actor.label }
      const what = { action: 'silence.create', subject: silenceSubject(id), after: { ...form } } as const
      await settings.change(by, what, (sql) => store.putSilence(sql, silence))
      changed()
      return { id }
    },

    /** Fault: `not_found`. */
    async end(id: string, by: ChangedBy): Promise<void> {
      await settings.change(by, { action: 'silence.end', subject: silenceSubject(id) }, async (sql) => {
        if (!(await store.removeSilence(sql, id))) throw fault('not_found', 'There is no silence of this id')
      })
      changed()
    },
  }
}

/** What operators do with planned maintenance. */
export function createManageMaintenance({ settings, store, now, changed }: ManageRulesOptions) {
  /** Throws the fault `invalid_request` for what would never be. */
  function requireFuture(window: MaintenanceWindow): void {
    if (maintenanceSpan(window, now()) === null)
      throw fault('invalid_request', 'once.to: expected an instant in the future')
  }

  return {
    list: (): Promise<MaintenanceView[]> =>
      Promise.resolve(
        [...settings.windows().values()].map(({ item, managedBy }) => {
          const span = maintenanceSpan(item, now())
          return {
            ...item,
            managedBy: managedBy === 'file' ? managedBy : 'operator',
            isUnderWay: isOn(item, now()),
            startsAt: span?.from ?? null,
            endsAt: span?.to ?? null,
          }
        }),
      ),

    /** What is under way or comes next, with the ids of those of the services that are meant. Instants are epoch ms. */
    planned(
      servicesNow: () => readonly SelectableService[],
    ): { from: number; to: number; services: string[] }[] {
      const windows = [...settings.windows().values()]
      const services = windows.length === 0 ? [] : servicesNow()
      return windows.flatMap(({ item }) => {
        const span = maintenanceSpan(item, now())
        const meant = services.filter((service) => isSelected(item.services, service))
        return span === null || meant.length === 0 ? [] : [{ ...span, services: meant.map(({ id }) => id) }]
      })
    },

    /** Faults: `conflict`, `invalid_request`. */
    async create(window: MaintenanceWindow, by: ChangedBy): Promise<void> {
      requireFree(settings.windows(), window.name, 'maintenance')
      requireFuture(window)
      const what = {
        action: 'maintenance.create',
        subject: maintenanceSubject(window.name),
        after: { ...window },
      } as const
      await settings.change(by, what, (sql) => store.putWindow(sql, window, now()))
      changed()
    },

    /** Faults: `not_found`, `conflict`, `invalid_request`. */
    async update(window: MaintenanceWindow, by: ChangedBy): Promise<void> {
      const { item: before } = requireOwn(settings.windows(), window.name, 'maintenance')
      requireFuture(window)
      const facts = { before: { ...before }, after: { ...window } }
      const what = {
        action: 'maintenance.update',
        subject: maintenanceSubject(window.name),
        ...facts,
      } as const
      await settings.change(by, what, (sql) => store.putWindow(sql, window, now()))
      changed()
    },

    /** Faults: `not_found`, `conflict`. */
    async remove(name: string, by: ChangedBy): Promise<void> {
      const { item } = requireOwn(settings.windows(), name, 'maintenance')
      const what = {
        action: 'maintenance.delete',
        subject: maintenanceSubject(name),
        before: { ...item },
      } as const
      await settings.change(by, what, (sql) => store.removeNamed(sql, 'planned_maintenance', name))
      changed()
    },
  }
}
