import * as z from 'zod/mini'

import { ApiKeyRotation } from '../../../shared/api-keys.ts'
import type { Limit } from '../../../shared/limits.ts'
import { periods } from '../../../shared/periods.ts'
import { QueryKeyForm, defaultQueryKeyType } from '../../../shared/query-keys.ts'
import { systemClock } from '../../platform/clock.ts'
import { describeInvalid } from '../../platform/validation-text.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import { CommandFailure, dataDirFlag } from '../arguments/command.ts'
import type { CliCommand, CliFlag, ParsedArguments } from '../arguments/command.ts'
import { connectToServer } from '../control-client.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import {
  accountFlag as account,
  refusedSince,
  restrictionFlags,
  restrictionsOf,
} from '../arguments/key-flags.ts'
import { formatTable, printable } from '../output/table.ts'
import { printResult, printJsonResult } from '../output/terminal.ts'
import { minuteMs } from '../../../shared/durations.ts'

type ListedKey = ProcedureOutputs['operatorQueryKeys']['list'][number]

const titles = ['ID', 'NAME', 'KEY', 'TYPE', 'ENDPOINT', 'RATE', 'CREDITS', 'STATE', 'EXPIRES', 'LAST USED']

/** Returns query keys as a table; `now` in epoch ms. */
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
    formatTimeAgo(key.lastUsedAt, now),
  ])
  return formatTable(titles, rows)
}

const limitText = (limit: Limit | null): string =>
  limit === null ? 'none' : `${limit.units}/${limit.period}`

const list: CliCommand = {
  name: 'query-keys list',
  about: 'Lists the query keys of an account.',
  positionals: [],
  flags: { account, ...dataDirFlag },
  async run(args) {
    const client = connectToServer(args)
    const keys = await client.operatorQueryKeys.list.query({ account: args.required('account') })
    if (args.isJson) printJsonResult(keys)
    else if (keys.length === 0) printResult('The account has no query key; see query-keys create --help.')
    else printResult(queryKeysTable(keys, systemClock.now()).trimEnd())
  },
}

const limitFlag = (what: string): CliFlag => ({
  type: 'string',
  value: 'NUMBER/PERIOD',
  about: `most ${what} in any period, such as 100/minute, or none (default: that of the installation)`,
})

const create: CliCommand = {
  name: 'query-keys create',
  about: 'Makes a query key for an account and prints it, once.',
  positionals: [],
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
  async run(args) {
    const form = parseQueryKeyFlags(args)
    const client = connectToServer(args)
    const made = await client.operatorQueryKeys.create.mutate({
      account: args.required('account'),
      ...form,
    })
    if (args.isJson) printCreatedJson(made)
    else printCreated(`Made ${printable(made.key.name)} (${made.key.id}).`, made)
  },
}

type CreatedKey = ProcedureOutputs['operatorQueryKeys']['create']

const printCreatedJson = ({ key, value, url, propagated }: CreatedKey): void =>
  printJsonResult({ ...key, value, url, propagated })

function printCreated(what: string, { value, url }: CreatedKey): void {
  printResult(`${what} The key:`)
  printResult(`  ${value}`)
  printResult('JSON-RPC calls go to:')
  printResult(`  ${url}`)
  printResult('It is not shown here again.')
}

/** Parses the flags with the server's schema, whose messages name the field. Throws `CommandFailure`. */
export function parseQueryKeyFlags(args: Pick<ParsedArguments, 'text' | 'required'>): QueryKeyForm {
  const type = args.text('type')
  const rate = readLimit(args.text('rate-limit'))
  const credits = readLimit(args.text('credits-limit'))
  const form = {
    name: args.required('name'),
    endpoint: args.required('endpoint'),
    ...(type !== null && { type }),
    ...(rate && { rateLimit: rate.units, rateLimitPeriod: rate.period }),
    ...(credits && { creditsLimit: credits.units, creditsLimitPeriod: credits.period }),
    ...restrictionsOf(args),
  }
  const checked = z.safeParse(QueryKeyForm, form)
  if (!checked.success) throw new CommandFailure(describeInvalid(QueryKeyForm, form, 'body'))
  return checked.data
}

/** Splits a limit such as `100/minute` or `none`. The schema checks its parts. */
function readLimit(text: string | null): { units: number | null; period?: string } | null {
  if (text === null) return null
  if (text.trim() === 'none') return { units: null }
  const [units = '', period = ''] = text.split('/', 2).map((part) => part.trim())
  return { units: units === '' ? Number.NaN : Number(units), period }
}

const toggle = (isEnabled: boolean): CliCommand => ({
  name: `query-keys ${isEnabled ? 'enable' : 'disable'}`,
  about: isEnabled
    ? 'Enables a query key that was disabled.'
    : 'Disables a query key; it is kept, and can be enabled again.',
  positionals: ['ID'],
  flags: { account, ...dataDirFlag },
  async run(args) {
    const id = args.argument(0)
    const client = connectToServer(args)
    const { propagated } = await client.operatorQueryKeys.setEnabled.mutate({
      account: args.required('account'),
      id,
      isEnabled,
    })
    if (args.isJson) printJsonResult({ [isEnabled ? 'enabled' : 'disabled']: id, propagated })
    else printResult(isEnabled ? `Enabled ${id}.` : `Disabled ${id}; ${refusedSince(propagated)}`)
  },
})

const remove: CliCommand = {
  name: 'query-keys delete',
  about: 'Deletes a query key for good.',
  positionals: ['ID'],
  flags: { account, ...dataDirFlag },
  async run(args) {
    const id = args.argument(0)
    const client = connectToServer(args)
    const { propagated } = await client.operatorQueryKeys.delete.mutate({
      account: args.required('account'),
      id,
    })
    if (args.isJson) printJsonResult({ deleted: id, propagated })
    else printResult(`Deleted ${id}; ${refusedSince(propagated)}`)
  },
}

const rotate: CliCommand = {
  name: 'query-keys rotate',
  about: 'Gives a query key a new value and prints it, once; the old one can go on for a while.',
  positionals: ['ID'],
  flags: {
    account,
    overlap: {
      type: 'string',
      value: 'MINUTES',
      about: 'for how long the old value works beside the new one (default: not at all)',
    },
    ...dataDirFlag,
  },
  async run(args) {
    const rotation = { id: args.argument(0), overlapMs: Number(args.text('overlap') ?? 0) * minuteMs }
    if (!z.safeParse(ApiKeyRotation, rotation).success) {
      throw new CommandFailure('--overlap takes minutes, from 0 to 43200 (30 days)')
    }
    const client = connectToServer(args)
    const made = await client.operatorQueryKeys.rotate.mutate({
      account: args.required('account'),
      ...rotation,
    })
    if (args.isJson) printCreatedJson(made)
    else printCreated(`Gave ${printable(made.key.name)} (${made.key.id}) a new value.`, made)
  },
}

export const queryKeyCommands: readonly CliCommand[] = [
  create,
  list,
  toggle(true),
  toggle(false),
  remove,
  rotate,
]
