import * as z from 'zod/mini'

import { ApiKeyInput, permissionLabels, permissions } from '../../shared/api-keys.ts'
import { systemClock } from '../platform/clock.ts'
import { describeInvalid } from '../platform/validation-text.ts'
import { ago } from './ago.ts'
import { CommandFailure, dataDirFlag } from './command.ts'
import type { Command, Given } from './command.ts'
import { controlClient } from './control-client.ts'
import type { Answers } from './control-client.ts'
import { accountFlag, entriesOf, refusedSince, restrictionFlags, restrictionsOf } from './key-flags.ts'
import { readSettings } from './settings.ts'
import { formatTable, printable } from './table.ts'
import { print, printJson } from './terminal.ts'

type ListedKey = Answers['operatorApiKeys']['list'][number]

const account = accountFlag

const titles = ['ID', 'NAME', 'KEY', 'PERMISSIONS', 'STATE', 'EXPIRES', 'LAST USED']

/** As a table; `now` in epoch ms. */
export function apiKeysTable(keys: readonly ListedKey[], now: number): string {
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.hint,
    key.permissions.join(', ') || '(none)',
    key.state,
    key.expiresAt === null ? 'never' : new Date(key.expiresAt).toISOString(),
    ago(key.lastUsedAt, now),
  ])
  return formatTable(titles, rows)
}

const list: Command = {
  name: 'api-keys list',
  about: 'Lists the API keys of an account.',
  takes: [],
  flags: { account, ...dataDirFlag },
  async run(given) {
    const client = controlClient(readSettings(given).dataDir)
    const keys = await client.operatorApiKeys.list.query({ account: given.required('account') })
    if (given.isJson) printJson(keys)
    else if (keys.length === 0) print('The account has no API key; see api-keys create --help.')
    else print(apiKeysTable(keys, systemClock.now()).trimEnd())
  },
}

const create: Command = {
  name: 'api-keys create',
  about: 'Makes an API key for an account and prints it, once.',
  takes: [],
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
  async run(given) {
    const input = readApiKeyFlags(given)
    const client = controlClient(readSettings(given).dataDir)
    const created = await client.operatorApiKeys.create.mutate({
      account: given.required('account'),
      ...input,
    })
    if (given.isJson) {
      printJson({ ...created.key, value: created.value, propagated: created.propagated })
      return
    }
    print(`Made ${printable(created.key.name)} (${created.key.id}). The key:`)
    print(`  ${created.value}`)
    print('It is not shown here again.')
  },
}

/** Checked by the schema that the server has, too, as its message names the field. Throws `CommandFailure`. */
export function readApiKeyFlags(given: Pick<Given, 'text' | 'required'>): ApiKeyInput {
  const input = {
    name: given.required('name'),
    permissions: entriesOf(given.required('permissions')),
    ...restrictionsOf(given),
  }
  const checked = z.safeParse(ApiKeyInput, input)
  if (!checked.success) throw new CommandFailure(describeInvalid(ApiKeyInput, input, 'body'))
  return checked.data
}

const disable: Command = {
  name: 'api-keys disable',
  about: 'Disables an API key; it is kept, and its owner can enable it.',
  takes: ['ID'],
  flags: { account, ...dataDirFlag },
  async run(given) {
    const id = given.argument(0)
    const client = controlClient(readSettings(given).dataDir)
    const { propagated } = await client.operatorApiKeys.setEnabled.mutate({
      account: given.required('account'),
      id,
      isEnabled: false,
    })
    if (given.isJson) printJson({ disabled: id, propagated })
    else print(`Disabled ${id}; ${refusedSince(propagated)}`)
  },
}

const remove: Command = {
  name: 'api-keys delete',
  about: 'Deletes an API key for good.',
  takes: ['ID'],
  flags: { account, ...dataDirFlag },
  async run(given) {
    const id = given.argument(0)
    const client = controlClient(readSettings(given).dataDir)
    const { propagated } = await client.operatorApiKeys.delete.mutate({
      account: given.required('account'),
      id,
    })
    if (given.isJson) printJson({ deleted: id, propagated })
    else print(`Deleted ${id}; ${refusedSince(propagated)}`)
  },
}

export const apiKeyCommands: readonly Command[] = [create, list, disable, remove]
