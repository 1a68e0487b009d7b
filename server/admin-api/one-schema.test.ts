import { describe, expect, test } from 'bun:test'

import * as z from 'zod/mini'

import { AccountPlanChange, AccountRoleChange } from '../../shared/accounts.ts'
import { AlertChannel, AlertChannelChange, NewAlertChannel } from '../../shared/alert-channels.ts'
import { ChainEntry } from '../../shared/chains.ts'
import { GatehouseFile } from '../../shared/gatehouse-file.ts'
import type { CliCommand } from '../command-line/arguments/command.ts'
import { accountCommands } from '../command-line/commands/accounts.ts'
import { alertCommands } from '../command-line/commands/alerts.ts'
import { endpointCommands } from '../command-line/commands/endpoints.ts'
import { chainCommands } from '../command-line/commands/chains.ts'
import { planCommands } from '../command-line/commands/plans.ts'
import { serviceCommands } from '../command-line/commands/services.ts'
import { statusPageCommands } from '../command-line/commands/status-pages.ts'
import { verifierCommands } from '../command-line/commands/verifiers.ts'
import type { Resource } from './resource.ts'
import { adminResources } from './resources.ts'
import { procedures } from './test-support/procedures.ts'

/**
 * What can be said of a thing is the same by REST, in the console (tRPC), in the file, and at the command line. A field that is
 * added to one schema and not to the others fails here, by its name.
 */

function inputOf(procedure: string): z.ZodMiniType {
  const [input] = procedures[procedure]?._def.inputs ?? []
  if (input === undefined) throw new Error(`${procedure} has no input`)
  return input
}

const optionsOf = (schema: z.ZodMiniType): readonly z.ZodMiniType[] =>
  schema instanceof z.ZodMiniDiscriminatedUnion ? (schema._zod.def.options as z.ZodMiniType[]) : [schema]

/** The fields of an object, or of each of the objects that a thing can be, in order. */
const fieldsOf = (schema: z.ZodMiniType): string[][] =>
  optionsOf(schema).map((option) => {
    if (!(option instanceof z.ZodMiniObject)) throw new TypeError('expected an object')
    return Object.keys(option.shape).toSorted()
  })

const without = (fields: readonly string[][], ...names: readonly string[]): string[][] =>
  fields.map((each) => each.filter((field) => !names.includes(field)))

function resourceAt(path: string): Resource {
  const found = adminResources.find((one) => one.path === path)
  if (found === undefined) throw new Error(`there is no resource ${path}`)
  return found
}

function bodyOf(path: string, verb: 'creating' | 'changing'): z.ZodMiniType {
  const taken = resourceAt(path)[verb]
  if ('refused' in taken) throw new Error(`${path} takes no body`)
  return taken.body
}

const commands = [
  ...accountCommands,
  ...alertCommands,
  ...endpointCommands,
  ...planCommands,
  ...chainCommands,
  ...serviceCommands,
  ...statusPageCommands,
  ...verifierCommands,
]

function commandNamed(wanted: string): CliCommand {
  const found = commands.find(({ name }) => name === wanted)
  if (found === undefined) throw new Error(`there is no command ${wanted}`)
  return found
}

const flagOf = (field: string): string =>
  ({ headers: 'header', capabilities: 'capability', labels: 'label' })[field] ?? field

describe('what is created', () => {
  test.each([
    ['services', 'services.add'],
    ['endpoints', 'endpoints.create'],
    ['accounts', 'accounts.create'],
    ['plans', 'plans.create'],
    ['chains', 'chains.create'],
    ['allowed-addresses', 'allowedAddresses.allow'],
    ['channels', 'channels.create'],
    ['alerts', 'alertRules.create'],
    ['silences', 'silences.create'],
    ['maintenance', 'maintenance.create'],
    ['incidents', 'statusPages.startIncident'],
    ['invitations', 'accounts.invite'],
    ['verifier-tokens', 'verifiers.createToken'],
    ['registry', 'registry.importArchive'],
    ['connections', 'connections.create'],
  ])('/admin/%s takes the schema of the procedure %s', (path, procedure) => {
    expect(bodyOf(path, 'creating')).toBe(inputOf(procedure))
  })

  test('/admin/status-pages takes what the console saves', () => {
    const saved = inputOf('statusPages.save')
    expect(saved instanceof z.ZodMiniObject && saved.shape['spec']).toBe(bodyOf('status-pages', 'creating'))
  })

  const sections: readonly [path: string, item: () => z.ZodMiniType][] = [
    ['services', () => itemOf(GatehouseFile.shape.services)],
    ['endpoints', () => itemOf(GatehouseFile.shape.endpoints)],
    ['plans', () => itemOf(GatehouseFile.shape.plans)],
    ['alerts', () => itemOf(GatehouseFile.shape.alerts)],
    ['status-pages', () => itemOf(GatehouseFile.shape.status)],
    ['maintenance', () => itemOf(GatehouseFile.shape.maintenance)],
  ]
  test.each(sections)('/admin/%s takes the schema of the file', (path, item) => {
    expect(bodyOf(path, 'creating')).toBe(item())
  })

  test('a channel of the file has the fields of one that is made, its secret among them', () => {
    expect(itemOf(GatehouseFile.shape.channels)).toBe(AlertChannel)
    expect(fieldsOf(NewAlertChannel)).toEqual(fieldsOf(AlertChannel))
  })

  test('a chain has the fields of an entry of the file, whose key is its name there', () => {
    expect(fieldsOf(bodyOf('chains', 'creating'))).toEqual([
      [...fieldsOf(ChainEntry).flat(), 'key'].toSorted(),
    ])
  })

  test.each([
    ['services', 'creating', 'services add'],
    ['services', 'changing', 'services update'],
    ['invitations', 'creating', 'accounts invite'],
    ['verifier-tokens', 'creating', 'verifiers enroll'],
  ] as const)('of /admin/%s, for %s, each field is a flag of %s', (path, verb, command) => {
    const flags = Object.keys(commandNamed(command).flags)
    const [fields = []] = fieldsOf(bodyOf(path, verb))
    expect(fields.filter((field) => !flags.includes(flagOf(field)))).toEqual([])
  })

  test.each([
    ['endpoints', 'endpoints add'],
    ['plans', 'plans add'],
    ['chains', 'chains add'],
    ['channels', 'channels add'],
    ['alerts', 'alerts add'],
    ['status-pages', 'status-pages add'],
  ])('/admin/%s takes what the command %s reads of a file', (path, command) => {
    expect(commandNamed(command).reads).toBe(bodyOf(path, 'creating'))
  })
})

describe('what is changed', () => {
  test.each([
    ['services', 'services.update', ['id']],
    ['endpoints', 'endpoints.update', ['name', 'revision']],
    ['channels', 'channels.update', ['name']],
    ['plans', 'plans.update', ['name']],
    ['chains', 'chains.update', ['key']],
    ['alerts', 'alertRules.update', ['name']],
    ['maintenance', 'maintenance.update', ['name']],
    ['incidents', 'statusPages.updateIncident', ['id']],
  ] as const)('/admin/%s takes what %s does, but what the address says', (path, procedure, said) => {
    expect(fieldsOf(bodyOf(path, 'changing'))).toEqual(without(fieldsOf(inputOf(procedure)), ...said))
  })

  test.each([
    ['services', ['id', 'family']],
    ['endpoints', ['name']],
    ['plans', ['name']],
    ['chains', ['key']],
    ['alerts', ['name']],
    ['maintenance', ['name']],
    ['status-pages', ['page']],
  ] as const)('of /admin/%s everything can be changed that can be given, but %j', (path, fixed) => {
    const given = without(fieldsOf(bodyOf(path, 'creating')), ...fixed)
    expect(fieldsOf(bodyOf(path, 'changing'))).toEqual(given)
  })

  test('a channel keeps its type, and everything else of it can be changed', () => {
    expect(inputOf('channels.update')).toBe(AlertChannelChange)
    expect(fieldsOf(AlertChannelChange)).toEqual(fieldsOf(AlertChannel))
  })

  test('of a connection what the console changes, but its tools, which somebody has to look at', () => {
    const { label, use, keepContentHours } = (bodyOf('connections', 'changing') as z.ZodMiniObject).shape
    const [ofLabel, ofUse, ofContent] = ['updateLabel', 'updateUse', 'keepContent'].map((name) =>
      without(fieldsOf(inputOf(`connections.${name}`)), 'id'),
    )
    expect([ofLabel, ofContent]).toEqual([[['label']], [['hours']]])
    expect([label, keepContentHours]).not.toContain(undefined)
    expect(use instanceof z.ZodMiniOptional && fieldsOf(use._zod.def.innerType as z.ZodMiniType)).toEqual(
      ofUse ?? [],
    )
  })

  test('of an account what the console changes', () => {
    const changed = [AccountPlanChange, AccountRoleChange].flatMap(fieldsOf).flat()
    const [fields] = fieldsOf(bodyOf('accounts', 'changing'))
    expect(fields).toEqual(['state', ...changed.filter((field) => field !== 'account')].toSorted())
  })
})

describe('what is shown', () => {
  /** What is shown in another way, because it may hold a credential, or beside other fields. */
  const shownAs: Readonly<Record<string, string>> = {
    'services.endpoint': 'endpointOrigin',
    'services.ws': 'webSocketOrigin',
    'services.headers': 'headerNames',
    'services.ca': 'hasCa',
    'accounts.identity': 'identities',
    'invitations.days': 'expiresAt',
    'incidents.stage': 'updates',
    'incidents.text': 'updates',
    'incidents.notify': 'updates',
    'registry.source': 'origin',
    'registry.content': 'counts',
    'connections.auth': 'oauth',
    'connections.secret': 'authSource',
  }
  test.each(
    adminResources
      .filter(({ creating, path }) => !('refused' in creating) && path !== 'channels')
      .map(({ path }) => path),
  )('/admin/%s shows each field that can be given', (path) => {
    const [shown = []] = fieldsOf(resourceAt(path).view)
    const [given = []] = fieldsOf(bodyOf(path, 'creating'))
    expect(given.filter((field) => !shown.includes(shownAs[`${path}.${field}`] ?? field))).toEqual([])
  })
})

const isTaken = (schema: unknown, value: unknown): boolean =>
  schema !== undefined && z.safeParse(schema as z.ZodMiniType, value).success
const shapeOf = (schema: z.ZodMiniType): Readonly<Record<string, unknown>> =>
  schema instanceof z.ZodMiniObject ? schema.shape : {}

describe('what was read can be sent back', () => {
  test('null of every field that shows it and can be changed', () => {
    const fields = adminResources.flatMap(({ path, view, changing }) =>
      'refused' in changing
        ? []
        : optionsOf(changing.body).flatMap((body) =>
            Object.entries(shapeOf(body))
              .filter(([name]) => isTaken(shapeOf(view)[name], null))
              .map(([name, field]) => [`${path}.${name}`, isTaken(field, null)] as const),
          ),
    )
    expect(fields.map(([name]) => name)).toContain('services.rule')
    expect(fields.filter(([, taken]) => !taken)).toEqual([])
  })

  test('the chain of an endpoint, and what its upstreams do not set', () => {
    const chain = { key: 'ethereum', name: 'Ethereum' }
    const upstreams = [{ keep: 'node-a', weight: 1, tier: 0, budget: null, compression: null }]
    expect(isTaken(bodyOf('endpoints', 'changing'), { chain, upstreams })).toBe(true)
  })
})

/** The schema of the items of a section of the file. */
function itemOf(section: unknown): z.ZodMiniType {
  if (section instanceof z.ZodMiniDefault) return itemOf(section._zod.def.innerType)
  if (section instanceof z.ZodMiniArray) return section._zod.def.element as z.ZodMiniType
  throw new TypeError('expected a list')
}
