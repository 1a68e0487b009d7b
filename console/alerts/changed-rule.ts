import type { AlertRule, AlertRuleView } from '../../shared/alerts.ts'

/** What is sent when a rule that is listed is changed in some of its fields. Channels that are gone are left out. */
export const changedRule = (
  { managedBy: _managedBy, firing: _firing, lastFiredAt: _lastFiredAt, ...rule }: AlertRuleView,
  isChannel: (name: string) => boolean,
  changes: Partial<AlertRule>,
): AlertRule => ({ ...rule, channels: rule.channels.filter(isChannel), ...changes })
