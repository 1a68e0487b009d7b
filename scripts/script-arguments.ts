import { parseArgs, type ParseArgsConfig } from 'node:util'

import { errorMessage } from '../server/platform/error-message.ts'
import { print } from './print.ts'

/**
 * Reads what was typed behind the name of a script. Ends the process where there is nothing to do: with the help text where
 * that was asked for, and with one sentence and exit code 1 where an argument is wrong.
 */
export function readScriptArguments<const Config extends ParseArgsConfig>(
  script: { readonly name: string; readonly help: string },
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    print(script.help)
    process.exit(0)
  }
  try {
    return parseArgs(config)
  } catch (error) {
    // What node adds about arguments that begin with a dash helps nobody here.
    const [mistake] = errorMessage(error).split('. ')
    process.stderr.write(`${script.name}: ${mistake}. See --help.\n`)
    process.exit(1)
  }
}
