import { existsSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'

import type { Log } from '../platform/log.ts'
import type { GatehouseFile } from '../../shared/gatehouse-file.ts'
import { describeProblem, readDeclarativeFile } from './declarative-file.ts'
import type { FileProblem, FileReading } from './declarative-file.ts'

/** A file's content with the means to point at a line of it. */
export type FileContent = Extract<FileReading, { kind: 'content' }>

/** The declarative file in force, reloaded when it changes. */
export interface WatchedFile {
  readonly path: string
  /** False: there is no such file, and the empty set is in force. */
  readonly exists: boolean
  /** Mistakes of the latest reading, which is then not in force; empty when all is well. */
  readonly problems: readonly string[]
  /** Reads it now; tells whether the new content is in force. */
  reload(): Promise<boolean>
  watch(): void
  close(): void
}

/** Puts a content in force, or says what is wrong with its meaning; then nothing has changed. */
export type ApplyFile = (
  content: GatehouseFile,
  problemAt: FileContent['problemAt'],
) => Promise<FileProblem[]>

/** Polled: file events are lost on network drives and when an editor or an orchestrator swaps the file. */
const pollMs = 500

export function createWatchedFile(path: string, log: Log, apply: ApplyFile): WatchedFile {
  let problems: readonly string[] = []
  let wasThere = false
  /** Of the file as it was when it was read last. */
  let readVersion: string | null = null
  /** Of the file as it was when it was looked at last. */
  let seenVersion: string | null = null
  let reloading: Promise<boolean> = Promise.resolve(true)
  let isLooking = false
  let timer: Timer | undefined

  async function findProblems(): Promise<readonly FileProblem[]> {
    readVersion = await versionOf(path) // before reading: what changes meanwhile is read again
    const isThere = existsSync(path)
    // Whoever wants no services says so in the file; a file that is gone is more likely a mistake.
    if (wasThere && !isThere) return [{ line: null, field: '(file)', message: 'it is gone' }]
    const text = isThere ? readText(path) : ''
    if (text === null) return [{ line: null, field: '(file)', message: 'it cannot be read' }]
    const reading = readDeclarativeFile(text)
    wasThere = isThere
    return reading.kind === 'problems' ? reading.problems : await apply(reading.content, reading.problemAt)
  }

  async function read(): Promise<boolean> {
    problems = (await findProblems()).map((problem) => describeProblem(basename(path), problem))
    for (const problem of problems)
      log.error('the file is not in force; the last good one stays', { problem })
    if (problems.length === 0 && wasThere) log.info('the file is in force', { path })
    return problems.length === 0
  }

  /** One after the other, so that an older content never overtakes a newer one. */
  function reload(): Promise<boolean> {
    const after = reloading.then(read, read)
    reloading = after
    return after
  }

  /** Compares with what was read, not with what was seen last: nothing is missed while a reading takes its time. */
  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      await Promise.allSettled([reloading])
      const version = await versionOf(path)
      const isSettled = version === seenVersion // an editor may have written half of it
      seenVersion = version
      if (isSettled && version !== readVersion) await reload()
    } catch (error) {
      log.error('the file could not be put in force', { error })
    } finally {
      isLooking = false
    }
  }

  return {
    path,
    get exists() {
      return existsSync(path)
    },
    get problems() {
      return problems
    },
    reload,
    watch() {
      timer = setInterval(() => void look(), pollMs)
    },
    close: () => clearInterval(timer),
  }
}

/** Differs when the file was written, swapped, made or removed. */
async function versionOf(path: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(path)
    return `${ino} ${mtimeMs} ${size}`
  } catch {
    return 'not there'
  }
}

/** Null when it cannot be read: its rights, a folder of that name, or it has gone this moment. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
