import * as z from 'zod/mini'

import { ServiceSpec } from '../../../shared/health.ts'
import { ServiceUpdate } from '../../../shared/health-services.ts'
import { describeInvalid } from '../../platform/validation-text.ts'
import { CommandFailure, dataDirFlag } from '../arguments/command.ts'
import type { CliCommand, ParsedArguments } from '../arguments/command.ts'
import { connectToServer } from '../control-client.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { parsePolicyFlags } from '../arguments/policy-flags.ts'
import type { PolicyFlags } from '../arguments/policy-flags.ts'
import { formatTable, printable } from '../output/table.ts'
import { printResult, printJsonResult } from '../output/terminal.ts'

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

const list: CliCommand = {
  name: 'services list',
  about: 'Lists the registered services with their decisions.',
  positionals: [],
  flags: dataDirFlag,
  async run(args) {
    const services = await connectToServer(args).services.list.query()
    if (args.isJson) printJsonResult(services)
    else if (services.length === 0) printResult('No service is registered; see services add --help.')
    else printResult(servicesTable(services).trimEnd())
  },
}

const add: CliCommand = {
  name: 'services add',
  about: 'Registers a service; verifiers begin to probe it at once.',
  positionals: [],
  flags: {
    name: { type: 'string', value: 'TEXT', isRequired: true, about: 'what people call it' },
    chain: { type: 'string', value: 'KEY', about: 'such as ethereum; not for family http and mcp' },
    provider: { type: 'string', value: 'TEXT', isRequired: true, about: 'who runs it' },
    endpoint: { type: 'string', value: 'URL', isRequired: true, about: 'its http or https address' },
    family: { type: 'string', value: 'FAMILY', about: 'how to probe it (default: that of the chain)' },
    id: { type: 'string', value: 'ID', about: 'its service identifier (default: a generated one)' },
    policy: {
      type: 'string',
      value: 'KEY=VALUE',
      isRepeatable: true,
      about: 'another threshold than the default, for instance enterBlocks=5; may be repeated',
    },
    ...dataDirFlag,
  },
  notes: `Example: services add --name "Node A" --chain ethereum --provider acme --endpoint https://node-a.example
An endpoint on a private address needs GATEHOUSE_ALLOW_PRIVATE.`,
  async run(args) {
    const spec = readSpec(args)
    const service = await connectToServer(args).services.add.mutate(spec)
    if (args.isJson) printJsonResult(service)
    else
      printResult(
        `Registered ${printable(service.name)} as ${service.id}; its health is at /health/${service.id}.`,
      )
  },
}

/** Parses the flags with the server's schema, whose messages name the field. Throws `CommandFailure`. */
function readSpec(args: ParsedArguments): ServiceSpec {
  return checked(ServiceSpec, {
    name: args.required('name'),
    provider: args.required('provider'),
    endpoint: args.required('endpoint'),
    policy: policyOf(args.texts('policy')),
    ...givenTexts(args, ['chain', 'family', 'id']),
  })
}

type PolicyValues = Extract<PolicyFlags, { kind: 'values' }>['values']

function policyOf(flags: readonly string[]): PolicyValues {
  const policy = parsePolicyFlags(flags)
  if (policy.kind === 'wrong') throw new CommandFailure(policy.message)
  return policy.values
}

const givenTexts = (args: ParsedArguments, flags: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    flags.flatMap((flag) => {
      const value = args.text(flag)
      return value === null ? [] : [[flag, value]]
    }),
  )

function checked<Schema extends z.core.$ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  throw new CommandFailure(describeInvalid(schema, value, 'body'))
}

const update: CliCommand = {
  name: 'services update',
  about: 'Changes a service that was registered here; what is not given stays, as do its id and its history.',
  positionals: ['ID'],
  flags: {
    name: { type: 'string', value: 'TEXT', about: 'what people call it' },
    chain: { type: 'string', value: 'KEY', about: 'another chain of the same family' },
    provider: { type: 'string', value: 'TEXT', about: 'who runs it' },
    endpoint: { type: 'string', value: 'URL', about: 'its http or https address' },
    policy: {
      type: 'string',
      value: 'KEY=VALUE',
      isRepeatable: true,
      about: 'in place of all thresholds that it sets now; may be repeated',
    },
    'default-policy': { type: 'boolean', about: 'the default thresholds in place of those that it sets now' },
    ...dataDirFlag,
  },
  notes: `Example: services update node-a --endpoint https://node-a2.example
A service of the file is changed in the file.`,
  async run(args) {
    const change = readChange(args)
    const service = await connectToServer(args).services.update.mutate(change)
    if (args.isJson) printJsonResult(service)
    else printResult(`Changed ${printable(service.name)} (${service.id}).`)
  },
}

/** Parses the flags of a change. Throws `CommandFailure` when there is nothing to change. */
function readChange(args: ParsedArguments): ServiceUpdate {
  const texts = givenTexts(args, ['name', 'chain', 'provider', 'endpoint'])
  const policy = readPolicy(args)
  if (Object.keys(texts).length === 0 && policy === null)
    throw new CommandFailure('nothing to change was given; see services update --help')
  return checked(ServiceUpdate, { id: args.argument(0), ...texts, ...(policy && { policy }) })
}

/** Returns the thresholds to set, or null when they stay as they are. Throws `CommandFailure`. */
function readPolicy(args: ParsedArguments): PolicyValues | null {
  const flags = args.texts('policy')
  if (!args.isSet('default-policy')) return flags.length === 0 ? null : policyOf(flags)
  if (flags.length > 0) throw new CommandFailure('--policy and --default-policy exclude each other')
  return {}
}

const remove: CliCommand = {
  name: 'services remove',
  about: 'Removes a service that was registered here, with its history.',
  positionals: ['ID'],
  flags: dataDirFlag,
  async run(args) {
    const id = args.argument(0)
    await connectToServer(args).services.remove.mutate({ id })
    if (args.isJson) printJsonResult({ removed: id })
    else printResult(`Removed ${id} and its history.`)
  },
}

export const serviceCommands: readonly CliCommand[] = [list, add, update, remove]
