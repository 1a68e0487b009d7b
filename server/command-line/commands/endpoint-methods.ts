import { EndpointUpdate, type KnownMethods, type MethodRules } from '../../../shared/endpoints.ts'
import {
  type MethodGroups,
  methodGroups,
  type MethodsChange,
  methodsChange,
} from '../../../shared/method-groups.ts'
import { hasPaths } from '../../../shared/path-pattern.ts'
import { type CliCommand, CommandFailure, type ParsedArguments, checked } from '../arguments/command.ts'
import type { ControlClient, ProcedureOutputs } from '../control-client.ts'
import { printable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'

type Details = ProcedureOutputs['endpoints']['details']

interface MethodsAnswer {
  readonly endpoint: string
  readonly rules: MethodRules
  /** Null where paths are relayed. */
  readonly groups: MethodGroups | null
  /** Null when nothing was to be changed. */
  readonly change: MethodsChange | null
}

/** Shows and changes which methods an endpoint relays. */
export const endpointMethods: CliCommand = serverCommand({
  name: 'endpoints methods',
  about: 'Shows which methods an endpoint relays, in three groups, or which paths, and changes it.',
  positionals: ['NAME'],
  flags: {
    allow: {
      type: 'string',
      value: 'METHOD',
      isRepeatable: true,
      about: 'a method, a beginning such as eth_*, or a path such as GET /eth/**; may be repeated',
    },
    deny: { type: 'string', value: 'METHOD', isRepeatable: true, about: 'one to deny; may be repeated' },
    forget: {
      type: 'string',
      value: 'METHOD',
      isRepeatable: true,
      about: 'an entry to take out of both lists; may be repeated',
    },
    unknown: { type: 'string', value: 'allow|refuse', about: 'what becomes of methods in no table' },
  },
  notes: `Node control and key use are opened by their exact names only: --allow '*' --allow anvil_mine
An endpoint of the file is changed in the file.`,
  ask: showOrChange,
  text: methodsText,
})

async function showOrChange(client: ControlClient, args: ParsedArguments): Promise<MethodsAnswer> {
  const details = await client.endpoints.details.query({ name: args.argument(0) })
  const known = await client.endpoints.methods.query({ chain: details.chain.key })
  const update = updateOf(details, args)
  const rules = update === null ? details.methods : (await client.endpoints.update.mutate(update)).methods
  return {
    endpoint: details.name,
    rules,
    groups: hasPaths(rules) ? null : methodGroups(known, rules),
    change: update === null ? null : changeOf(known, details.methods, rules),
  }
}

const changeOf = (known: KnownMethods, before: MethodRules, after: MethodRules): MethodsChange =>
  hasPaths(before) && hasPaths(after) ? pathsChange(before, after) : methodsChange(known, before, after)

/** What the lists name that they did not name before, and the reverse. */
function pathsChange(before: MethodRules, after: MethodRules): MethodsChange {
  return {
    opened: [...added(before.allow, after.allow), ...added(after.deny, before.deny)],
    closed: [...added(after.allow, before.allow), ...added(before.deny, after.deny)],
    unknown: null,
  }
}

const added = (before: readonly string[], after: readonly string[]): string[] =>
  after.filter((entry) => !before.includes(entry))

/** Returns the change that the flags ask for, or null when there is none. Throws `CommandFailure`. */
function updateOf({ name, revision, methods }: Details, args: ParsedArguments): EndpointUpdate | null {
  const [allow, deny, forget] = [args.texts('allow'), args.texts('deny'), args.texts('forget')]
  const unknown = args.text('unknown')
  if (allow.length + deny.length + forget.length === 0 && unknown === null) return null
  if (revision === null) {
    throw new CommandFailure(`the file manages ${printable(name)}: change endpoints[].methods there`)
  }
  const missing = forget.find((entry) => !methods.allow.includes(entry) && !methods.deny.includes(entry))
  if (missing !== undefined) throw new CommandFailure(`${printable(missing)} is in neither list`)
  return checked(EndpointUpdate, {
    name,
    revision,
    methods: {
      allow: changed(methods.allow, allow, forget),
      deny: changed(methods.deny, deny, forget),
      unknown: unknown ?? methods.unknown,
    },
  })
}

const changed = (
  entries: readonly string[],
  more: readonly string[],
  forget: readonly string[],
): string[] => [...new Set([...entries.filter((entry) => !forget.includes(entry)), ...more])]

function methodsText({ endpoint, rules, groups, change }: MethodsAnswer): string {
  const lines = [
    ...(groups === null
      ? [`${printable(endpoint)} relays requests to paths, and no others than it allows`]
      : [`${printable(endpoint)} relays`, ...groupLines(groups)]),
    `  allow: ${listed(rules.allow)}`,
    `  deny: ${listed(rules.deny)}`,
  ]
  return change === null ? lines.join('\n') : [...changeLines(change), ...lines].join('\n')
}

const groupLines = ({ ordinary, restricted, unknown }: MethodGroups): string[] => [
  `  ordinary methods              ${ordinary.open} of ${ordinary.known}`,
  `  node control and key use      ${someOf(restricted.open, restricted.known)}`,
  `  methods in no table           ${unknown.areAllOpen ? 'all that the lists do not exclude' : listed(unknown.open)}`,
]

function changeLines({ opened, closed, unknown }: MethodsChange): string[] {
  const lines = [
    ...(opened.length > 0 ? [`Opened: ${shortened(opened)}`] : []),
    ...(closed.length > 0 ? [`Closed: ${shortened(closed)}`] : []),
    ...(unknown === null ? [] : [`Methods in no table are ${unknown}.`]),
  ]
  return lines.length === 0 ? ['This opened nothing and closed nothing.'] : lines
}

const someOf = (open: readonly string[], known: number): string =>
  open.length === 0 ? `none of ${known}` : `${open.length} of ${known}: ${listed(open)}`

const listed = (names: readonly string[]): string =>
  names.length === 0 ? 'none' : names.map(printable).join(', ')

const shownNames = 10

const shortened = (names: readonly string[]): string =>
  names.length <= shownNames
    ? listed(names)
    : `${listed(names.slice(0, shownNames))} and ${names.length - shownNames} more`
