import { systemClock } from '../../platform/clock.ts'
import type { CliCommand } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable, printable } from '../output/table.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import { serverCommand } from '../server-command.ts'

type ListedServer = ProcedureOutputs['toolServers']['list'][number]
type Changes = ProcedureOutputs['toolServers']['changes']

const titles = ['SERVICE', 'ADDRESS', 'TOOLS', 'NOT ACCEPTED', 'CHANGED', 'WANTS CREDENTIALS']

const serversTable = (servers: readonly ListedServer[], now: number): string =>
  formatTable(
    titles,
    servers.map(({ serviceId, url, toolCount, changedTools, removedTools, changedAt, challengedAt }) => [
      serviceId,
      url,
      toolCount === null ? '-' : String(toolCount),
      [...changedTools, ...removedTools.map((name) => `${name} (gone)`)].join(', ') || '-',
      formatTimeAgo(changedAt, now),
      challengedAt === null ? 'no' : 'yes, although it is listed as open',
    ]),
  )

const list = serverCommand({
  name: 'tool-servers list',
  about:
    'Lists the tool servers whose tools were listed without credentials, or that asked for some unexpectedly.',
  ask: (client) => client.toolServers.list.query(),
  text: (servers) =>
    servers.length === 0
      ? 'No tool server was used yet.'
      : serversTable(servers, systemClock.now()).trimEnd(),
})

/** JSON on lines of its own, of which each is safe to print. */
const linesOf = (definition: unknown, sign: string): string[] =>
  definition === null
    ? [`${sign} (not kept, or none)`]
    : JSON.stringify(definition, null, 2)
        .split('\n')
        .map((line) => `${sign} ${printable(line)}`)

function changedLines({ name, before, after, findings }: Changes['tools'][number]): string[] {
  const old = linesOf(before, '-')
  const now = linesOf(after, '+')
  const both = new Set(old.map((line) => line.slice(1)).filter((line) => now.includes(`+${line}`)))
  const differing = [...old, ...now].filter((line) => !both.has(line.slice(1)))
  const found = findings.map(
    ({ kind, where, excerpt }) => `! ${kind} in ${printable(where)}: ${printable(excerpt)}`,
  )
  return [printable(name), ...differing, ...found, '']
}

const show = serverCommand({
  name: 'tool-servers show',
  about:
    'Shows what changed in the tools of a tool server since they were accepted, and what was found in them.',
  positionals: ['URL'],
  ask: (client, args) => client.toolServers.changes.query({ url: args.argument(0) }),
  text: ({ tools, fingerprint }) =>
    tools.length === 0
      ? 'Its tools are as they were accepted.'
      : [...tools.flatMap(changedLines), `Fingerprint: ${fingerprint}`].join('\n'),
})

const accept = serverCommand({
  name: 'tool-servers accept',
  about: 'Accepts the tools of a tool server as `tool-servers show` has shown them.',
  positionals: ['URL', 'FINGERPRINT'],
  ask: (client, args) =>
    client.toolServers.acceptTools.mutate({ url: args.argument(0), fingerprint: args.argument(1) }),
  json: (_, args) => ({ accepted: args.argument(0) }),
  text: (_, args) => `The tools of ${printable(args.argument(0))} are accepted.`,
})

export const toolServerCommands: readonly CliCommand[] = [list, show, accept]
