import { type CliCommand, type CliFlag, flagsOf } from './command.ts'
import { programs } from '../../../shared/programs.ts'

const { commandLine: program } = programs

/** Returns the help text of one command, or the list of several. */
export function formatHelp(commands: readonly CliCommand[]): string {
  const [only, ...others] = commands
  return only && others.length === 0 ? commandHelp(only) : listHelp(commands)
}

function listHelp(commands: readonly CliCommand[]): string {
  const rows = commands.map((command): [string, string] => [
    [command.name, ...command.positionals].join(' '),
    command.about,
  ])
  return [
    `Usage: ${program} COMMAND [--json]`,
    '',
    ...indented(rows),
    '',
    'Each command has --help.',
    '',
  ].join('\n')
}

function commandHelp(command: CliCommand): string {
  const flags = Object.entries(flagsOf(command))
  const required = flags
    .filter(([, flag]) => flag.isRequired === true)
    .map(([name, flag]) => shown(name, flag))
  const usage = [program, command.name, ...command.positionals, ...required, '[flags]'].join(' ')
  return [
    command.about,
    '',
    `Usage: ${usage}`,
    '',
    ...indented(flags.map(([name, flag]) => [shown(name, flag), flag.about])),
    ...(command.notes === undefined ? [] : ['', command.notes]),
    '',
  ].join('\n')
}

const shown = (name: string, flag: CliFlag): string =>
  flag.type === 'boolean' ? `--${name}` : `--${name} ${flag.value ?? 'VALUE'}`

function indented(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
