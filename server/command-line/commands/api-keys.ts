import { ApiKeyInput, permissionLabels, permissions } from '../../../shared/api-keys.ts'
import { systemClock } from '../../platform/clock.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import { type CliCommand, type ParsedArguments, checked } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable, printable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'
import {
  accountFlag as account,
  entriesOf,
  keyCommands,
  restrictionFlags,
  restrictionsOf,
} from './key-commands.ts'

type ListedKey = ProcedureOutputs['operatorApiKeys']['list'][number]

const titles = ['ID', 'NAME', 'KEY', 'PERMISSIONS', 'STATE', 'EXPIRES', 'LAST USED']

/** Returns API keys as a table; `now` in epoch ms. */
export function apiKeysTable(keys: readonly ListedKey[], now: number): string {
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.hint,
    key.permissions.join(', ') || '(none)',
    key.state,
    key.expiresAt === null ? 'never' : new Date(key.expiresAt).toISOString(),
    formatTimeAgo(key.lastUsedAt, now),
  ])
  return formatTable(titles, rows)
}

const list = serverCommand({
  name: 'api-keys list',
  about: 'Lists the API keys of an account.',
  flags: { account },
  ask: (client, args) => client.operatorApiKeys.list.query({ account: args.required('account') }),
  text: (keys) =>
    keys.length === 0
      ? 'The account has no API key; see api-keys create --help.'
      : apiKeysTable(keys, systemClock.now()).trimEnd(),
})

const create = serverCommand({
  name: 'api-keys create',
  about: 'Makes an API key for an account and prints it, once.',
  flags: {
    account,
    name: { type: 'string', value: 'TEXT', isRequired: true, about: 'what it is for' },
    permissions: {
      type: 'string',
      value: 'LIST',
      about: `any of ${permissions.join(', ')}, separated by commas (default: none)`,
    },
    ...restrictionFlags,
  },
  notes: `Permissions: ${permissions.map((permission) => `${permission} (${permissionLabels[permission]})`).join(', ')}.
Example: api-keys create --account 0x1234… --name CI --permissions token_create,statistics_read`,
  ask: (client, args) =>
    client.operatorApiKeys.create.mutate({ account: args.required('account'), ...parseApiKeyFlags(args) }),
  json: ({ key, value, propagated }) => ({ ...key, value, propagated }),
  text: ({ key, value }) =>
    `Made ${printable(key.name)} (${key.id}). The key:\n  ${value}\nIt is not shown here again.`,
})

/** Throws `CommandFailure`. */
export const parseApiKeyFlags = (args: Pick<ParsedArguments, 'text' | 'required'>): ApiKeyInput =>
  checked(ApiKeyInput, {
    name: args.required('name'),
    permissions: entriesOf(args.text('permissions')),
    ...restrictionsOf(args),
  })

const { toggle, remove } = keyCommands('api-keys', (client) => client.operatorApiKeys)

export const apiKeyCommands: readonly CliCommand[] = [
  create,
  list,
  toggle(false, 'Disables an API key; it is kept, and its owner can enable it.'),
  remove('Deletes an API key for good.'),
]
