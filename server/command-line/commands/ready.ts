import { z } from 'zod'

import { type CliCommand, CommandFailure, dataDirFlag } from '../arguments/command.ts'
import { readCommandSettings } from '../arguments/settings.ts'
import { requestReadiness } from '../control-client.ts'
import { printJsonResult, printResult } from '../output/terminal.ts'

const readiness = z.object({ status: z.string(), checks: z.record(z.string(), z.string()) })

/** For health checks of containers, which have no other program that could ask. */
export const readyCommand: CliCommand = {
  name: 'ready',
  about: 'Says whether the server would answer what it is there for, as /readyz does; exit code 1 when not.',
  positionals: [],
  flags: dataDirFlag,
  async run(args) {
    const { dataDir } = readCommandSettings(args)
    const response = await requestReadiness(dataDir)
    const said: unknown = await response.json()
    const { status, checks } = readiness.parse(said)
    if (args.isJson) printJsonResult(said)
    else
      printResult(
        [status, ...Object.entries(checks).map(([part, state]) => `  ${part}: ${state}`)].join('\n'),
      )
    if (!response.ok) throw new CommandFailure('the server is not ready')
  },
}
