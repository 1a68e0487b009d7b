import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { writeWholeFile } from '../platform/whole-file.ts'

/** Secrets of this installation. Those that are not set are generated once and stored in the data folder. */
export interface InstallationSecrets {
  /** The first key seals, and all of them open. */
  readonly masterKeys: readonly [Buffer, ...Buffer[]]
  readonly metricsToken: string
}

/** Returns the folder inside the data folder that only this user can enter. */
export const privateFolder = (dataDir: string): string => join(dataDir, 'private')

/** Returns the secrets that are set, and reads or generates the others. Throws when the file of one is damaged. */
export async function installationSecrets(
  dataDir: string,
  given: { masterKeys: readonly string[] | null; metricsToken: string | null },
): Promise<InstallationSecrets> {
  const keys = given.masterKeys ?? [await storedSecret(dataDir, 'master-key', 32, 'base64')]
  const [first, ...others] = keys.map((key) => Buffer.from(key, 'base64'))
  if (!first) throw new TypeError('there is no master key')
  return {
    masterKeys: [first, ...others],
    metricsToken: given.metricsToken ?? (await storedSecret(dataDir, 'metrics-token', 24, 'base64url')),
  }
}

/**
 * Returns the master keys that are set, or the one in the data folder; none when there is none yet. Throws when its file
 * is damaged.
 */
export async function presentMasterKeys(dataDir: string, given: readonly string[] | null): Promise<Buffer[]> {
  if (given !== null) return given.map((key) => Buffer.from(key, 'base64'))
  if (!existsSync(join(privateFolder(dataDir), 'master-key'))) return []
  return [...(await installationSecrets(dataDir, { masterKeys: null, metricsToken: '' })).masterKeys]
}

/** Reads a secret from its file, or generates the file (mode 0600). Throws when the file is damaged. */
async function storedSecret(
  dataDir: string,
  name: string,
  bytes: number,
  encoding: 'base64' | 'base64url',
): Promise<string> {
  const path = join(privateFolder(dataDir), name)
  // The file is written whole or not at all, because half a key would be worse than none.
  if (!existsSync(path)) await writeWholeFile(path, `${randomBytes(bytes).toString(encoding)}\n`)
  const secret = (await readFile(path, 'utf8')).trim()
  if (Buffer.from(secret, encoding).length === bytes) return secret
  throw new Error(
    `${path} is damaged: bring it back from a backup (what it sealed cannot be read without it)`,
  )
}
