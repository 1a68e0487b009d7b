import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { UnusableSnapshot } from '../read/limits.ts'
import type { SnapshotFile } from '../snapshot.ts'
import { createFileCollector, isRegistryFile } from './file-collector.ts'

const tops = ['meta', 'references', 'listings']

/** Reads the files of a registry from a folder. Symbolic links are not followed. Throws `UnusableSnapshot`. */
export async function readFolder(root: string): Promise<readonly SnapshotFile[]> {
  const gathered = createFileCollector()

  async function walk(folder: string): Promise<void> {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) await walk(path)
      if (!entry.isFile() || !isRegistryFile(path)) continue
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
