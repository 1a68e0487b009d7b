import { resolve } from 'node:path'

import type { Config } from '../../config/config.ts'
import { readEnvironment } from '../../config/env.ts'
import { CommandFailure, type ParsedArguments } from './command.ts'

/**
 * Returns the settings of this environment, which are the server's if it was started in the same one; `dataDir` is an
 * absolute path. Throws `CommandFailure` when the settings have mistakes.
 */
export function readCommandSettings(args: ParsedArguments): Config {
  const reading = readEnvironment()
  if (reading.kind === 'problems') {
    throw new CommandFailure(`the settings have mistakes:\n  ${reading.problems.join('\n  ')}`)
  }
  return { ...reading.config, dataDir: resolve(args.dataDir ?? reading.config.dataDir) }
}
