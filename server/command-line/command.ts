/** A flag of a command, as `node:util` parses it and as the help shows it. */
export interface Flag {
  readonly type: 'string' | 'boolean'
  readonly about: string
  /** What stands for the value in the help, for instance `URL`; only for strings. */
  readonly value?: string
  readonly isRequired?: boolean
  /** May be given several times. */
  readonly isRepeatable?: boolean
}

/** What was given to a command, already checked against its flags and its arguments. */
export interface Given {
  readonly isJson: boolean
  /** Null: that of the configuration. */
  readonly dataDir: string | null
  isSet(flag: string): boolean
  /** The value of a flag, null when it was not given. */
  text(flag: string): string | null
  /** The value of a flag that the command declares as required. */
  required(flag: string): string
  texts(flag: string): readonly string[]
  /** The argument at a place that the command declares. */
  argument(place: number): string
}

/** One command. `run` writes its result to standard output, and throws `CommandFailure` when there is none. */
export interface Command {
  /** As it is typed, for instance `services add`. */
  readonly name: string
  /** One sentence. */
  readonly about: string
  /** Names of the arguments that are not flags; every one is required. */
  readonly takes: readonly string[]
  readonly flags: Readonly<Record<string, Flag>>
  /** Shown below the flags. */
  readonly notes?: string
  run(given: Given): Promise<void>
}

/** The command cannot do what it should. The message is for the person who typed it. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}

/** For every command that is about one installation. */
export const dataDirFlag: Readonly<Record<string, Flag>> = {
  'data-dir': {
    type: 'string',
    value: 'DIR',
    about: 'data folder of the server (default: GATEHOUSE_DATA_DIR)',
  },
}

const commonFlags: Readonly<Record<string, Flag>> = {
  json: { type: 'boolean', about: 'print JSON' },
  help: { type: 'boolean', about: 'this text' },
}

export const flagsOf = (command: Command): Readonly<Record<string, Flag>> => ({
  ...command.flags,
  ...commonFlags,
})
