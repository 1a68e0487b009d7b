import * as z from 'zod/mini'

import { historyRanges } from '../../../shared/health-details.ts'
import { ServiceSpec } from '../../../shared/health.ts'
import { ServiceUpdate } from '../../../shared/health-services.ts'
import { type CliCommand, CommandFailure, type ParsedArguments, checked } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import {
  caOfFlags,
  capabilitiesOfFlags,
  headersOfFlags,
  policyOfFlags,
  ruleOfFlags,
  serviceFlagNotes,
  serviceFlags,
  textOfFlag,
} from '../arguments/service-flags.ts'
import { formatTable, printable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'

type ListedService = ProcedureOutputs['services']['list'][number]

const titles = ['ID', 'NAME', 'CHAIN', 'PROVIDER', 'DECISION', 'MANAGED BY']

/** Returns services as a table. Services of a family without chains show the family instead of a chain. */
export function servicesTable(services: readonly ListedService[]): string {
  const rows = services.map(({ id, name, chain, family, provider, decision, managedBy }) => [
    id,
    name,
    chain?.key ?? `(${family})`,
    provider,
    decision,
    managedBy,
  ])
  return formatTable(titles, rows)
}

const list = serverCommand({
  name: 'services list',
  about: 'Lists the registered services with their decisions.',
  ask: (client) => client.services.list.query(),
  text: (services) =>
    services.length === 0
      ? 'No service is registered; see services add --help.'
      : servicesTable(services).trimEnd(),
})

const add = serverCommand({
  name: 'services add',
  about: 'Registers a service; verifiers begin to probe it at once.',
  flags: {
    name: { type: 'string', value: 'TEXT', isRequired: true, about: 'what people call it' },
    chain: { type: 'string', value: 'KEY', about: 'such as ethereum; not for family http and mcp' },
    provider: { type: 'string', value: 'TEXT', isRequired: true, about: 'who runs it' },
    endpoint: { type: 'string', value: 'URL', isRequired: true, about: 'its http or https address' },
    family: { type: 'string', value: 'FAMILY', about: 'how to probe it (default: that of the chain)' },
    id: { type: 'string', value: 'ID', about: 'its service identifier (default: a generated one)' },
    ...serviceFlags,
  },
  notes: `Example: services add --name "Node A" --chain ethereum --provider acme --endpoint https://node-a.example
${serviceFlagNotes}
An endpoint on a private address needs GATEHOUSE_ALLOW_PRIVATE, or addresses allow.`,
  ask: async (client, args) => client.services.add.mutate(await readSpec(args)),
  text: ({ id, name }) => `Registered ${printable(name)} as ${id}; its health is at /health/${id}.`,
})

/** Throws `CommandFailure`. */
async function readSpec(args: ParsedArguments): Promise<ServiceSpec> {
  return checked(ServiceSpec, {
    policy: {},
    ...givenTexts(args, ['name', 'provider', 'chain', 'family', 'id']),
    ...(await givenFields(args)),
  })
}

const givenTexts = (args: ParsedArguments, flags: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    flags.flatMap((flag) => {
      const value = args.text(flag)
      return value === null ? [] : [[flag, value]]
    }),
  )

interface GivenFields extends Record<string, unknown> {
  headers?: Record<string, string>
}

/** Returns the fields that flags name in other ways than by their text. Throws `CommandFailure`. */
async function givenFields(args: ParsedArguments): Promise<GivenFields> {
  const fields = {
    endpoint: await textOfFlag(args, 'endpoint'),
    ws: await textOfFlag(args, 'ws'),
    objective: args.isSet('objective') ? Number(args.text('objective')) : null,
    labels: args.isSet('label') ? args.texts('label') : null,
    headers: await headersOfFlags(args),
    ca: await caOfFlags(args),
    rule: ruleOfFlags(args),
    capabilities: capabilitiesOfFlags(args),
    policy: policyOfFlags(args),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

const update = serverCommand({
  name: 'services update',
  about: 'Changes a service that was registered here; what is not given stays, as do its id and its history.',
  positionals: ['ID'],
  flags: {
    name: { type: 'string', value: 'TEXT', about: 'what people call it' },
    chain: { type: 'string', value: 'KEY', about: 'another chain of the same family' },
    provider: { type: 'string', value: 'TEXT', about: 'who runs it' },
    endpoint: { type: 'string', value: 'URL', about: 'its http or https address' },
    ...serviceFlags,
    'no-ws': { type: 'boolean', about: 'no address for new heads any more' },
    'no-header': {
      type: 'string',
      value: 'NAME',
      isRepeatable: true,
      about: 'a header that is not sent any more',
    },
    'no-labels': { type: 'boolean', about: 'it has no label any more' },
    'no-objective': { type: 'boolean', about: 'the usual objective holds again' },
    'no-ca': { type: 'boolean', about: 'the public certificates are trusted again' },
    'no-capabilities': { type: 'boolean', about: 'nothing is declared of the node any more' },
    'default-policy': { type: 'boolean', about: 'the default thresholds in place of those that it sets now' },
  },
  notes: `Example: services update node-a --endpoint https://node-a2.example
What --label, --rule, --capability or --policy give stands in place of all that was set by the same flag; headers are changed one by
one.
${serviceFlagNotes}
A service of the file is changed in the file.`,
  ask: async (client, args) => client.services.update.mutate(await readChange(args)),
  text: ({ id, name }) => `Changed ${printable(name)} (${id}).`,
})

/** The flags that take away what another one gives, with the value that stands for nothing. */
const removals = [
  { flag: 'no-ws', given: 'ws', field: 'ws', nothing: null },
  { flag: 'no-labels', given: 'label', field: 'labels', nothing: [] },
  { flag: 'no-objective', given: 'objective', field: 'objective', nothing: null },
  { flag: 'no-ca', given: 'ca', field: 'ca', nothing: null },
  { flag: 'no-capabilities', given: 'capability', field: 'capabilities', nothing: {} },
  { flag: 'default-policy', given: 'policy', field: 'policy', nothing: {} },
] as const

/** Parses the flags of a change. Throws `CommandFailure` when there is nothing to change. */
async function readChange(args: ParsedArguments): Promise<ServiceUpdate> {
  const set = removals.filter(({ flag }) => args.isSet(flag))
  const both = set.find(({ given }) => args.isSet(given))
  if (both) throw new CommandFailure(`--${both.given} and --${both.flag} exclude each other`)
  const removedHeaders = Object.fromEntries(args.texts('no-header').map((name) => [name, null]))
  const { headers: givenHeaders = {}, ...fields } = await givenFields(args)
  const headers = { ...removedHeaders, ...givenHeaders }
  const change = {
    ...givenTexts(args, ['name', 'chain', 'provider']),
    ...fields,
    ...Object.fromEntries(set.map(({ field, nothing }) => [field, nothing])),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
  if (Object.keys(change).length === 0)
    throw new CommandFailure('nothing to change was given; see services update --help')
  return checked(ServiceUpdate, { id: args.argument(0), ...change })
}

const remove = serverCommand({
  name: 'services remove',
  about: 'Removes a service that was registered here, with its history.',
  positionals: ['ID'],
  ask: (client, args) => client.services.remove.mutate({ id: args.argument(0) }),
  json: (_, args) => ({ removed: args.argument(0) }),
  text: (_, args) => `Removed ${args.argument(0)} and its history.`,
})

type Incident = ProcedureOutputs['services']['history']['incidents'][number]

const instant = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19) + 'Z'

/** Returns incidents as a table, the newest first: a line for each reason, the first of which says when it began and ended. */
export function incidentsTable(incidents: readonly Incident[]): string {
  const rows = incidents.toReversed().flatMap(({ openedAt, closedAt, worst, reasons }) =>
    reasons.map(({ at, reason }, place) => {
      const ended = closedAt === null ? 'still open' : instant(closedAt)
      return place === 0 ? [instant(openedAt), ended, worst, reason] : [instant(at), '', '', reason]
    }),
  )
  return formatTable(['SINCE', 'UNTIL', 'WORST', 'REASON'], rows)
}

const Range = z.enum(historyRanges)

const incidents = serverCommand({
  name: 'services incidents',
  about: 'Lists when a service was DOWN or LATENCY, with the reason and how it changed.',
  positionals: ['ID'],
  flags: {
    range: { type: 'string', value: 'RANGE', about: `one of ${historyRanges.join(', ')} (default: 24h)` },
  },
  ask: async (client, args) => {
    const range = checked(z.object({ range: Range }), { range: args.text('range') ?? '24h' }).range
    return (await client.services.history.query({ id: args.argument(0), range })).incidents
  },
  text: (found) => (found.length === 0 ? 'There was none.' : incidentsTable(found).trimEnd()),
})

export const serviceCommands: readonly CliCommand[] = [list, add, update, remove, incidents]
