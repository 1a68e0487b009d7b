import { describeConfig } from '../config/config.ts'
import { environment, readEnvironment } from '../config/env.ts'
import { CommandFailure } from './command.ts'
import type { Command } from './command.ts'
import { formatTable } from './table.ts'
import { print, printJson } from './terminal.ts'

/** Works without a server; secrets are shown only as set or not set. */
export const printConfig: Command = {
  name: 'print-config',
  about: 'Prints every setting as this environment has it, secrets hidden, and checks them.',
  takes: [],
  flags: {},
  async run(given) {
    const settings = describeConfig(environment())
    const reading = readEnvironment()
    const problems = reading.kind === 'problems' ? reading.problems : []
    if (given.isJson) printJson({ settings, problems })
    else {
      const rows = settings.map(({ name, value, about }) => [name, value, about])
      print(formatTable(['SETTING', 'VALUE', 'ABOUT'], rows).trimEnd())
    }
    if (problems.length > 0) {
      throw new CommandFailure(`the settings have mistakes:\n  ${problems.join('\n  ')}`)
    }
  },
}
