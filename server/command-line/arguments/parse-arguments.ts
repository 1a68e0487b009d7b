import { parseArgs } from 'node:util'

import { type CliCommand, type CliFlag, type ParsedArguments, flagsOf } from './command.ts'
import { chooseCommand } from './choose-command.ts'

/** The meaning of a command line. `wrong` has one sentence that names the alternatives. */
export type ParseOutcome =
  | { readonly kind: 'help'; readonly of: readonly CliCommand[] }
  | { readonly kind: 'run'; readonly command: CliCommand; readonly args: ParsedArguments }
  | { readonly kind: 'wrong'; readonly message: string }

const wrong = (message: string): ParseOutcome => ({ kind: 'wrong', message })

/** Parses the arguments after the program's name. */
export function parseArguments(args: readonly string[], commands: readonly CliCommand[]): ParseOutcome {
  const choice = chooseCommand(args, commands)
  switch (choice.kind) {
    case 'help':
    case 'wrong':
      return choice
    case 'command':
      return parseCommandArguments(choice.command, choice.rest)
  }
}

function parseCommandArguments(command: CliCommand, args: readonly string[]): ParseOutcome {
  const flags = flagsOf(command)
  // Parsing is not strict, because the messages of `node:util` do not name the flags that there are.
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.entries(flags).map(([name, { type }]) => [name, { type }])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map<string, string[]>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined
    const problem = flagProblem(command, token, flag, values.has(token.name))
    if (problem !== null) return wrong(problem)
    values.set(token.name, [...(values.get(token.name) ?? []), token.value ?? ''])
  }
  if (values.has('help')) return { kind: 'help', of: [command] }
  const problem = missingFlags(command, values) ?? argumentProblem(command, positionals)
  if (problem !== null) return wrong(problem)
  return { kind: 'run', command, args: toParsedArguments(values, positionals) }
}

/** What is left of a value or a list when the variables of a script are not set. To leave a flag out means the default. */
const saysNothing = /^[\s,]*$/

interface TypedFlag {
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function flagProblem(
  command: CliCommand,
  { rawName, value, inlineValue }: TypedFlag,
  flag: CliFlag | undefined,
  isAgain: boolean,
): string | null {
  if (flag === undefined) {
    const known = Object.keys(flagsOf(command)).map((name) => `--${name}`)
    return `"${command.name}" has no flag ${rawName}; it has ${known.join(', ')}.`
  }
  if (flag.type === 'boolean') return value === undefined ? null : `${rawName} takes no value.`
  // A value that looks like a flag is accepted only after an equals sign.
  if (value === undefined || saysNothing.test(value) || (inlineValue !== true && value.startsWith('-'))) {
    return `${rawName} needs a value: ${rawName} ${flag.value ?? 'VALUE'}.`
  }
  return isAgain && flag.isRepeatable !== true ? `${rawName} is given twice.` : null
}

function missingFlags(command: CliCommand, values: ReadonlyMap<string, unknown>): string | null {
  const missing = Object.entries(command.flags)
    .filter(([name, flag]) => flag.isRequired === true && !values.has(name))
    .map(([name]) => `--${name}`)
  return missing.length === 0 ? null : `"${command.name}" needs ${missing.join(', ')}; see --help.`
}

function argumentProblem({ name, positionals }: CliCommand, typed: readonly string[]): string | null {
  const missing = positionals[typed.length]
  if (missing !== undefined) return `"${name}" needs ${missing}; see --help.`
  const extra = typed[positionals.length]
  if (extra === undefined) return null
  return `"${name}" takes ${positionals.length === 0 ? 'flags only' : positionals.join(' ')}, not "${extra}"; see --help.`
}

function toParsedArguments(
  values: ReadonlyMap<string, readonly string[]>,
  positionals: readonly string[],
): ParsedArguments {
  return {
    isJson: values.has('json'),
    dataDir: values.get('data-dir')?.[0] ?? null,
    isSet: (flag) => values.has(flag),
    text: (flag) => values.get(flag)?.[0] ?? null,
    required(flag) {
      const value = values.get(flag)?.[0]
      if (value === undefined) throw new TypeError(`--${flag} is not a required flag`)
      return value
    },
    texts: (flag) => values.get(flag) ?? [],
    argument(place) {
      const value = positionals[place]
      if (value === undefined) throw new TypeError(`there is no argument ${place}`)
      return value
    },
  }
}
