import * as z from 'zod/mini'

import { ApiKeyInput, permissionLabels, permissions } from '../../../shared/api-keys.ts'
import { systemClock } from '../../platform/clock.ts'
import { describeInvalid } from '../../platform/validation-text.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import { CommandFailure, dataDirFlag } from '../arguments/command.ts'
import type { CliCommand, ParsedArguments } from '../arguments/command.ts'
import { connectToServer } from '../control-client.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import {
  accountFlag,
  entriesOf,
  refusedSince,
  restrictionFlags,
  restrictionsOf,
} from '../arguments/key-flags.ts'
import { formatTable, printable } from '../output/table.ts'
import { printResult, printJsonResult } from '../output/terminal.ts'

type ListedKey = ProcedureOutputs['operatorApiKeys']['list'][number]

const account = accountFlag

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

const list: CliCommand = {
  name: 'api-keys list',
  about: 'Lists the API keys of an account.',
  positionals: [],
  flags: { account, ...dataDirFlag },
  async run(args) {
    const client = connectToServer(args)
    const keys = await client.operatorApiKeys.list.query({ account: args.required('account') })
    if (args.isJson) printJsonResult(keys)
    else if (keys.length === 0) printResult('The account has no API key; see api-keys create --help.')
    else printResult(apiKeysTable(keys, systemClock.now()).trimEnd())
  },
}

const create: CliCommand = {
  name: 'api-keys create',
  about: 'Makes an API key for an account and prints it, once.',
  positionals: [],
  flags: {
    account,
    name: { type: 'string', value: 'TEXT', isRequired: true, about: 'what it is for' },
    permissions: {
      type: 'string',
      value: 'LIST',
      isRequired: true,
      about: `any of ${permissions.join(', ')}, separated by commas`,
    },
    ...restrictionFlags,
    ...dataDirFlag,
  },
  notes: `Permissions: ${permissions.map((permission) => `${permission} (${permissionLabels[permission]})`).join(', ')}.
Example: api-keys create --account 0x1234… --name CI --permissions token_create,statistics_read`,
  async run(args) {
    const input = parseApiKeyFlags(args)
    const client = connectToServer(args)
    const created = await client.operatorApiKeys.create.mutate({
      account: args.required('account'),
      ...input,
    })
    if (args.isJson) {
      printJsonResult({ ...created.key, value: created.value, propagated: created.propagated })
      return
    }
    printResult(`Made ${printable(created.key.name)} (${created.key.id}). The key:`)
    printResult(`  ${created.value}`)
    printResult('It is not shown here again.')
  },
}

/** Parses the flags with the server's schema, whose messages name the field. Throws `CommandFailure`. */
export function parseApiKeyFlags(args: Pick<ParsedArguments, 'text' | 'required'>): ApiKeyInput {
  const input = {
    name: args.required('name'),
    permissions: entriesOf(args.required('permissions')),
    ...restrictionsOf(args),
  }
  const checked = z.safeParse(ApiKeyInput, input)
  if (!checked.success) throw new CommandFailure(describeInvalid(ApiKeyInput, input, 'body'))
  return checked.data
}

const disable: CliCommand = {
  name: 'api-keys disable',
  about: 'Disables an API key; it is kept, and its owner can enable it.',
  positionals: ['ID'],
  flags: { account, ...dataDirFlag },
  async run(args) {
    const id = args.argument(0)
    const client = connectToServer(args)
    const { propagated } = await client.operatorApiKeys.setEnabled.mutate({
      account: args.required('account'),
      id,
      isEnabled: false,
    })
    if (args.isJson) printJsonResult({ disabled: id, propagated })
    else printResult(`Disabled ${id}; ${refusedSince(propagated)}`)
  },
}

const remove: CliCommand = {
  name: 'api-keys delete',
  about: 'Deletes an API key for good.',
  positionals: ['ID'],
  flags: { account, ...dataDirFlag },
  async run(args) {
    const id = args.argument(0)
    const client = connectToServer(args)
    const { propagated } = await client.operatorApiKeys.delete.mutate({
      account: args.required('account'),
      id,
    })
    if (args.isJson) printJsonResult({ deleted: id, propagated })
    else printResult(`Deleted ${id}; ${refusedSince(propagated)}`)
  },
}

export const apiKeyCommands: readonly CliCommand[] = [create, list, disable, remove]
