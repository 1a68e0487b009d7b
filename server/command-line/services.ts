import * as z from 'zod/mini'

import { ServiceSpec } from '../../shared/health.ts'
import { describeInvalid } from '../platform/validation-text.ts'
import { CommandFailure, dataDirFlag } from './command.ts'
import type { Command, Given } from './command.ts'
import { controlClient } from './control-client.ts'
import type { Answers } from './control-client.ts'
import { readPolicyFlags } from './policy-flags.ts'
import { readSettings } from './settings.ts'
import { formatTable, printable } from './table.ts'
import { print, printJson } from './terminal.ts'

type ListedService = Answers['services']['list'][number]

const titles = ['ID', 'NAME', 'CHAIN', 'PROVIDER', 'DECISION', 'MANAGED BY']

/** As a table; services of a family without chains show their family in the chain's place. */
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

const list: Command = {
  name: 'services list',
  about: 'Lists the registered services with their decisions.',
  takes: [],
  flags: dataDirFlag,
  async run(given) {
    const services = await controlClient(readSettings(given).dataDir).services.list.query()
    if (given.isJson) printJson(services)
    else if (services.length === 0) print('No service is registered; see services add --help.')
    else print(servicesTable(services).trimEnd())
  },
}

const add: Command = {
  name: 'services add',
  about: 'Registers a service; verifiers begin to probe it at once.',
  takes: [],
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
  async run(given) {
    const spec = readSpec(given)
    const service = await controlClient(readSettings(given).dataDir).services.add.mutate(spec)
    if (given.isJson) printJson(service)
    else
      print(`Registered ${printable(service.name)} as ${service.id}; its health is at /health/${service.id}.`)
  },
}

/** Checked by the schema that the server has, too, as its message names the field. Throws `CommandFailure`. */
function readSpec(given: Given): ServiceSpec {
  const policy = readPolicyFlags(given.texts('policy'))
  if (policy.kind === 'wrong') throw new CommandFailure(policy.message)
  const optional = ['chain', 'family', 'id'].flatMap((flag) => {
    const value = given.text(flag)
    return value === null ? [] : [[flag, value]]
  })
  const spec = {
    name: given.required('name'),
    provider: given.required('provider'),
    endpoint: given.required('endpoint'),
    policy: policy.values,
    ...Object.fromEntries(optional),
  }
  const checked = z.safeParse(ServiceSpec, spec)
  if (!checked.success) throw new CommandFailure(describeInvalid(ServiceSpec, spec, 'body'))
  return checked.data
}

const remove: Command = {
  name: 'services remove',
  about: 'Removes a service that was registered here, with its history.',
  takes: ['ID'],
  flags: dataDirFlag,
  async run(given) {
    const id = given.argument(0)
    await controlClient(readSettings(given).dataDir).services.remove.mutate({ id })
    if (given.isJson) printJson({ removed: id })
    else print(`Removed ${id} and its history.`)
  },
}

export const serviceCommands: readonly Command[] = [list, add, remove]
