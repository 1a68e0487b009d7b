import { resolve } from 'node:path'

import type { RegistryCounts, RegistryStatus, RowProblem } from '../../../shared/registry.ts'
import { type CliCommand, dataDirFlag } from '../arguments/command.ts'
import { type ProcedureOutputs, connectToServer } from '../control-client.ts'
import { printable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'
import { printError, createProgressLine, printResult, printJsonResult } from '../output/terminal.ts'

const shownProblems = 20

type ImportProgress = NonNullable<ProcedureOutputs['registry']['progress']>

const importCommand: CliCommand = {
  name: 'registry import',
  about: 'Imports a registry of services: a folder, a .tar.gz file, or an https address of one.',
  positionals: ['SOURCE'],
  flags: {
    check: { type: 'boolean', about: 'only say what is wrong with it, and change nothing' },
    all: { type: 'boolean', about: `list every row with a problem, not only ${shownProblems}` },
    ...dataDirFlag,
  },
  notes: `SOURCE has listings/<category>.csv with a column "network" (* for all networks), or a folder for each network,
listings/specific-networks/<network>/<category>.csv, beside references/ and meta/.
Rows that are not valid are left out and listed with file, line and reason. A registry that cannot be used at all changes
nothing: the previous one stays active.`,
  async run(args) {
    const server = connectToServer(args)
    const source = sourceOf(args.argument(0))
    const isCheckOnly = args.isSet('check')
    const importing = server.registry.importSource.mutate({ source, isCheckOnly })
    const { counts, problems } = await withProgress(importing, () => server.registry.progress.query())
    if (args.isJson) {
      printJsonResult({ source, isImported: !isCheckOnly, counts, problems })
      return
    }
    report(problems, counts, args.isSet('all'))
    printResult(`${isCheckOnly ? 'Would import' : 'Imported'} ${describeCounts(counts)}.`)
  },
}

const sourceOf = (argument: string): string => (/^https?:\/\//i.test(argument) ? argument : resolve(argument))

const pollEveryMs = 250

/** Shows the progress of an import until it has ended. */
async function withProgress<T>(work: Promise<T>, ask: () => Promise<ImportProgress | null>): Promise<T> {
  const progress = createProgressLine()
  const asking = setInterval(() => {
    ask().then(
      (found) => found && progress.show(`${found.filesRead} of ${found.files} files read`),
      () => undefined, // the import itself reports what is wrong with the server
    )
  }, pollEveryMs)
  try {
    return await work
  } finally {
    clearInterval(asking)
    progress.end()
  }
}

/** Prints the problems to standard error. */
function report(problems: readonly RowProblem[], { leftOut, changed }: RegistryCounts, isAll: boolean): void {
  const shown = isAll ? problems : problems.slice(0, shownProblems)
  for (const { file, line, reason, effect } of shown) {
    const what = effect === 'left_out' ? 'left out' : 'changed'
    printError(printable(`${file}${line === null ? '' : `:${line}`}: ${what}: ${reason}`))
  }
  const rest = leftOut + changed - shown.length
  if (rest > 0) printError(`and ${rest} more${isAll ? '' : '; --all lists them'}`)
}

function describeCounts({ networks, rows, providers, mcpServers, leftOut, changed }: RegistryCounts): string {
  const parts = [
    `${rows} services on ${networks} networks`,
    `${providers} providers`,
    `${mcpServers} MCP servers that can be connected to`,
    leftOut === 0 ? 'no row left out' : `${leftOut} rows left out`,
  ]
  if (changed > 0) parts.push(`${changed} rows changed`)
  return parts.join('; ')
}

const status = serverCommand({
  name: 'registry status',
  about: 'Shows which registry is active, and the latest check of its source.',
  ask: (client) => client.registry.status.query(),
  text: describeStatus,
})

/** Returns the status as several lines; times are in UTC. */
function describeStatus({ origin, importedAt, version, counts, source }: RegistryStatus): string {
  const lines = [
    importedAt === null
      ? 'Active: the registry that is part of Gatehouse'
      : `Active: ${origin}, imported ${new Date(importedAt).toISOString()}`,
    `Version: ${version.slice(0, 12)}`,
    `Holds: ${describeCounts(counts)}`,
  ]
  if (source !== null) {
    const next = source.nextCheckAt === null ? 'soon' : new Date(source.nextCheckAt).toISOString()
    lines.push(`Source: ${source.address}, next check ${next}`)
    if (source.problem !== null) lines.push(`Latest check: ${source.problem}`)
  }
  return lines.map(printable).join('\n')
}

export const registryCommands: readonly CliCommand[] = [importCommand, status]
