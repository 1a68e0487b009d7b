import { TeamById } from '../../../shared/teams.ts'
import { type CliCommand, CommandFailure, checked } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'

type ListedTeam = ProcedureOutputs['teams']['all'][number]
type TeamMember = ProcedureOutputs['teams']['members'][number]

const list = serverCommand({
  name: 'teams list',
  about: 'Lists the newest thousand teams. Operators treat each as the account that it is.',
  ask: (client): Promise<readonly ListedTeam[]> => client.teams.all.query(),
  text: (teams) =>
    teams.length === 0
      ? 'There is none: people make teams in the console, under Settings.'
      : formatTable(
          ['ID', 'NAME', 'STATE', 'PLAN', 'MEMBERS', 'CREATED'],
          teams.map(({ id, name, state, plan, members, createdAt }) => [
            id,
            name,
            state,
            plan ?? '-',
            String(members),
            new Date(createdAt).toISOString(),
          ]),
        ).trimEnd(),
})

const members = serverCommand({
  name: 'teams members',
  about: 'Lists who belongs to a team, and as what.',
  positionals: ['TEAM'],
  notes: 'TEAM is an id from teams list.',
  async ask(client, args): Promise<readonly TeamMember[]> {
    const found = await client.teams.members.query(checked(TeamById, { team: args.argument(0) }))
    // A team that is there has an owner.
    if (found.length === 0) throw new CommandFailure('There is no team of this id; see teams list')
    return found
  },
  text: (found) =>
    formatTable(
      ['ACCOUNT', 'ROLE', 'IDENTITY', 'JOINED'],
      found.map(({ id, role, identity, joinedAt }) => [
        id,
        role,
        identity === null ? '(none)' : `${identity.kind}:${identity.subject}`,
        new Date(joinedAt).toISOString(),
      ]),
    ).trimEnd(),
})

export const teamCommands: readonly CliCommand[] = [list, members]
