import { systemClock } from '../../platform/clock.ts'
import type { CliCommand } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable, printable } from '../output/table.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import { serverCommand } from '../server-command.ts'

type ListedAgent = ProcedureOutputs['operatorAgents']['list'][number]
type ListedClient = ProcedureOutputs['operatorAgents']['clients'][number]

const agentTitles = [
  'ID',
  'ACCOUNT',
  'AGENT',
  'SENDS ANSWERS TO',
  'SCOPES',
  'FOR',
  'CONNECTED',
  'LAST RENEWED',
]

/** Returns agents as a table; `now` in epoch ms. */
const agentsTable = (agents: readonly ListedAgent[], now: number): string =>
  formatTable(
    agentTitles,
    agents.map((agent) => [
      agent.id,
      agent.accountId,
      agent.verifiedHost ?? `${agent.clientName} (not verified)`,
      agent.redirectHost,
      agent.scopes.join(', '),
      agent.resource,
      formatTimeAgo(agent.createdAt, now),
      formatTimeAgo(agent.usedAt, now),
    ]),
  )

const clientTitles = ['ID', 'KIND', 'NAME', 'AGENTS', 'KNOWN SINCE', 'LAST ASKED']

const clientsTable = (clients: readonly ListedClient[], now: number): string =>
  formatTable(
    clientTitles,
    clients.map(({ id, kind, name, grants, createdAt, usedAt }) => [
      id,
      kind,
      name,
      String(grants),
      formatTimeAgo(createdAt, now),
      formatTimeAgo(usedAt, now),
    ]),
  )

const list = serverCommand({
  name: 'agents list',
  about: 'Lists the agents that accounts let in by OAuth, the newest first.',
  ask: (client) => client.operatorAgents.list.query(),
  text: (agents) =>
    agents.length === 0 ? 'No agent is let in.' : agentsTable(agents, systemClock.now()).trimEnd(),
})

const outcome = (propagated: boolean): string =>
  propagated ? 'refused from now on.' : 'refused here from now on; one process has not confirmed it yet.'

const revoke = serverCommand({
  name: 'agents revoke',
  about: 'Ends the access of one agent.',
  positionals: ['ID'],
  ask: (client, args) => client.operatorAgents.revoke.mutate({ id: args.argument(0) }),
  json: ({ propagated }, args) => ({ revoked: args.argument(0), propagated }),
  text: ({ propagated }, args) => `${printable(args.argument(0))} is ${outcome(propagated)}`,
})

const revokeAll = serverCommand({
  name: 'agents revoke-all',
  about: 'Ends the access of every agent of an account.',
  flags: {
    account: {
      type: 'string',
      value: 'ID|ADDRESS',
      isRequired: true,
      about: 'whose agents: the id of an account or the address of its wallet',
    },
  },
  ask: (client, args) => client.operatorAgents.revokeAll.mutate({ account: args.required('account') }),
  text: ({ count, propagated }) =>
    count === 0 ? 'The account has let in no agent.' : `Revoked: ${count}; ${outcome(propagated)}`,
})

const clients = serverCommand({
  name: 'agents clients',
  about: 'Lists the programs that asked for access, by their documents or by registering.',
  ask: (client) => client.operatorAgents.clients.query(),
  text: (known) =>
    known.length === 0
      ? 'No program has asked for access.'
      : clientsTable(known, systemClock.now()).trimEnd(),
})

export const agentCommands: readonly CliCommand[] = [list, revoke, revokeAll, clients]
