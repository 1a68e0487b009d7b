import { type ToolPolicy, ToolPolicyTest } from '../../../shared/tool-policies.ts'
import { systemClock } from '../../platform/clock.ts'
import { type CliCommand, CommandFailure, type ParsedArguments, checked } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable, printable } from '../output/table.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import { serverCommand } from '../server-command.ts'

type ListedPolicies = ProcedureOutputs['operatorToolPolicies']['list']

const titles = ['FOR', 'ID', 'ACCOUNT', 'RULES', 'CHANGED']

/** Returns the installation's policy and those of accounts as a table; `now` in epoch ms. */
function policiesTable({ installation, policies }: ListedPolicies, now: number): string {
  const ofFile = installation === null ? [] : [['installation', '–', '–', rulesText(installation), 'file']]
  const own = policies.map(({ subject, accountId, policy, updatedAt }) => [
    subject.level,
    subject.level === 'account' ? '–' : subject.id,
    accountId,
    rulesText(policy),
    formatTimeAgo(updatedAt, now),
  ])
  return formatTable(titles, [...ofFile, ...own])
}

function rulesText({ allow, deny, readOnly, limits, prices, credits, arguments: rules }: ToolPolicy): string {
  const parts = [
    ...(allow === undefined ? [] : [`allow ${allow.join(',')}`]),
    ...(deny.length === 0 ? [] : [`deny ${deny.join(',')}`]),
    ...(readOnly ? ['read only'] : []),
    ...limits.map(({ tools, calls, period }) => `limit ${tools.join(',')} ${calls}/${period}`),
    ...prices.map((price) => `price ${price.tools.join(',')} ${price.credits}`),
    ...(credits === undefined ? [] : [`credits ${credits.units}/${credits.period}`]),
    ...rules.map(({ tools }) => `arguments ${tools.join(',')}`),
  ]
  return parts.length === 0 ? 'none' : parts.join('; ')
}

const accountFlag = {
  type: 'string',
  value: 'ID|ADDRESS',
  about: 'of this account: its id or the address of its wallet',
} as const

const list = serverCommand({
  name: 'tool-policies list',
  about:
    'Lists which tools of tool servers may be called: the policy of the installation, and those of accounts.',
  flags: { account: accountFlag },
  notes:
    'Schemas of arguments are printed with --json. The file sets the policy of the installation; owners set theirs in the console.',
  ask: (client, args) => {
    const account = args.text('account')
    return client.operatorToolPolicies.list.query(account === null ? {} : { account })
  },
  text: (listed) =>
    listed.installation === null && listed.policies.length === 0
      ? 'There is no policy: every tool may be called.'
      : policiesTable(listed, systemClock.now()).trimEnd(),
})

const test = serverCommand({
  name: 'tool-policies test',
  about: 'Says what would become of a call of a tool. Nothing is sent, and nothing is counted.',
  flags: {
    server: {
      type: 'string',
      value: 'ID',
      isRequired: true,
      about: 'the tool server, as the registry names it, such as mcpservers:github',
    },
    tool: { type: 'string', value: 'NAME', isRequired: true, about: 'the name of the tool' },
    arguments: { type: 'string', value: 'JSON', about: 'its arguments; default: {}' },
    'read-only': { type: 'boolean', about: 'the tool says of itself that it only reads' },
    account: accountFlag,
    key: { type: 'string', value: 'ID', about: 'called with this API key, or by this agent, of the account' },
    connection: { type: 'string', value: 'ID', about: 'over this saved connection of the account' },
  },
  notes: 'Without --account it is a call without a key: only the policy of the installation counts.',
  ask: async (client, args) => {
    const account = args.text('account')
    const call = readCall(args)
    if (account === null && (call.keyId ?? call.connectionId) !== undefined)
      throw new CommandFailure('--key and --connection need --account: whose they are')
    return client.operatorToolPolicies.test.mutate({ ...(account !== null && { account }), call })
  },
  text({ allowed, rule, message, counted }) {
    if (!allowed) return `Refused by ${rule}: ${printable(message ?? '')}`
    const takes = counted.map(
      (one) => `\n${one.rule}: takes ${one.units} of ${one.limit.units}/${one.limit.period}`,
    )
    return `Allowed.${takes.join('')}`
  },
})

/** Throws `CommandFailure`. */
function readCall(args: ParsedArguments): ToolPolicyTest {
  const keyId = args.text('key')
  const connectionId = args.text('connection')
  const call = {
    serviceId: args.required('server'),
    tool: args.required('tool'),
    arguments: readArguments(args.text('arguments') ?? '{}'),
    isReadOnly: args.isSet('read-only'),
    ...(keyId !== null && { keyId }),
    ...(connectionId !== null && { connectionId }),
  }
  return checked(ToolPolicyTest, call)
}

function readArguments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandFailure('arguments: expected JSON, such as {"to": "ann"}')
  }
}

export const toolPolicyCommands: readonly CliCommand[] = [list, test]
