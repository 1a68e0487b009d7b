import { migrateDatabase } from '../../platform/database.ts'
import { createLog } from '../../platform/log.ts'
import { type CliCommand, CommandFailure } from '../arguments/command.ts'
import { readCommandSettings } from '../arguments/settings.ts'
import { productPath } from '../../platform/product-folder.ts'
import { printJsonResult, printResult } from '../output/terminal.ts'

const migrationsFolder = productPath('server/migrations')

export const migrateCommand: CliCommand = {
  name: 'migrate',
  about: 'Brings the tables of DATABASE_URL up to date. Servers may be running.',
  positionals: [],
  flags: {},
  notes: `For installations whose servers run with GATEHOUSE_MIGRATE=off, as a role that may change rows only: run this as the
owner of the tables before a new version is started. It goes to DATABASE_DIRECT_URL where that is set, and waits while
another process migrates.`,
  async run(args) {
    const { databaseUrl, databaseDirectUrl } = readCommandSettings(args)
    if (databaseUrl === null) {
      throw new CommandFailure(
        'DATABASE_URL is not set; the server migrates its embedded database when it starts',
      )
    }
    const applied = await migrateDatabase({
      url: databaseUrl,
      directUrl: databaseDirectUrl,
      log: createLog({ level: 'info', destination: process.stderr }),
      migrationsFolder,
    })
    if (args.isJson) printJsonResult({ applied })
    else if (applied.length === 0) printResult('The database is up to date.')
    else printResult(`Applied ${applied.length} migrations: ${applied.join(', ')}.`)
  },
}
