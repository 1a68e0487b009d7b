/**
 * The operator's command line, `npm run gatehouse -- COMMAND`. This file is the entry of its process.
 *
 *  1. `arguments/parse-arguments.ts` finds the command (`choose-command.ts`) and checks its flags and positionals
 *     against the declaration in `arguments/command.ts`. `arguments/help.ts` prints the same declarations as help.
 *  2. The command, one file a subject in `commands/`, turns flags into the input of a procedure with the schema that the
 *     server uses, too (`arguments/*-flags.ts`, `commands/key-commands.ts`). `server-command.ts` has what most commands do.
 *  3. `control-client.ts` calls the running server over the control socket in its data folder, which only the user of the
 *     server can open, so there is no sign-in. `print-config`, `migrate`, `backup verify` and `restore` work without a server.
 *  4. `output/` prints a table or sentences, and JSON with `--json`. Results go to standard output, everything else to
 *     standard error.
 *
 * Failure: exit code 1 when the command could not be carried out, 2 when it was typed wrongly; in both cases one sentence
 * on standard error says why. Commands throw `CommandFailure` or pass on the server's message.
 *
 * Limitations: the command line needs a shell on the host of the server. `trpc-cli` was considered instead of
 * `arguments/` (270 lines) and not taken: it runs a router in its own process, so each remote procedure would need a
 * local wrapper with its schema; flags such as `--rate-limit 100/minute` and values printed once do not follow from a
 * procedure's input and output; and its messages do not name the commands and flags that there are.
 */

import { TRPCClientError } from '@trpc/client'

import { errorMessage } from '../platform/error-message.ts'
import { assertNever } from '../platform/fault.ts'
import { accountCommands } from './commands/accounts.ts'
import { addressCommands } from './commands/addresses.ts'
import { agentCommands } from './commands/agents.ts'
import { alertCommands } from './commands/alerts.ts'
import { maintenanceCommands } from './commands/maintenance.ts'
import { silenceCommands } from './commands/silences.ts'
import { apiKeyCommands } from './commands/api-keys.ts'
import { auditCommands } from './commands/audit.ts'
import { backupCommand } from './commands/backup.ts'
import { type CliCommand, CommandFailure } from './arguments/command.ts'
import { endpointCommands } from './commands/endpoints.ts'
import { gatewayCommands } from './commands/gateway.ts'
import { formatHelp } from './arguments/help.ts'
import { migrateCommand } from './commands/migrate.ts'
import { printConfig } from './commands/print-config.ts'
import { chainCommands } from './commands/chains.ts'
import { planCommands } from './commands/plans.ts'
import { teamCommands } from './commands/teams.ts'
import { queryKeyCommands } from './commands/query-keys.ts'
import { oauthIssuerCommands } from './commands/oauth-issuers.ts'
import { parseArguments } from './arguments/parse-arguments.ts'
import { readyCommand } from './commands/ready.ts'
import { registryCommands } from './commands/registry.ts'
import { requestCommands } from './commands/requests.ts'
import { restoreCommand } from './commands/restore.ts'
import { serviceCommands } from './commands/services.ts'
import { statusPageCommands } from './commands/status-pages.ts'
import { printError } from './output/terminal.ts'
import { toolCallCommands } from './commands/tool-calls.ts'
import { toolPolicyCommands } from './commands/tool-policies.ts'
import { toolServerCommands } from './commands/tool-servers.ts'
import { verifyBackupCommand } from './commands/verify-backup.ts'
import { verifierCommands } from './commands/verifiers.ts'
import { virtualServerCommands } from './commands/virtual-servers.ts'

const commands: readonly CliCommand[] = [
  ...serviceCommands,
  ...endpointCommands,
  ...verifierCommands,
  ...addressCommands,
  ...accountCommands,
  ...planCommands,
  ...chainCommands,
  ...teamCommands,
  ...apiKeyCommands,
  ...queryKeyCommands,
  ...requestCommands,
  ...registryCommands,
  ...gatewayCommands,
  ...toolServerCommands,
  ...oauthIssuerCommands,
  ...agentCommands,
  ...virtualServerCommands,
  ...toolCallCommands,
  ...toolPolicyCommands,
  ...alertCommands,
  ...silenceCommands,
  ...maintenanceCommands,
  ...statusPageCommands,
  ...auditCommands,
  readyCommand,
  printConfig,
  migrateCommand,
  backupCommand,
  verifyBackupCommand,
  restoreCommand,
]

async function main(args: readonly string[]): Promise<number> {
  const reading = parseArguments(args, commands)
  switch (reading.kind) {
    case 'help':
      process.stdout.write(formatHelp(reading.of))
      return 0
    case 'wrong':
      printError(`gatehouse: ${reading.message}`)
      return 2
    case 'run':
      try {
        await reading.command.run(reading.args)
        return 0
      } catch (error) {
        printError(`gatehouse: ${failureText(error)}`)
        return 1
      }
    default:
      return assertNever(reading)
  }
}

/** A reader that closed its pipe (`| head -1`) has what it wanted; any other failure to write is one of the command. */
function failOnOutput({ code, message }: NodeJS.ErrnoException): never {
  if (code === 'EPIPE') process.exit()
  printError(`gatehouse: the output could not be written: ${code ?? message}`)
  process.exit(1)
}

async function runToEnd(): Promise<void> {
  process.stdout.on('error', failOnOutput)
  process.exitCode = await main(process.argv.slice(2))
}

function failureText(error: unknown): string {
  if (error instanceof TRPCClientError && error.cause instanceof CommandFailure) return error.cause.message
  return errorMessage(error)
}

void runToEnd()
