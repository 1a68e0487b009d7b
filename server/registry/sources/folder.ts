import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { UnusableSnapshot } from '../read/limits.ts'
import type { SnapshotFile } from '../snapshot.ts'
import { createFileCollector, isRegistryFile } from './file-collector.ts'

const tops = ['meta', 'references', 'listings']

/**
 * Reads the files of a registry from a folder. Symbolic links are not followed. Throws `UnusableSnapshot`, also where a file
 * comes, goes or changes meanwhile: half of what is being copied or checked out would pass for a whole registry.
 */
export async function readFolder(root: string): Promise<readonly SnapshotFile[]> {
  const gathered = createFileCollector()
  try {
    const before = await listFiles(root)
    for (const [path, { size }] of before) {
      gathered.allow(path, size)
      gathered.add(path, await readFile(join(root, path)))
    }
    if (!isSame(before, await listFiles(root)))
      throw new UnusableSnapshot('it was changed while it was read; wait until it is whole')
  } catch (error) {
    throw isFileError(error) ? new UnusableSnapshot(`it cannot be read (${error.code})`) : error
  }
  return gathered.files
}

interface FileState {
  readonly size: number
  readonly mtimeMs: number
}

/** Returns the files of a registry by their paths. */
async function listFiles(root: string): Promise<ReadonlyMap<string, FileState>> {
  const found = new Map<string, FileState>()
  async function walk(folder: string): Promise<void> {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) await walk(path)
      if (entry.isFile() && isRegistryFile(path)) found.set(path, await lstat(join(root, path)))
    }
  }
  const names = new Set(await readdir(root))
  for (const top of tops) if (names.has(top)) await walk(top)
  return found
}

const isSame = (before: ReadonlyMap<string, FileState>, after: ReadonlyMap<string, FileState>): boolean =>
  before.size === after.size &&
  before.entries().every(([path, { size, mtimeMs }]) => {
    const now = after.get(path)
    return now?.size === size && now.mtimeMs === mtimeMs
  })

const isFileError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
