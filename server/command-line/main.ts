import { TRPCClientError } from '@trpc/client'

import { assertNever } from '../platform/fault.ts'
import { accountCommands } from './accounts.ts'
import { apiKeyCommands } from './api-keys.ts'
import { auditCommands } from './audit.ts'
import { backupCommand } from './backup.ts'
import { CommandFailure } from './command.ts'
import type { Command } from './command.ts'
import { endpointCommands } from './endpoints.ts'
import { gatewayCommands } from './gateway.ts'
import { helpText } from './help.ts'
import { printConfig } from './print-config.ts'
import { queryKeyCommands } from './query-keys.ts'
import { readArguments } from './read-arguments.ts'
import { registryCommands } from './registry.ts'
import { restoreCommand } from './restore.ts'
import { serviceCommands } from './services.ts'
import { complain } from './terminal.ts'
import { verifierCommands } from './verifiers.ts'

/** Process entry of the operator's command line. Exit code 1: it could not be done; 2: it was typed wrongly. */

const commands: readonly Command[] = [
  ...serviceCommands,
  ...endpointCommands,
  ...verifierCommands,
  ...accountCommands,
  ...apiKeyCommands,
  ...queryKeyCommands,
  ...registryCommands,
  ...gatewayCommands,
  ...auditCommands,
  printConfig,
  backupCommand,
  restoreCommand,
]

async function main(args: readonly string[]): Promise<number> {
  const reading = readArguments(args, commands)
  switch (reading.kind) {
    case 'help':
      process.stdout.write(helpText(reading.of))
      return 0
    case 'wrong':
      complain(`gatehouse: ${reading.message}`)
      return 2
    case 'run':
      try {
        await reading.command.run(reading.given)
        return 0
      } catch (error) {
        complain(`gatehouse: ${failureText(error)}`)
        return 1
      }
    default:
      return assertNever(reading)
  }
}

function failureText(error: unknown): string {
  if (error instanceof TRPCClientError && error.cause instanceof CommandFailure) return error.cause.message
  return error instanceof Error ? error.message : String(error)
}

process.exitCode = await main(process.argv.slice(2))
