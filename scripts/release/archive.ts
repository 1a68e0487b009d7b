import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, readdirSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

import { packTar } from 'modern-tar/fs'

/** When the current commit was made, so that two builds of it are the same. */
export async function commitDate(): Promise<Date> {
  const seconds = Number(await Bun.$`git log -1 --format=%ct`.text())
  return new Date(seconds * 1_000)
}

/** Packs a folder beside itself, and writes its checksum as `sha256sum --check` reads it. */
export async function pack(
  folder: string,
  mtime: Date,
): Promise<{ path: string; bytes: number; sha256: string }> {
  const path = `${folder}.tar.gz`
  const owner = { uid: 0, gid: 0, uname: 'root', gname: 'root' }
  const tar = packTar(sortedFiles(folder), { map: (header) => ({ ...header, ...owner, mtime }) })
  await pipeline(tar, createGzip({ level: 9 }), createWriteStream(path))
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  const sha256 = hash.digest('hex')
  await Bun.write(`${path}.sha256`, `${sha256}  ${basename(path)}\n`)
  return { path, bytes: statSync(path).size, sha256 }
}

/** A folder that is packed as a whole has its entries in the order in which the file system happens to answer. */
function sortedFiles(folder: string): { type: 'file'; source: string; target: string }[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .map((source) => ({ type: 'file', source, target: join(basename(folder), relative(folder, source)) }))
}
