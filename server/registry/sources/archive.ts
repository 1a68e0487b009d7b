import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { unpackTar } from 'modern-tar'

import { snapshotLimits, UnusableSnapshot } from '../read/limits.ts'
import type { SnapshotFile } from '../snapshot.ts'
import { createFileCollector, isRegistryFile } from './file-collector.ts'

const unzip = promisify(gunzip)

/** Splits the path of a registry file from the folder around it, which archives of repositories have. */
const registryPath = /^(?:\.\/)?((?:[^/]+\/)*?)((?:meta|references|listings)\/.+)$/

/**
 * Reads the files of a registry from a `.tar.gz` archive. Only regular files are read, none is ever written, and nothing
 * is unpacked beyond the limits. Throws `UnusableSnapshot`. (`Bun.Archive` expands sparse files, 150 bytes to 2 GB.)
 */
export async function readArchive(content: Uint8Array): Promise<readonly SnapshotFile[]> {
  const tar = await unzipped(content)
  const gathered = createFileCollector()
  const found: { root: string; path: string; content: Uint8Array }[] = []
  for (const { header, data } of await unpacked(tar)) {
    const parts = header.name.split('/')
    if (parts.includes('..') || header.name.startsWith('/')) {
      throw new UnusableSnapshot('it has a path that leads out of the archive')
    }
    const [, root, path] = registryPath.exec(header.name) ?? []
    if (root !== undefined && path !== undefined && isRegistryFile(path) && data)
      found.push({ root, path, content: data })
  }
  // A repository may contain other registries in its folders, for instance for its tests. The outermost one is read.
  const folders = found.map(({ root }) => root)
  const outermost = folders.reduce(
    (best, root) => (root.length < best.length ? root : best),
    folders[0] ?? '',
  )
  for (const file of found.filter(({ root }) => root === outermost)) {
    gathered.allow(file.path, file.content.length)
    gathered.add(file.path, file.content)
  }
  return gathered.files
}

const isGzip = (content: Uint8Array): boolean => content[0] === 0x1f && content[1] === 0x8b

async function unzipped(content: Uint8Array): Promise<Uint8Array> {
  if (!isGzip(content)) return content
  try {
    return await unzip(content, { maxOutputLength: snapshotLimits.totalBytes })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new UnusableSnapshot(
      isTooLarge ? `it is larger than ${snapshotLimits.totalBytes >> 20} MB unpacked` : 'it is damaged',
    )
  }
}

async function unpacked(tar: Uint8Array) {
  try {
    return await unpackTar(tar, { strict: true, filter: ({ type }) => type === 'file' })
  } catch {
    throw new UnusableSnapshot('it is no .tar.gz archive, or a damaged one')
  }
}
