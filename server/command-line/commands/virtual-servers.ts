import { VirtualServerSpec } from '../../../shared/virtual-servers.ts'
import type { CliCommand } from '../arguments/command.ts'
import { readFileArgument } from '../arguments/file-argument.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable, printable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'

type ListedServer = ProcedureOutputs['operatorVirtualServers']['list'][number]
type ShownServer = ProcedureOutputs['operatorVirtualServers']['details']

const accountFlag = {
  account: {
    type: 'string',
    value: 'ID|ADDRESS',
    isRequired: true,
    about: 'whose: the id of an account or the address of its wallet',
  },
} as const

const listTitles = ['NAME', 'ACCOUNT', 'MEMBERS', 'SHOWS', 'ADDRESS']

const listTable = (servers: readonly ListedServer[]): string =>
  formatTable(
    listTitles,
    servers.map(({ spec, accountId, url }) => [
      spec.name,
      accountId,
      String(spec.members.length),
      spec.mode === 'all' ? 'all tools' : 'a search',
      url,
    ]),
  )

const list = serverCommand({
  name: 'virtual-servers list',
  about: 'Lists the virtual servers of every account.',
  ask: (client) => client.operatorVirtualServers.list.query(),
  text: (servers) => (servers.length === 0 ? 'No account has one.' : listTable(servers).trimEnd()),
})

const toolTitles = ['TOOL', 'MEMBER', 'ITS NAME THERE', '']

function shown({ url, members, tools, tokens }: ShownServer): string {
  const away = members.flatMap(({ name, away: why }) =>
    why === null ? [] : [`Away: ${printable(name)}: ${why}.`],
  )
  const rows = tools.map(({ name, member, tool, changed }) => [
    name,
    members[member]?.name ?? '',
    tool,
    changed ? 'changed since it was accepted' : '',
  ])
  const cost = `About ${tokens.listed} tokens are listed to an agent.`
  return [url, ...away, formatTable(toolTitles, rows).trimEnd(), cost].join('\n')
}

const show = serverCommand({
  name: 'virtual-servers show',
  about: 'Shows a virtual server with its tools as they are now.',
  positionals: ['NAME'],
  flags: accountFlag,
  ask: (client, args) =>
    client.operatorVirtualServers.details.mutate({
      account: args.required('account'),
      name: args.argument(0),
    }),
  text: shown,
})

const apply = serverCommand({
  name: 'virtual-servers apply',
  about: 'Makes a virtual server as a file describes it, or changes the one of that name.',
  positionals: ['FILE'],
  flags: accountFlag,
  notes: `FILE is YAML or JSON, and - reads standard input: name, title, instructions, mode (all or searchable), and members, of which each names a
connection, a service of the registry, or gateway: true, with prefix, others (allow or deny) and tools.`,
  ask: async (client, args) =>
    client.operatorVirtualServers.save.mutate({
      account: args.required('account'),
      spec: await readFileArgument(args, VirtualServerSpec),
    }),
  text: ({ spec, url }) => `${spec.name} is at ${url}`,
})

export const virtualServerCommands: readonly CliCommand[] = [list, show, apply]
