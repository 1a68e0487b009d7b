import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { UnusableSnapshot } from '../read/limits.ts'
import type { SnapshotFile } from '../snapshot.ts'
import { createGatheredFiles, isWanted } from './gathered-files.ts'

const tops = ['meta', 'references', 'listings']

/** The files of a registry in a folder. Symbolic links are not followed: they could lead anywhere. */
export async function readFolder(root: string): Promise<readonly SnapshotFile[]> {
  const gathered = createGatheredFiles()

  async function walk(folder: string): Promise<void> {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) await walk(path)
      if (!entry.isFile() || !isWanted(path)) continue
      gathered.allow(path, (await lstat(join(root, path))).size)
      gathered.add(path, await readFile(join(root, path)))
    }
  }

  try {
    const names = new Set(await readdir(root))
    for (const top of tops) if (names.has(top)) await walk(top)
  } catch (error) {
    throw isFileError(error) ? new UnusableSnapshot(`it cannot be read (${error.code})`) : error
  }
  return gathered.files
}

const isFileError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
