import * as z from 'zod/mini'

import { ApiKeyRotation } from '../../../shared/api-keys.ts'
import type { Limit } from '../../../shared/limits.ts'
import { periods } from '../../../shared/periods.ts'
import { QueryKeyForm, defaultQueryKeyType } from '../../../shared/query-keys.ts'
import { systemClock } from '../../platform/clock.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import {
  type CliCommand,
  type CliFlag,
  CommandFailure,
  type ParsedArguments,
  checked,
} from '../arguments/command.ts'
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
    [key.endpoint, ...key.moreEndpoints].join(', '),
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

const list = serverCommand({
  name: 'query-keys list',
  about: 'Lists the query keys of an account.',
  flags: { account },
  ask: (client, args) => client.operatorQueryKeys.list.query({ account: args.required('account') }),
  text: (keys) =>
    keys.length === 0
      ? 'The account has no query key; see query-keys create --help.'
      : queryKeysTable(keys, systemClock.now()).trimEnd(),
})

const limitFlag = (what: string): CliFlag => ({
  type: 'string',
  value: 'NUMBER/PERIOD',
  about: `most ${what} in any period, such as 100/minute, or none (default: that of the installation)`,
})

type CreatedKey = ProcedureOutputs['operatorQueryKeys']['create']

const createdJson = ({ key, value, url, propagated }: CreatedKey) => ({ ...key, value, url, propagated })

const createdText = (what: string, { value, url }: CreatedKey): string =>
  `${what} The key:\n  ${value}\nJSON-RPC calls go to:\n  ${url}\nIt is not shown here again.`

const create = serverCommand({
  name: 'query-keys create',
  about: 'Makes a query key for an account and prints it, once.',
  flags: {
    account,
    name: { type: 'string', value: 'TEXT', isRequired: true, about: 'what it is for' },
    endpoint: { type: 'string', value: 'NAME', isRequired: true, about: 'the endpoint at which it works' },
    type: { type: 'string', value: 'TYPE', about: `kind of key (default: ${defaultQueryKeyType})` },
    'rate-limit': limitFlag('requests'),
    'credits-limit': limitFlag('credits'),
    ...restrictionFlags,
    'allowed-methods': {
      type: 'string',
      value: 'LIST',
      about: 'methods that it may call, such as eth_call,eth_get* (default: all of the endpoint)',
    },
    'more-endpoints': {
      type: 'string',
      value: 'LIST',
      about: 'further endpoints at which it works, such as eth-*,polygon (default: none)',
    },
    'allowed-contracts': {
      type: 'string',
      value: 'LIST',
      about: 'contracts that its calls may name, on EVM chains (default: any)',
    },
  },
  notes: `Periods: ${periods.join(', ')}; a month is any 30 days.
Example: query-keys create --account 0x1234… --name wallet --endpoint testnet --rate-limit 100/minute`,
  ask: (client, args) =>
    client.operatorQueryKeys.create.mutate({
      account: args.required('account'),
      ...parseQueryKeyFlags(args),
    }),
  json: createdJson,
  text: (created) => createdText(`Made ${printable(created.key.name)} (${created.key.id}).`, created),
})

/** Throws `CommandFailure`. */
export function parseQueryKeyFlags(args: Pick<ParsedArguments, 'text' | 'required'>): QueryKeyForm {
  const type = args.text('type')
  const rate = readLimit(args.text('rate-limit'))
  const credits = readLimit(args.text('credits-limit'))
  return checked(QueryKeyForm, {
    name: args.required('name'),
    endpoint: args.required('endpoint'),
    ...(type !== null && { type }),
    ...(rate && { rateLimit: rate.units, rateLimitPeriod: rate.period }),
    ...(credits && { creditsLimit: credits.units, creditsLimitPeriod: credits.period }),
    ...restrictionsOf(args),
    allowedMethods: entriesOf(args.text('allowed-methods')),
    allowedContracts: entriesOf(args.text('allowed-contracts')),
    moreEndpoints: entriesOf(args.text('more-endpoints')),
  })
}

/** Splits a limit such as `100/minute` or `none`. The schema checks its parts. */
function readLimit(text: string | null): { units: number | null; period?: string } | null {
  if (text === null) return null
  if (text.trim() === 'none') return { units: null }
  const [units = '', period = ''] = text.split('/', 2).map((part) => part.trim())
  return { units: units === '' ? Number.NaN : Number(units), period }
}

const { toggle, remove } = keyCommands('query-keys', (client) => client.operatorQueryKeys)

const rotate = serverCommand({
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
  },
  ask(client, args) {
    const rotation = { id: args.argument(0), overlapMs: Number(args.text('overlap') ?? 0) * minuteMs }
    if (!z.safeParse(ApiKeyRotation, rotation).success) {
      throw new CommandFailure('--overlap takes minutes, from 0 to 43200 (30 days)')
    }
    return client.operatorQueryKeys.rotate.mutate({ account: args.required('account'), ...rotation })
  },
  json: createdJson,
  text: (rotated) =>
    createdText(`Gave ${printable(rotated.key.name)} (${rotated.key.id}) a new value.`, rotated),
})

export const queryKeyCommands: readonly CliCommand[] = [
  create,
  list,
  toggle(true, 'Enables a query key that was disabled.'),
  toggle(false, 'Disables a query key; it is kept, and can be enabled again.'),
  remove('Deletes a query key for good.'),
  rotate,
]
