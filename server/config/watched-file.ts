import { existsSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'

import { errorMessage } from '../platform/error-message.ts'
import type { Log } from '../platform/log.ts'
import { createPeriodicJob } from '../platform/periodic-job.ts'
import type { GatehouseFile } from '../../shared/gatehouse-file.ts'
import { describeProblem, readDeclarativeFile } from './declarative-file.ts'
import type { FileProblem, FileReading } from './declarative-file.ts'

/** The content of the file, with a function that locates mistakes in it. */
export type FileContent = Extract<FileReading, { kind: 'content' }>

/** The configuration file, reloaded when it changes. */
export interface WatchedFile {
  readonly path: string
  /** False when there is no such file; the active content is empty then. */
  readonly exists: boolean
  /** Why the content of the latest reading is not active; while there is a reason, the previous content stays active. */
  readonly problems: readonly string[]
  /** Reads the file now. Returns whether the new content is active. */
  reload(): Promise<boolean>
  watch(): void
  close(): Promise<void>
}

/** Applies a content as a whole, or returns the mistakes in its meaning and changes nothing. */
export type ApplyFile = (
  content: GatehouseFile,
  problemAt: FileContent['problemAt'],
) => Promise<FileProblem[]>

/** The file is polled because file events are lost on network drives and when an editor or orchestrator replaces it. */
const pollMs = 500

/**
 * What keeps a content from being active may lie outside the file: the database, an address that is not allowed yet, a plan
 * that accounts still have. So an unchanged file is read again after so many polls (ten seconds) until it is active.
 */
const pollsUntilAgain = 20

const defaultPath = './gatehouse.yaml'

const emptied = 'it is empty; write {} if nothing is to be declared'

/** Returns a sentence when a file is named that does not exist. */
export function absenceOf(named: string | null): string | null {
  if (named === null || existsSync(named)) return null
  return `GATEHOUSE_FILE: there is no ${resolve(named)}`
}

/**
 * Throws what `openConfigFile` would, as far as it can be known without the rest of the installation: a mistake in the form
 * of the file need not wait until a database is made.
 */
export function checkConfigFile(named: string | null): void {
  const path = pathOf(named)
  const reading = readFileAt(path, existsSync(path))
  if (reading.kind === 'problems') throw mistakesIn(reading.problems.map((problem) => told(path, problem)))
}

/**
 * Reads the configuration file and watches it. Without a name `./gatehouse.yaml` is read, if it exists. Throws when the
 * file has mistakes, and when it is named but does not exist.
 */
export async function openConfigFile(named: string | null, log: Log, apply: ApplyFile): Promise<WatchedFile> {
  const file = createWatchedFile(pathOf(named), log, apply)
  if (!(await file.reload())) throw mistakesIn(file.problems)
  file.watch()
  return file
}

function pathOf(named: string | null): string {
  const absent = absenceOf(named)
  if (absent !== null) throw new Error(absent)
  return resolve(named ?? defaultPath)
}

const mistakesIn = (problems: readonly string[]): Error =>
  new Error(`the file has mistakes:\n  ${problems.join('\n  ')}`)

const told = (path: string, problem: FileProblem): string => describeProblem(basename(path), problem)

/** While the content is not active, an unchanged file is read again after `againAfterPolls` polls of half a second. */
export function createWatchedFile(
  path: string,
  log: Log,
  apply: ApplyFile,
  againAfterPolls = pollsUntilAgain,
): WatchedFile {
  let problems: readonly string[] = []
  /** Whether the active content stands in the file; an empty file, or none, has no content. */
  let isWritten = false
  /** Whether a content is active. At the start there is none: the one who starts it tells the mistakes. */
  let isActive = false
  /** Version of the file when it was last read. */
  let readVersion: string | null = null
  /** Version of the file at the previous poll. */
  let polledVersion: string | null = null
  let pollsSinceReading = 0
  /** The version and the problems that were logged last, so that each is logged once however often it is read. */
  let logged = ''
  let reloading: Promise<boolean> = Promise.resolve(true)

  async function findProblems(): Promise<readonly FileProblem[]> {
    pollsSinceReading = 0
    readVersion = await versionOf(path) // taken before reading, so that a change meanwhile is read again
    const isThere = existsSync(path)
    const reading = readFileAt(path, isThere)
    if (reading.kind === 'problems') return reading.problems
    // A shell empties the file before a program writes the new one, and a full disk leaves it so.
    if (isWritten && reading.isEmpty) return ofWhole(isThere ? emptied : 'it is gone').problems
    const found = await apply(reading.content, reading.problemAt)
    if (found.length === 0) isWritten = !reading.isEmpty
    return found
  }

  function note(found: readonly FileProblem[], message: string): void {
    problems = found.map((problem) => told(path, problem))
    const noted = [readVersion, ...problems].join('\n')
    if (isActive && problems.length > 0 && noted !== logged) {
      for (const problem of problems) log.error(message, { problem })
    }
    logged = noted
  }

  async function read(): Promise<boolean> {
    try {
      note(await findProblems(), 'the file has mistakes; the previous content stays active')
    } catch (error) {
      const reason = `it could not be applied, which is tried again: ${errorMessage(error)}`
      note(ofWhole(reason).problems, 'the file could not be applied; the previous content stays active')
      throw error
    }
    const isFine = problems.length === 0
    if (isFine && existsSync(path)) log.info('the file is active', { path })
    isActive ||= isFine
    return isFine
  }

  /** Readings run one after the other, so that an older content never replaces a newer one. */
  function reload(): Promise<boolean> {
    const after = reloading.then(read, read)
    reloading = after
    return after
  }

  /** Compares with the version that was read, not with the previous poll, so that no change during a reading is missed. */
  async function poll(): Promise<void> {
    await Promise.allSettled([reloading])
    const version = await versionOf(path)
    const isSettled = version === polledVersion // an editor may have written half of it
    polledVersion = version
    pollsSinceReading++
    const isToBeTriedAgain = problems.length > 0 && pollsSinceReading >= againAfterPolls
    // Why a reading failed is among the problems, and logged.
    if (isSettled && (version !== readVersion || isToBeTriedAgain)) await Promise.allSettled([reload()])
  }

  const polling = createPeriodicJob(pollMs, poll, (error) =>
    log.error('the file could not be looked at', { error }),
  )

  return {
    path,
    get exists() {
      return existsSync(path)
    },
    get problems() {
      return problems
    },
    reload,
    watch: polling.start,
    close: polling.stop,
  }
}

/** A file that was not there is empty; one that vanished since cannot be read. */
function readFileAt(path: string, isThere: boolean): FileReading {
  const bytes = isThere ? readBytes(path) : Buffer.alloc(0)
  if (bytes === null) return ofWhole('it cannot be read')
  const text = textOf(bytes)
  return text === null ? ofWhole('it is not UTF-8; save it as UTF-8') : readDeclarativeFile(text)
}

const ofWhole = (message: string): Extract<FileReading, { kind: 'problems' }> => ({
  kind: 'problems',
  problems: [{ line: null, field: '(file)', message }],
})

/** Returns a text that changes when the file is written, replaced, created or removed. */
async function versionOf(path: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(path)
    return `${ino} ${mtimeMs} ${size}`
  } catch {
    return 'not there'
  }
}

/** Returns null when the file cannot be read: no permission, a folder of that name, or it was just removed. */
function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

/** Returns null for what is not UTF-8, which a decoder that forgives would change in silence. */
function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
