import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import type { Log } from '../platform/log.ts'
import { createWatchedFile } from './watched-file.ts'
import type { ApplyFile, WatchedFile } from './watched-file.ts'

const defaultPath = './gatehouse.yaml'

/**
 * Reads the declarative file and follows it. Throws when it has mistakes, or is named but not there; without a name the
 * usual place is looked at.
 */
export async function openFile(named: string | null, log: Log, apply: ApplyFile): Promise<WatchedFile> {
  const path = resolve(named ?? defaultPath)
  if (named !== null && !existsSync(path)) throw new Error(`GATEHOUSE_FILE: there is no ${path}`)
  const file = createWatchedFile(path, log, apply)
  if (!(await file.reload())) throw new Error(`the file has mistakes:\n  ${file.problems.join('\n  ')}`)
  file.watch()
  return file
}
