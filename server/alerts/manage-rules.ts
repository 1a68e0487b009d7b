import type { AlertRule, AlertRuleView, RuleTestResult } from '../../shared/alerts.ts'
import type { ChangedBy } from '../audit/audit.ts'
import { fault } from '../platform/fault.ts'
import type { AlertStore } from './alert-store.ts'
import { findingsOf } from './decide/conditions.ts'
import type { RuleWorld } from './decide/rule-finding.ts'
import { heldBack } from './decide/held-back.ts'
import { newAlert } from './decide/open-alert.ts'
import { type AlertSettings, requireFree, requireOwn } from './settings.ts'
import type { SettingsStore } from './settings-store.ts'

interface ManageRulesOptions {
  readonly settings: AlertSettings
  readonly store: Pick<SettingsStore, 'putRule' | 'removeNamed'>
  readonly alerts: Pick<AlertStore, 'byRule'>
  /** What is known now, wherever this process is. */
  readonly seen: (rules: readonly AlertRule[]) => Promise<RuleWorld>
  readonly now: () => number
  readonly changed: () => void
}

const ruleSubject = (id: string) => ({ kind: 'alert_rule', id }) as const

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
      const rests = {
        ...known,
        silences: settings.silences(),
        windows: [...settings.windows().values()].map(({ item }) => item),
      }
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
