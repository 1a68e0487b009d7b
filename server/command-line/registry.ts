import { resolve } from 'node:path'

import { createEgress } from '../platform/egress.ts'
import { nextTurn } from '../platform/turns.ts'
import { loadRegistry } from '../registry/load.ts'
import type { LoadedRegistry } from '../registry/load.ts'
import { UnusableSnapshot } from '../registry/registry.ts'
import type { SnapshotFile } from '../registry/snapshot.ts'
import { archiveEgress } from '../registry/sources/archive-egress.ts'
import { packFiles } from '../registry/sources/pack.ts'
import { readSource } from '../registry/sources/read-source.ts'
import type { RegistryCounts, RegistryStatus, RowProblem } from '../../shared/registry.ts'
import { CommandFailure, dataDirFlag } from './command.ts'
import type { Command } from './command.ts'
import { controlClient } from './control-client.ts'
import { readSettings } from './settings.ts'
import { printable } from './table.ts'
import { complain, createProgress, print, printJson } from './terminal.ts'

const shownProblems = 20

const importCommand: Command = {
  name: 'registry import',
  about: 'Puts a registry of services in force: a folder, a .tar.gz file, or an https address of one.',
  takes: ['SOURCE'],
  flags: {
    check: { type: 'boolean', about: 'only say what is wrong with it; no server is needed' },
    all: { type: 'boolean', about: `list every row that is not as it should be, not only ${shownProblems}` },
    ...dataDirFlag,
  },
  notes: `Rows that are wrong are left out and listed with file, line and reason. A registry that cannot be used at
all changes nothing: the one before it stays in force.`,
  async run(given) {
    const { dataDir, allowPrivate } = readSettings(given)
    const source = sourceOf(given.argument(0))
    const files = await readFiles(source, allowPrivate)
    const { counts, problems } = await checkFiles(files)
    if (!given.isSet('check')) {
      const content = Buffer.from(await packFiles(files)).toString('base64')
      await controlClient(dataDir).registry.import.mutate({ source, content })
    }
    if (given.isJson) {
      printJson({ source, isImported: !given.isSet('check'), counts, problems })
      return
    }
    report(problems, counts, given.isSet('all'))
    print(`${given.isSet('check') ? 'Would import' : 'Imported'} ${describe(counts)}.`)
  },
}

const sourceOf = (argument: string): string => (/^https?:\/\//i.test(argument) ? argument : resolve(argument))

async function readFiles(source: string, allowPrivate: readonly string[]): Promise<readonly SnapshotFile[]> {
  const egress = createEgress(archiveEgress(allowPrivate))
  try {
    const reading = await readSource(source, egress.fetch)
    return reading.kind === 'files' ? reading.files : []
  } catch (error) {
    throw asFailure(source, error)
  } finally {
    egress.close()
  }
}

async function checkFiles(files: readonly SnapshotFile[]): Promise<LoadedRegistry> {
  const progress = createProgress()
  try {
    return await loadRegistry(files, {
      pause: nextTurn,
      onProgress: (done, of) => progress.show(`${done} of ${of} files read`),
    })
  } catch (error) {
    throw asFailure('the registry', error)
  } finally {
    progress.end()
  }
}

const asFailure = (what: string, error: unknown): unknown =>
  error instanceof UnusableSnapshot ? new CommandFailure(`${printable(what)}: ${error.message}`) : error

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
