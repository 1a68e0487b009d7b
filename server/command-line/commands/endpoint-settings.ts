import { EndpointSettings, MethodSettings } from '../../../shared/call-settings.ts'
import { EndpointUpdate } from '../../../shared/endpoints.ts'
import { type CliCommand, CommandFailure, type ParsedArguments, checked } from '../arguments/command.ts'
import type { ControlClient, ProcedureOutputs } from '../control-client.ts'
import { formatTable, printable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'

type Details = ProcedureOutputs['endpoints']['details']

interface SettingsAnswer {
  readonly endpoint: string
  readonly settings: EndpointSettings
}

const { byMethod: _, ...ofAll } = EndpointSettings.shape
const fields = Object.keys({ ...ofAll, ...MethodSettings.shape })

/** Shows and changes how the calls of an endpoint are relayed. */
export const endpointSettings: CliCommand = serverCommand({
  name: 'endpoints settings',
  about: 'Shows times, attempts and sizes of an endpoint, for all calls and by method, and changes them.',
  positionals: ['NAME'],
  flags: {
    set: {
      type: 'string',
      value: 'FIELD=VALUE',
      isRepeatable: true,
      about: 'a setting, such as totalMs=20000; blank: as it is otherwise; may be repeated',
    },
    method: {
      type: 'string',
      value: 'METHOD',
      about:
        'for a method, a beginning such as debug_*, or a path such as "GET /v1/**", instead of all calls',
    },
  },
  notes: `Fields: ${fields.join(', ')}. hedge is "off", ms, or a percentile such as p95; cacheFor, for
paths with GET only, a time such as 5s, or "forever"; cache is all, final or off. cache, transactionNodes
and logBlocks are of the endpoint, and not of a method.
An endpoint of the file is changed in the file.`,
  ask: showOrChange,
  text: settingsText,
})

async function showOrChange(client: ControlClient, args: ParsedArguments): Promise<SettingsAnswer> {
  const details = await client.endpoints.details.query({ name: args.argument(0) })
  const update = updateOf(details, args)
  const { name, settings } = update === null ? details : await client.endpoints.update.mutate(update)
  return { endpoint: name, settings }
}

/** Returns the change that the flags ask for, or null when there is none. Throws `CommandFailure`. */
function updateOf({ name, revision, settings }: Details, args: ParsedArguments): EndpointUpdate | null {
  const given = args.texts('set')
  const method = args.text('method')
  if (given.length === 0) return null
  if (revision === null) {
    throw new CommandFailure(`the file manages ${printable(name)}: change endpoints[].settings there`)
  }
  const { byMethod, ...ofEndpoint } = settings
  const before = method === null ? ofEndpoint : (byMethod[method] ?? {})
  const all: Record<string, string | number> = { ...before, ...Object.fromEntries(given.map(readSetting)) }
  const after = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
  const narrower: Record<string, unknown> = { ...byMethod }
  if (method !== null) narrower[method] = after
  if (method !== null && Object.keys(after).length === 0) delete narrower[method]
  const changed = method === null ? after : ofEndpoint
  return checked(EndpointUpdate, { name, revision, settings: { ...changed, byMethod: narrower } })
}

function readSetting(text: string): [field: string, value: string | number] {
  const [field = '', value] = text.split('=', 2)
  if (value === undefined || !fields.includes(field))
    throw new CommandFailure(`--set takes FIELD=VALUE, and the fields are ${fields.join(', ')}`)
  return [field, /^\d+$/.test(value) ? Number(value) : value]
}

function settingsText({ endpoint, settings: { byMethod, ...ofEndpoint } }: SettingsAnswer): string {
  const rows = [['all calls', ofEndpoint] as const, ...Object.entries(byMethod)].flatMap(
    ([place, settings]) => Object.entries(settings).map(([field, value]) => [place, field, String(value)]),
  )
  return rows.length === 0
    ? `${printable(endpoint)} has no settings of its own.`
    : formatTable(['CALLS', 'SETTING', 'VALUE'], rows).trimEnd()
}
