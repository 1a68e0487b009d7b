import { resolve } from 'node:path'

import type { Config } from '../config/config.ts'
import { readEnvironment } from '../config/env.ts'
import { CommandFailure } from './command.ts'
import type { Given } from './command.ts'

/** The settings that the server has, too, if it was started in the same environment; a whole path to the data. Throws `CommandFailure`. */
export function readSettings(given: Given): Config {
  const reading = readEnvironment()
  if (reading.kind === 'problems') {
    throw new CommandFailure(`the settings have mistakes:\n  ${reading.problems.join('\n  ')}`)
  }
  return { ...reading.config, dataDir: resolve(given.dataDir ?? reading.config.dataDir) }
}
