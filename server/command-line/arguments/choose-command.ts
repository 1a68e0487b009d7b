import { meantName } from '../../platform/meant-name.ts'
import type { CliCommand } from './command.ts'

export type CommandChoice =
  | { readonly kind: 'help'; readonly of: readonly CliCommand[] }
  | { readonly kind: 'command'; readonly command: CliCommand; readonly rest: readonly string[] }
  | { readonly kind: 'wrong'; readonly message: string }

/** Finds the command that the first words name. `--help` after the name of a group shows all commands of the group. */
export function chooseCommand(args: readonly string[], commands: readonly CliCommand[]): CommandChoice {
  const [first, second] = args
  if (first === '--help' || first === '-h') return { kind: 'help', of: commands }
  if (first === undefined)
    return { kind: 'wrong', message: `Say what to do: ${listOf(topNames(commands))}; see --help.` }
  if (first.startsWith('-')) {
    return {
      kind: 'wrong',
      message: `Begin with a command, not with ${first}: ${listOf(topNames(commands))}.`,
    }
  }

  const chosen = commands.find(({ name }) => name === `${first} ${second}`)
  if (chosen) return { kind: 'command', command: chosen, rest: args.slice(2) }
  const single = commands.find(({ name }) => name === first)
  if (single) return { kind: 'command', command: single, rest: args.slice(1) }

  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length === 0) {
    const names = topNames(commands)
    const meant = meantName(first, names)
    const hint = meant === undefined ? `there are ${listOf(names)}.` : `did you mean "${meant}"? See --help.`
    return { kind: 'wrong', message: `There is no command "${first}"; ${hint}` }
  }
  if (second === '--help' || second === '-h') return { kind: 'help', of: group }
  const actions = listOf(group.map(({ name }) => name.slice(first.length + 1)))
  if (second === undefined)
    return { kind: 'wrong', message: `"${first}" needs one of ${actions}; see --help.` }
  return { kind: 'wrong', message: `There is no command "${first} ${second}"; "${first}" has ${actions}.` }
}

const topNames = (commands: readonly CliCommand[]): string[] => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0] ?? name)),
]

const listOf = (names: readonly string[]): string => names.join(', ')
