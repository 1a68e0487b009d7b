import { systemClock } from '../../platform/clock.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import { type CliCommand, CommandFailure, checked } from '../arguments/command.ts'
import type { AccountDeletion } from '../../../shared/account-export.ts'
import { confirmationOf } from '../../../shared/confirmation.ts'
import { AccountPlanChange, NewAccount } from '../../../shared/accounts.ts'
import { identityForms } from '../../../shared/identity-names.ts'
import { StatementQuery } from '../../../shared/statement.ts'
import { NewInvitation } from '../../../shared/invitations.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable, printable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'

type ListedAccount = ProcedureOutputs['accounts']['list'][number]
type Identity = ListedAccount['identities'][number]

const titles = ['ID', 'ROLE', 'STATE', 'PLAN', 'IDENTITIES', 'CREATED', 'LAST SEEN']

const stateTexts: Record<ListedAccount['state'], string> = {
  active: 'active',
  pending: 'waits for approval',
  disabled: 'disabled',
}

/** Returns accounts as a table; `now` in epoch ms. */
export function accountsTable(accounts: readonly ListedAccount[], now: number): string {
  const rows = accounts.map(({ id, role, state, plan, identities, createdAt, lastSeenAt }) => [
    id,
    role,
    stateTexts[state],
    plan ?? '-',
    identities.map(identityText).join(', ') || '(none)',
    new Date(createdAt).toISOString(),
    lastSeenAt === null ? 'never' : formatTimeAgo(lastSeenAt, now),
  ])
  return formatTable(titles, rows)
}

/** Returns an identity in a form that `--account` accepts, followed by its label. */
function identityText({ kind, subject, label }: Identity): string {
  const name = kind === 'wallet' ? subject : `${kind}:${subject}`
  return label === null ? name : `${name} (${label})`
}

const notYet = ' One process of the installation has not confirmed it yet.'

const list = serverCommand({
  name: 'accounts list',
  about: 'Lists the newest thousand accounts, or those that are searched for.',
  flags: {
    search: {
      type: 'string',
      value: 'TEXT',
      about: 'a part of an id, an identity, a name or an e-mail address',
    },
  },
  async ask(client, args): Promise<readonly ListedAccount[]> {
    const search = args.text('search')
    if (search === null) return client.accounts.list.query()
    return (await client.accounts.page.query({ search, limit: 200 })).accounts
  },
  text: (accounts) =>
    accounts.length === 0
      ? 'There is none: nobody has signed in yet, or nobody fits the search.'
      : accountsTable(accounts, systemClock.now()).trimEnd(),
})

const approve = serverCommand({
  name: 'accounts approve',
  about: 'Approves an account that waits for approval.',
  positionals: ['ACCOUNT'],
  notes: 'ACCOUNT is its id, the address of one of its wallets, or an identity such as github:583231.',
  ask: (client, args) => client.accounts.approve.mutate({ account: args.argument(0) }),
  text: ({ id }) => `${id} is approved.`,
})

const disable = serverCommand({
  name: 'accounts disable',
  about: 'Disables an account: its sessions end, and its keys and agents are refused by every process.',
  positionals: ['ACCOUNT'],
  ask: (client, args) => client.accounts.disable.mutate({ account: args.argument(0) }),
  text: ({ id, keys, propagated }) =>
    `${id} is disabled, with ${keys} keys and agents.${propagated ? '' : notYet}`,
})

const enable = serverCommand({
  name: 'accounts enable',
  about: 'Enables an account again: its keys and agents work as before.',
  positionals: ['ACCOUNT'],
  ask: (client, args) => client.accounts.enable.mutate({ account: args.argument(0) }),
  text: ({ id, keys, propagated }) =>
    `${id} is enabled, with ${keys} keys and agents.${propagated ? '' : notYet}`,
})

const exportOne = serverCommand({
  name: 'accounts export',
  about: 'Prints everything that is stored of an account as one JSON document, without secrets.',
  positionals: ['ACCOUNT'],
  ask: (client, args) => client.accounts.export.query({ account: args.argument(0) }),
  text: (document) => JSON.stringify(document, null, 2),
})

const removedText = ({ queryKeys, apiKeys, agents, connections, virtualServers, toolPolicies }: Removed) =>
  `${queryKeys + apiKeys} keys, ${agents} agents, ${connections} connections, ${virtualServers} virtual servers, ${toolPolicies} policies`

type Removed = AccountDeletion['removed']

const remove = serverCommand({
  name: 'accounts delete',
  about:
    'Deletes an account with its keys, agents and connections, for good; every process refuses them then.',
  positionals: ['ACCOUNT'],
  flags: {
    confirm: { type: 'string', value: 'LAST6', about: 'the last six characters of its id' },
  },
  notes:
    'The audit log and the sums of usage stay. Keep what is stored of it first: accounts export ACCOUNT > FILE.',
  async ask(client, args) {
    const { id } = await client.accounts.find.query({ account: args.argument(0) })
    const confirmation = confirmationOf(id)
    if (args.text('confirm') !== confirmation) {
      throw new CommandFailure(
        `This deletes ${id} for good, and nothing was deleted yet. Run it again with --confirm ${confirmation}`,
      )
    }
    return client.accounts.delete.mutate({ account: id })
  },
  text: ({ id, removed, propagated }) =>
    `${id} is deleted, with ${removedText(removed)}.${propagated ? '' : notYet}`,
})

const statement = serverCommand({
  name: 'accounts statement',
  about: 'Prints what an account used in a month of UTC as CSV: a line for each key, and their sum.',
  positionals: ['ACCOUNT', 'MONTH'],
  notes: 'MONTH is such as 2026-01; days are kept for two years.',
  ask: (client, args) =>
    client.operatorUsage.statement.query({
      account: args.argument(0),
      ...checked(StatementQuery, { month: args.argument(1) }),
    }),
  text: ({ csv }) => csv.trimEnd(),
})

const plan = serverCommand({
  name: 'accounts plan',
  about: 'Gives an account another plan. Its keys are held to it at once, and none is deleted.',
  positionals: ['ACCOUNT', 'PLAN'],
  notes: 'PLAN is a name from plans list, or none.',
  ask: (client, args) =>
    client.accounts.setPlan.mutate(
      checked(AccountPlanChange, {
        account: args.argument(0),
        plan: args.argument(1) === 'none' ? null : args.argument(1),
      }),
    ),
  text: ({ id, propagated }, args) => {
    const name = args.argument(1)
    return `${id} has ${name === 'none' ? 'no plan' : `the plan ${printable(name)}`}.${propagated ? '' : notYet}`
  },
})

const create = serverCommand({
  name: 'accounts create',
  about: 'Makes an account for somebody who signs in later, whatever the sign-up policy.',
  positionals: ['IDENTITY'],
  notes: `IDENTITY is ${identityForms}.`,
  ask: (client, args) => client.accounts.create.mutate(checked(NewAccount, { identity: args.argument(0) })),
  text: ({ id }) => `${id} is there.`,
})

const invite = serverCommand({
  name: 'accounts invite',
  about: 'Makes a link that lets one person in.',
  flags: {
    for: {
      type: 'string',
      value: 'IDENTITY',
      about: `the only one who can use it: ${identityForms}`,
    },
    days: { type: 'string', value: 'N', about: 'how long it is good, from 1 to 90; 7 when not given' },
    note: { type: 'string', value: 'TEXT', about: 'a note on whom it is for' },
  },
  notes: 'The link is shown once; the server keeps only a hash of its secret.',
  async ask(client, args) {
    const days = args.text('days')
    const asked = checked(NewInvitation, {
      note: args.text('note') ?? '',
      for: args.text('for'),
      ...(days !== null && { days: Number(days) }),
    })
    return client.accounts.invite.mutate(asked)
  },
  text: ({ link, expiresAt }) => `${link}
It is shown only now, and lets in one person, until ${new Date(expiresAt).toISOString()}.`,
})

export const accountCommands: readonly CliCommand[] = [
  list,
  approve,
  disable,
  enable,
  exportOne,
  remove,
  statement,
  plan,
  create,
  invite,
]
