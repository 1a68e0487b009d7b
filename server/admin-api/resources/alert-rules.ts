import { AdminListQuery, AlertRulePatch, AlertRuleResource } from '../../../shared/admin-resources.ts'
import { AlertRule, type AlertRuleView, RuleName } from '../../../shared/alerts.ts'
import { mergePatched } from '../../../shared/merge-patch.ts'
import { fault } from '../../platform/fault.ts'
import type { Operator } from '../operator.ts'
import { sortedPage } from '../pages.ts'
import { resource } from '../resource.ts'

async function ruleOf({ call }: Operator, name: string): Promise<AlertRuleView> {
  const found = (await call.alertRules.list()).find((rule) => rule.name === name)
  if (found === undefined) throw fault('not_found', 'There is no rule of this name')
  return found
}

/** What of a rule can be changed. */
function specOf({ firing: _firing, lastFiredAt: _last, managedBy: _by, ...spec }: AlertRuleView): AlertRule {
  return spec
}

/** When somebody is told. What is firing is not a thing that a program makes. */
export const adminAlertRules = resource({
  path: 'alerts',
  name: 'AlertRule',
  one: 'a rule of alerts',
  many: 'rules of alerts',
  view: AlertRuleResource,
  id: RuleName,
  query: AdminListQuery,
  list: async ({ call }, query) => sortedPage(await call.alertRules.list(), ({ name }) => name, query),
  async find(operator, name) {
    const item = await ruleOf(operator, name)
    return { item, version: [item.managedBy, specOf(item)] }
  },
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
      const rule = specOf(await ruleOf(operator, name))
      await operator.call.alertRules.update(mergePatched(rule, patch))
    },
  },
  removing: { remove: ({ call }, name) => call.alertRules.delete({ name }) },
})
