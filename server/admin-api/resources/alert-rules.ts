import { AlertRulePatch, AlertRuleResource } from '../../../shared/admin-alert-resources.ts'
import { AlertRule, type AlertRuleView, RuleName } from '../../../shared/alerts.ts'
import { mergePatched } from '../../../shared/merge-patch.ts'
import { oneList } from '../one-list.ts'
import { resource } from '../resource.ts'

/** What of a rule can be changed. */
function specOf({ firing: _firing, lastFiredAt: _last, managedBy: _by, ...spec }: AlertRuleView): AlertRule {
  return spec
}

const rules = oneList<AlertRuleView>({
  all: ({ call }) => call.alertRules.list(),
  idOf: ({ name }) => name,
  versionOf: (rule) => [rule.managedBy, specOf(rule)],
  missing: 'There is no rule of this name',
})

/** When somebody is told. What is firing is not a thing that a program makes. */
export const adminAlertRules = resource({
  path: 'alerts',
  name: 'AlertRule',
  one: 'an alert rule',
  many: 'alert rules',
  view: AlertRuleResource,
  id: RuleName,
  ...rules.reading,
  creating: {
    body: AlertRule,
    example: { name: 'Node A down', when: { decision: ['DOWN'], for: '2m' }, channels: ['on-call'] },
    async create({ call }, rule) {
      await call.alertRules.create(rule)
      return { id: rule.name }
    },
  },
  changing: {
    body: AlertRulePatch,
    example: { channels: ['on-call'], repeat: '1h' },
    about: 'Null takes a field away, or back to its default.',
    async change(operator, name, patch) {
      const rule = specOf(await rules.get(operator, name))
      await operator.call.alertRules.update(mergePatched(rule, patch))
    },
  },
  removing: { remove: ({ call }, name) => call.alertRules.delete({ name }) },
})
