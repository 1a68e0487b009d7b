import { resolve } from 'node:path'

import type { RegistryCounts, RegistryStatus, RowProblem } from '../../shared/registry.ts'
import { dataDirFlag } from './command.ts'
import type { Command } from './command.ts'
import { controlClient } from './control-client.ts'
import type { Answers } from './control-client.ts'
import { readSettings } from './settings.ts'
import { printable } from './table.ts'
import { complain, createProgress, print, printJson } from './terminal.ts'

const shownProblems = 20

type Progressing = NonNullable<Answers['registry']['progress']>

const importCommand: Command = {
  name: 'registry import',
  about: 'Puts a registry of services in force: a folder, a .tar.gz file, or an https address of one.',
  takes: ['SOURCE'],
  flags: {
    check: { type: 'boolean', about: 'only say what is wrong with it, and change nothing' },
    all: { type: 'boolean', about: `list every row that is not as it should be, not only ${shownProblems}` },
    ...dataDirFlag,
  },
  notes: `Rows that are wrong are left out and listed with file, line and reason. A registry that cannot be used at
all changes nothing: the one before it stays in force.`,
  async run(given) {
    const server = controlClient(readSettings(given).dataDir)
    const source = sourceOf(given.argument(0))
    const isCheckOnly = given.isSet('check')
    const importing = server.registry.importSource.mutate({ source, isCheckOnly })
    const { counts, problems } = await withProgress(importing, () => server.registry.progress.query())
    if (given.isJson) {
      printJson({ source, isImported: !isCheckOnly, counts, problems })
      return
    }
    report(problems, counts, given.isSet('all'))
    print(`${isCheckOnly ? 'Would import' : 'Imported'} ${describe(counts)}.`)
  },
}

const sourceOf = (argument: string): string => (/^https?:\/\//i.test(argument) ? argument : resolve(argument))

const askEveryMs = 250

/** Draws how far the server is until it is done. */
async function withProgress<T>(work: Promise<T>, ask: () => Promise<Progressing | null>): Promise<T> {
  const progress = createProgress()
  const asking = setInterval(() => {
    ask().then(
      (found) => found && progress.show(`${found.filesRead} of ${found.files} files read`),
      () => undefined, // what is wrong with the server is what the work itself says
    )
  }, askEveryMs)
  try {
    return await work
  } finally {
    clearInterval(asking)
    progress.end()
  }
}

/** Beside the result, on standard error. */
function report(problems: readonly RowProblem[], { leftOut, changed }: RegistryCounts, isAll: boolean): void {
  const shown = isAll ? problems : problems.slice(0, shownProblems)
  for (const { file, line, reason, effect } of shown) {
    const what = effect === 'left_out' ? 'left out' : 'changed'
    complain(printable(`${file}${line === null ? '' : `:${line}`}: ${what}: ${reason}`))
  }
  const rest = leftOut + changed - shown.length
  if (rest > 0) complain(`and ${rest} more${isAll ? '' : '; --all lists them'}`)
}

function describe({ networks, rows, providers, mcpServers, leftOut, changed }: RegistryCounts): string {
  const parts = [
    `${rows} services on ${networks} networks`,
    `${providers} providers`,
    `${mcpServers} MCP servers that can be connected to`,
    leftOut === 0 ? 'no row left out' : `${leftOut} rows left out`,
  ]
  if (changed > 0) parts.push(`${changed} rows changed`)
  return parts.join('; ')
}

const status: Command = {
  name: 'registry status',
  about: 'Shows which registry is in force, and how the latest look at its source went.',
  takes: [],
  flags: dataDirFlag,
  async run(given) {
    const found = await controlClient(readSettings(given).dataDir).registry.status.query()
    if (given.isJson) printJson(found)
    else print(describeStatus(found))
  },
}

/** Some lines; times in UTC. */
export function describeStatus({ origin, importedAt, version, counts, source }: RegistryStatus): string {
  const lines = [
    importedAt === null
      ? 'In force: the registry that is part of Gatehouse'
      : `In force: ${origin}, imported ${new Date(importedAt).toISOString()}`,
    `Version: ${version.slice(0, 12)}`,
    `Holds: ${describe(counts)}`,
  ]
  if (source !== null) {
    const next = source.nextCheckAt === null ? 'soon' : new Date(source.nextCheckAt).toISOString()
    lines.push(`Source: ${source.address}, looked at next ${next}`)
    if (source.problem !== null) lines.push(`Latest look: ${source.problem}`)
  }
  return lines.map(printable).join('\n')
}

export const registryCommands: readonly Command[] = [importCommand, status]
