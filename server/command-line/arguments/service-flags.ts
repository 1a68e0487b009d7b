import { type CliFlag, CommandFailure, type ParsedArguments } from './command.ts'
import { type FlagValue, parseKeyValues } from './key-value-flags.ts'

const repeated = (value: string, about: string): CliFlag => ({
  type: 'string',
  value,
  isRepeatable: true,
  about,
})

/** The flags of everything that a service may have, when it is added and when it is changed. */
export const serviceFlags: Readonly<Record<string, CliFlag>> = {
  ws: { type: 'string', value: 'URL', about: 'its ws or wss address, for new heads' },
  label: repeated('TEXT', 'a label, such as team:payments; may be repeated'),
  objective: {
    type: 'string',
    value: 'PERCENT',
    about: 'of the time, for reports of a month (default: 99.9)',
  },
  header: repeated('NAME:VALUE', 'sent with each probe; may be repeated'),
  ca: { type: 'string', value: 'FILE', about: 'certificates (PEM) to trust in place of the public ones' },
  rule: repeated('KEY=VALUE', 'for family http: what is asked and what is a good answer; may be repeated'),
  capability: repeated('KEY=VALUE', 'of a node: archive=true, lowestBlock=N or logRange=N; may be repeated'),
  policy: repeated(
    'KEY=VALUE',
    'another threshold than the default, for instance enterBlocks=5; may be repeated',
  ),
}

export const serviceFlagNotes = `Keys of --rule: method, statuses (200,204), contains, matches, body, redirects, json.path with json.equals, or json.min and
json.max.
Others on this machine can see what is typed: for an address or headers with a secret give @FILE, which reads the value
from a file (headers: one a line), or @- for standard input.`

/** Returns the value of a flag, or what is in the file that it names; null where it was not given. Throws `CommandFailure`. */
export async function textOfFlag(args: ParsedArguments, flag: string): Promise<string | null> {
  const text = args.text(flag)
  return text === null ? null : contentOf(flag, text)
}

const contentOf = async (flag: string, text: string): Promise<string> =>
  text.startsWith('@') ? (await readText(flag, text.slice(1))).trim() : text

async function readText(flag: string, path: string): Promise<string> {
  try {
    return await (path === '-' ? Bun.stdin : Bun.file(path)).text()
  } catch {
    throw new CommandFailure(`--${flag}: ${path} cannot be read`)
  }
}

/** Returns headers by their names; null where none were given. Throws `CommandFailure`, which repeats no value. */
export async function headersOfFlags(args: ParsedArguments): Promise<Record<string, string> | null> {
  const given = await Promise.all(args.texts('header').map((text) => contentOf('header', text)))
  const lines = given.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '')
  const headers = new Map<string, [name: string, value: string]>()
  for (const line of lines) {
    const [, name, value] = /^\s*([^\s:]+):(.*)$/s.exec(line) ?? []
    if (name === undefined || value === undefined)
      throw new CommandFailure('--header: expected NAME:VALUE, for instance "Authorization: Bearer …"')
    if (headers.has(name.toLowerCase())) throw new CommandFailure(`--header ${name} is given twice`)
    headers.set(name.toLowerCase(), [name, value.trim()])
  }
  return headers.size === 0 ? null : Object.fromEntries(headers.values())
}

export async function caOfFlags(args: ParsedArguments): Promise<string | null> {
  const path = args.text('ca')
  return path === null ? null : readText('ca', path)
}

type Values = Readonly<Record<string, FlagValue>>

function keyValues(
  args: ParsedArguments,
  name: string,
  example: string,
  textKeys: string[] = [],
): Values | null {
  const flags = args.texts(name)
  if (flags.length === 0) return null
  const parsed = parseKeyValues({ name, example, textKeys }, flags)
  if (parsed.kind === 'wrong') throw new CommandFailure(parsed.message)
  return parsed.values
}

/** Returns what flags name; the server's schema checks keys and values. Null where none were given. Throws `CommandFailure`. */
export const policyOfFlags = (args: ParsedArguments): Values | null =>
  keyValues(args, 'policy', 'enterBlocks=5')

export const capabilitiesOfFlags = (args: ParsedArguments): Values | null =>
  keyValues(args, 'capability', 'archive=true')

export function ruleOfFlags(args: ParsedArguments): Record<string, unknown> | null {
  const values = keyValues(args, 'rule', 'json.path=$.status', [
    'method',
    'statuses',
    'contains',
    'matches',
    'body',
    'json.path',
  ])
  if (values === null) return null
  const rule: Record<string, unknown> = {}
  const json: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(values)) {
    if (key.startsWith('json.'))
      json[key.slice('json.'.length)] = key === 'json.equals' ? unquoted(value) : value
    else rule[key] = key === 'statuses' ? String(value).split(',').map(Number) : value
  }
  return { ...rule, ...(Object.keys(json).length > 0 && { json }) }
}

/** `json.equals="5"` is text, and `json.equals=5` a number. */
const unquoted = (value: FlagValue): FlagValue =>
  typeof value === 'string' ? value.replace(/^"(.*)"$/s, '$1') : value
