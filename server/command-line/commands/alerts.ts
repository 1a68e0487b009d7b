import { NewAlertChannel } from '../../../shared/alert-channels.ts'
import { AlertRule } from '../../../shared/alerts.ts'
import { systemClock } from '../../platform/clock.ts'
import { type CliCommand, CommandFailure, type ParsedArguments, checked } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable, printable } from '../output/table.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import { serverCommand } from '../server-command.ts'
import { describedInFiles } from './described-in-files.ts'

type FiringAlert = ProcedureOutputs['alerts']['firing'][number]
type ListedRule = ProcedureOutputs['alertRules']['list'][number]
type ListedChannel = ProcedureOutputs['channels']['list'][number]

const firingTable = (alerts: readonly FiringAlert[], now: number): string =>
  formatTable(
    ['RULE', 'WHAT', 'SINCE', 'TOLD TO', 'HELD BACK BY'],
    alerts.map(({ rule, summary, since, toldTo, heldBack }) => [
      rule,
      summary,
      formatTimeAgo(since, now),
      toldTo.length === 0 ? 'nobody' : toldTo.join(', '),
      heldBack === null ? '' : `${heldBack.by} ${heldBack.name}`,
    ]),
  )

const listAlerts = serverCommand({
  name: 'alerts list',
  about: 'Lists the alerts that are firing.',
  ask: (client) => client.alerts.firing.query(),
  text: (alerts) =>
    alerts.length === 0 ? 'Nothing is firing.' : firingTable(alerts, systemClock.now()).trimEnd(),
})

const rulesTable = (rules: readonly ListedRule[]): string =>
  formatTable(
    ['NAME', 'ENABLED', 'FIRING', 'TOLD TO', 'MANAGED BY'],
    rules.map(({ name, enabled, firing, channels, managedBy }) => [
      name,
      enabled ? 'yes' : 'no',
      String(firing),
      channels.join(', ') || 'nobody',
      managedBy,
    ]),
  )

const listRules = serverCommand({
  name: 'alerts rules',
  about: 'Lists the alert rules, with how many alerts of each are firing.',
  ask: (client) => client.alertRules.list.query(),
  text: (rules) =>
    rules.length === 0 ? 'There is no rule; see alerts add --help.' : rulesTable(rules).trimEnd(),
})

const testRule = serverCommand({
  name: 'alerts test',
  about: 'Says for what a rule holds now. Nothing is stored, and nothing is sent.',
  positionals: ['RULE'],
  notes: 'RULE is the name of a rule, or a new one as JSON: {"name": "x", "when": {"decision": ["DOWN"]}}',
  ask: async (client, args) => client.alertRules.test.mutate(await readRule(client, args)),
  text: ({ holds, lookedAt }) =>
    holds.length === 0
      ? `It holds for nothing; it looked at ${lookedAt}.`
      : holds.map(({ summary }) => printable(summary)).join('\n'),
})

type Client = Parameters<Parameters<typeof serverCommand>[0]['ask']>[0]

/** Throws `CommandFailure`. */
async function readRule(client: Client, args: ParsedArguments): Promise<AlertRule> {
  const given = args.argument(0)
  if (given.trimStart().startsWith('{')) return checked(AlertRule, jsonOf(given))
  const rules = await client.alertRules.list.query()
  const found = rules.find(({ name }) => name === given)
  if (found === undefined) throw new CommandFailure('There is no rule of this name')
  const { managedBy: _, firing: _firing, lastFiredAt: _last, ...rule } = found
  return rule
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandFailure('RULE: expected the name of a rule, or JSON')
  }
}

const channelsTable = (channels: readonly ListedChannel[], now: number): string =>
  formatTable(
    ['NAME', 'TYPE', 'TO', 'SENT', 'WAITING', 'GIVEN UP', 'LAST', 'MANAGED BY'],
    channels.map(({ name, type, target, sent, waiting, dead, lastSentAt, managedBy }) => [
      name,
      type,
      target,
      String(sent),
      String(waiting),
      String(dead),
      lastSentAt === null ? 'never' : formatTimeAgo(lastSentAt, now),
      managedBy,
    ]),
  )

const listChannels = serverCommand({
  name: 'channels list',
  about: 'Lists where alerts are told, with what was sent in the last 30 days.',
  ask: (client) => client.channels.list.query(),
  text: (channels) =>
    channels.length === 0
      ? 'There is no channel; see channels add --help, or add one in the file or the console.'
      : channelsTable(channels, systemClock.now()).trimEnd(),
})

const testChannel = serverCommand({
  name: 'channels test',
  about: 'Sends a message that says that it is a test, and prints the real answer.',
  positionals: ['NAME'],
  ask: (client, args) => client.channels.test.mutate({ name: args.argument(0) }),
  text: ({ ok, answer, tookMs }) => `${ok ? 'Taken' : 'Not taken'} after ${tookMs} ms: ${printable(answer)}`,
})

export const alertCommands: readonly CliCommand[] = [
  listAlerts,
  listRules,
  testRule,
  ...describedInFiles({
    group: 'alerts',
    one: 'an alert rule',
    section: 'alerts',
    example: '{ name: Node down, when: { decision: [DOWN], for: 2m }, channels: [on-call] }',
    schema: AlertRule,
    nameOf: ({ name }) => name,
    add: (client, rule) => client.alertRules.create.mutate(rule),
    remove: (client, name) => client.alertRules.delete.mutate({ name }),
  }),
  listChannels,
  testChannel,
  ...describedInFiles({
    group: 'channels',
    one: 'an alert channel',
    section: 'channels',
    example: '{ name: on-call, type: webhook, url: https://hooks.example.com/gatehouse }',
    schema: NewAlertChannel,
    nameOf: ({ name }) => name,
    add: (client, channel) => client.channels.create.mutate(channel),
    remove: (client, name) => client.channels.delete.mutate({ name }),
    once: ({ secret }) => (secret === null ? null : `Its secret, shown this once: ${secret}`),
  }),
]
