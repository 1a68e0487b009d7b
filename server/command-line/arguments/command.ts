import * as z from 'zod/mini'

import { type ValidatedPart, describeInvalid, findInvalid } from '../../platform/validation-text.ts'

/** A flag of a command, for the parser and for the help text. */
export interface CliFlag {
  readonly type: 'string' | 'boolean'
  readonly about: string
  /** Placeholder of the value in the help text, such as `URL`. Only flags of type `string` have one. */
  readonly value?: string
  readonly isRequired?: boolean
  /** Whether the flag may be given several times. */
  readonly isRepeatable?: boolean
}

/** The arguments of a command, checked against its flags and positionals. */
export interface ParsedArguments {
  readonly isJson: boolean
  /** Null when the data folder is that of the settings. */
  readonly dataDir: string | null
  isSet(flag: string): boolean
  /** Returns the value of a flag, or null when it was not given. */
  text(flag: string): string | null
  /** Returns the value of a flag that the command declares as required. */
  required(flag: string): string
  texts(flag: string): readonly string[]
  /** Returns the positional argument at an index that the command declares. */
  argument(place: number): string
}

/** A command. `run` writes its result to standard output, and throws `CommandFailure` when it cannot. */
export interface CliCommand {
  /** The words to type, such as `services add`. */
  readonly name: string
  /** One sentence for the help text. */
  readonly about: string
  /** Names of the arguments that are not flags. All of them are required. */
  readonly positionals: readonly string[]
  readonly flags: Readonly<Record<string, CliFlag>>
  /** What a file has to be that it reads. */
  readonly reads?: z.ZodMiniType
  /** Text below the flags in the help text. */
  readonly notes?: string
  run(args: ParsedArguments): Promise<void>
}

/** Thrown when a command cannot be carried out. The message is shown to the person who typed it. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}

/** Checks input that flags were turned into with the server's schema, whose messages name the field. Throws `CommandFailure`. */
export function checked<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  part: ValidatedPart = 'body',
): z.output<Schema> {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  throw new CommandFailure(describeInvalid(schema, value, part))
}

/**
 * The same of a query whose fields were flags, null where one was not given; `flags` names those that are called otherwise.
 * Throws `CommandFailure`.
 */
export function checkedFlags<Schema extends z.core.$ZodType>(
  schema: Schema,
  typed: Readonly<Record<string, unknown>>,
  flags: Readonly<Record<string, string>>,
): z.output<Schema> {
  const query = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== null))
  const result = z.safeParse(schema, query)
  if (result.success) return result.data
  const mistakes = findInvalid(schema, query).map(({ path: [field = ''], message }) => {
    return `--${flags[field] ?? field}: ${message}`
  })
  throw new CommandFailure(mistakes.join('; '))
}

/** The flag of all commands that talk to one installation. */
export const dataDirFlag: Readonly<Record<string, CliFlag>> = {
  'data-dir': {
    type: 'string',
    value: 'DIR',
    about: 'data folder of the server (default: GATEHOUSE_DATA_DIR)',
  },
}

const commonFlags: Readonly<Record<string, CliFlag>> = {
  json: { type: 'boolean', about: 'print JSON' },
  help: { type: 'boolean', about: 'this text' },
}

export const flagsOf = (command: CliCommand): Readonly<Record<string, CliFlag>> => ({
  ...command.flags,
  ...commonFlags,
})
