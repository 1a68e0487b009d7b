import { describeConfig } from '../../config/config.ts'
import { environment, readEnvironment } from '../../config/env.ts'
import { absenceOf } from '../../config/watched-file.ts'
import { type CliCommand, CommandFailure } from '../arguments/command.ts'
import { formatTable } from '../output/table.ts'
import { printResult, printJsonResult } from '../output/terminal.ts'

/** Prints the settings. It needs no server, and shows secrets only as set or not set. */
export const printConfig: CliCommand = {
  name: 'print-config',
  about: 'Prints every setting as this environment has it, secrets hidden, and checks them.',
  positionals: [],
  flags: {},
  async run(args) {
    const settings = describeConfig(environment())
    const reading = readEnvironment()
    const absentFile = absenceOf(environment()['GATEHOUSE_FILE'] || null)
    const problems = [
      ...(reading.kind === 'problems' ? reading.problems : []),
      ...(absentFile === null ? [] : [absentFile]),
    ]
    if (args.isJson) printJsonResult({ settings, problems })
    else {
      const rows = settings.map(({ name, value, about }) => [name, value, about])
      printResult(formatTable(['SETTING', 'VALUE', 'ABOUT'], rows).trimEnd())
    }
    if (problems.length > 0) {
      throw new CommandFailure(`the settings have mistakes:\n  ${problems.join('\n  ')}`)
    }
  },
}
