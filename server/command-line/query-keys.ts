import * as z from 'zod/mini'

import { ApiKeyRotation } from '../../shared/api-keys.ts'
import type { Limit } from '../../shared/limits.ts'
import { periods } from '../../shared/periods.ts'
import { QueryKeyForm, defaultQueryKeyType } from '../../shared/query-keys.ts'
import { systemClock } from '../platform/clock.ts'
import { describeInvalid } from '../platform/validation-text.ts'
import { ago } from './ago.ts'
import { CommandFailure, dataDirFlag } from './command.ts'
import type { Command, Flag, Given } from './command.ts'
import { controlClient } from './control-client.ts'
import type { Answers } from './control-client.ts'
import { accountFlag as account, refusedSince, restrictionFlags, restrictionsOf } from './key-flags.ts'
import { readSettings } from './settings.ts'
import { formatTable, printable } from './table.ts'
import { print, printJson } from './terminal.ts'

type ListedKey = Answers['operatorQueryKeys']['list'][number]

const titles = ['ID', 'NAME', 'KEY', 'TYPE', 'ENDPOINT', 'RATE', 'CREDITS', 'STATE', 'EXPIRES', 'LAST USED']

/** As a table; `now` in epoch ms. */
export function queryKeysTable(keys: readonly ListedKey[], now: number): string {
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.hint,
    key.type,
    key.endpoint,
    limitText(key.rate),
    limitText(key.credits),
    key.state,
    key.expiresAt === null ? 'never' : new Date(key.expiresAt).toISOString(),
    ago(key.lastUsedAt, now),
  ])
  return formatTable(titles, rows)
}

const limitText = (limit: Limit | null): string =>
  limit === null ? 'none' : `${limit.units}/${limit.period}`

const list: Command = {
  name: 'query-keys list',
  about: 'Lists the query keys of an account.',
  takes: [],
  flags: { account, ...dataDirFlag },
  async run(given) {
    const client = controlClient(readSettings(given).dataDir)
    const keys = await client.operatorQueryKeys.list.query({ account: given.required('account') })
    if (given.isJson) printJson(keys)
    else if (keys.length === 0) print('The account has no query key; see query-keys create --help.')
    else print(queryKeysTable(keys, systemClock.now()).trimEnd())
  },
}

const limitFlag = (what: string): Flag => ({
  type: 'string',
  value: 'NUMBER/PERIOD',
  about: `most ${what} in any period, such as 100/minute, or none (default: that of the installation)`,
})

const create: Command = {
  name: 'query-keys create',
  about: 'Makes a query key for an account and prints it, once.',
  takes: [],
  flags: {
    account,
    name: { type: 'string', value: 'TEXT', isRequired: true, about: 'what it is for' },
    endpoint: { type: 'string', value: 'NAME', isRequired: true, about: 'the endpoint at which it works' },
    type: { type: 'string', value: 'TYPE', about: `kind of key (default: ${defaultQueryKeyType})` },
    'rate-limit': limitFlag('requests'),
    'credits-limit': limitFlag('credits'),
    ...restrictionFlags,
    ...dataDirFlag,
  },
  notes: `Periods: ${periods.join(', ')}; a month is any 30 days.
Example: query-keys create --account 0x1234… --name wallet --endpoint testnet --rate-limit 100/minute`,
  async run(given) {
    const form = readQueryKeyFlags(given)
    const client = controlClient(readSettings(given).dataDir)
    const made = await client.operatorQueryKeys.create.mutate({
      account: given.required('account'),
      ...form,
    })
    if (given.isJson) printMinted(made)
    else printOnce(`Made ${printable(made.key.name)} (${made.key.id}).`, made)
  },
}

type Minted = Answers['operatorQueryKeys']['create']

const printMinted = ({ key, value, url, propagated }: Minted): void =>
  printJson({ ...key, value, url, propagated })

function printOnce(what: string, { value, url }: Minted): void {
  print(`${what} The key:`)
  print(`  ${value}`)
  print('JSON-RPC calls go to:')
  print(`  ${url}`)
  print('It is not shown here again.')
}

/** Checked by the schema that the server has, too, as its message names the field. Throws `CommandFailure`. */
export function readQueryKeyFlags(given: Pick<Given, 'text' | 'required'>): QueryKeyForm {
  const type = given.text('type')
  const rate = readLimit(given.text('rate-limit'))
  const credits = readLimit(given.text('credits-limit'))
  const form = {
    name: given.required('name'),
    endpoint: given.required('endpoint'),
    ...(type !== null && { type }),
    ...(rate && { rateLimit: rate.units, rateLimitPeriod: rate.period }),
    ...(credits && { creditsLimit: credits.units, creditsLimitPeriod: credits.period }),
    ...restrictionsOf(given),
  }
  const checked = z.safeParse(QueryKeyForm, form)
  if (!checked.success) throw new CommandFailure(describeInvalid(QueryKeyForm, form, 'body'))
  return checked.data
}

/** `100/minute`, taken apart, or `none`; what is wrong with the parts is for the schema to say. */
function readLimit(text: string | null): { units: number | null; period?: string } | null {
  if (text === null) return null
  if (text.trim() === 'none') return { units: null }
  const [units = '', period = ''] = text.split('/', 2).map((part) => part.trim())
  return { units: units === '' ? Number.NaN : Number(units), period }
}

const toggle = (isEnabled: boolean): Command => ({
  name: `query-keys ${isEnabled ? 'enable' : 'disable'}`,
  about: isEnabled
    ? 'Enables a query key that was disabled.'
    : 'Disables a query key; it is kept, and can be enabled again.',
  takes: ['ID'],
  flags: { account, ...dataDirFlag },
  async run(given) {
    const id = given.argument(0)
    const client = controlClient(readSettings(given).dataDir)
    const { propagated } = await client.operatorQueryKeys.setEnabled.mutate({
      account: given.required('account'),
      id,
      isEnabled,
    })
    if (given.isJson) printJson({ [isEnabled ? 'enabled' : 'disabled']: id, propagated })
    else print(isEnabled ? `Enabled ${id}.` : `Disabled ${id}; ${refusedSince(propagated)}`)
  },
})

const remove: Command = {
  name: 'query-keys delete',
  about: 'Deletes a query key for good.',
  takes: ['ID'],
  flags: { account, ...dataDirFlag },
  async run(given) {
    const id = given.argument(0)
    const client = controlClient(readSettings(given).dataDir)
    const { propagated } = await client.operatorQueryKeys.delete.mutate({
      account: given.required('account'),
      id,
    })
    if (given.isJson) printJson({ deleted: id, propagated })
    else print(`Deleted ${id}; ${refusedSince(propagated)}`)
  },
}

const minuteMs = 60_000

const rotate: Command = {
  name: 'query-keys rotate',
  about: 'Gives a query key a new value and prints it, once; the old one can go on for a while.',
  takes: ['ID'],
  flags: {
    account,
    overlap: {
      type: 'string',
      value: 'MINUTES',
      about: 'for how long the old value works beside the new one (default: not at all)',
    },
    ...dataDirFlag,
  },
  async run(given) {
    const rotation = { id: given.argument(0), overlapMs: Number(given.text('overlap') ?? 0) * minuteMs }
    if (!z.safeParse(ApiKeyRotation, rotation).success) {
      throw new CommandFailure('--overlap takes minutes, from 0 to 43200 (30 days)')
    }
    const client = controlClient(readSettings(given).dataDir)
    const made = await client.operatorQueryKeys.rotate.mutate({
      account: given.required('account'),
      ...rotation,
    })
    if (given.isJson) printMinted(made)
    else printOnce(`Gave ${printable(made.key.name)} (${made.key.id}) a new value.`, made)
  },
}

export const queryKeyCommands: readonly Command[] = [
  create,
  list,
  toggle(true),
  toggle(false),
  remove,
  rotate,
]
