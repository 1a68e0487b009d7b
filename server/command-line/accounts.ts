import { systemClock } from '../platform/clock.ts'
import { ago } from './ago.ts'
import { dataDirFlag } from './command.ts'
import type { Command } from './command.ts'
import { controlClient } from './control-client.ts'
import type { Answers } from './control-client.ts'
import { readSettings } from './settings.ts'
import { formatTable } from './table.ts'
import { print, printJson } from './terminal.ts'

type ListedAccount = Answers['accounts']['list'][number]
type Identity = ListedAccount['identities'][number]

const titles = ['ID', 'ROLE', 'IDENTITIES', 'CREATED', 'LAST SEEN']

/** As a table; `now` in epoch ms. */
export function accountsTable(accounts: readonly ListedAccount[], now: number): string {
  const rows = accounts.map(({ id, role, identities, createdAt, lastSeenAt }) => [
    id,
    role,
    identities.map(identityText).join(', ') || '(none)',
    new Date(createdAt).toISOString(),
    lastSeenAt === null ? 'not signed in' : ago(lastSeenAt, now),
  ])
  return formatTable(titles, rows)
}

/** In a form that `--account` takes, with what people call it behind. */
function identityText({ kind, subject, label }: Identity): string {
  const name = kind === 'wallet' ? subject : `${kind}:${subject}`
  return label === null ? name : `${name} (${label})`
}

const list: Command = {
  name: 'accounts list',
  about: 'Lists everybody who has signed in, the newest first.',
  takes: [],
  flags: dataDirFlag,
  async run(given) {
    const accounts = await controlClient(readSettings(given).dataDir).accounts.list.query()
    if (given.isJson) printJson(accounts)
    else if (accounts.length === 0) print('Nobody has signed in yet; the server prints where when it starts.')
    else print(accountsTable(accounts, systemClock.now()).trimEnd())
  },
}

export const accountCommands: readonly Command[] = [list]
