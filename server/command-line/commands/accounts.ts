import { systemClock } from '../../platform/clock.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import { type CliCommand, checked } from '../arguments/command.ts'
import { NewInvitation } from '../../../shared/invitations.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'

type ListedAccount = ProcedureOutputs['accounts']['list'][number]
type Identity = ListedAccount['identities'][number]

const titles = ['ID', 'ROLE', 'STATE', 'IDENTITIES', 'CREATED', 'LAST SEEN']

const stateTexts: Record<ListedAccount['state'], string> = {
  active: 'active',
  pending: 'waits for approval',
}

/** Returns accounts as a table; `now` in epoch ms. */
export function accountsTable(accounts: readonly ListedAccount[], now: number): string {
  const rows = accounts.map(({ id, role, state, identities, createdAt, lastSeenAt }) => [
    id,
    role,
    stateTexts[state],
    identities.map(identityText).join(', ') || '(none)',
    new Date(createdAt).toISOString(),
    lastSeenAt === null ? 'not signed in' : formatTimeAgo(lastSeenAt, now),
  ])
  return formatTable(titles, rows)
}

/** Returns an identity in a form that `--account` accepts, followed by its label. */
function identityText({ kind, subject, label }: Identity): string {
  const name = kind === 'wallet' ? subject : `${kind}:${subject}`
  return label === null ? name : `${name} (${label})`
}

const list = serverCommand({
  name: 'accounts list',
  about: 'Lists the accounts, the newest first.',
  ask: (client) => client.accounts.list.query(),
  text: (accounts) =>
    accounts.length === 0
      ? 'Nobody has signed in yet; the server prints where when it starts.'
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

const invite = serverCommand({
  name: 'accounts invite',
  about: 'Makes a link that lets one person in.',
  flags: {
    for: {
      type: 'string',
      value: 'IDENTITY',
      about: 'the only one who can use it: a wallet address, github:<user id> or google:<user id>',
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

export const accountCommands: readonly CliCommand[] = [list, approve, invite]
