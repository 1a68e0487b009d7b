import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Secrets of this installation. Those that nobody set are made once and kept in the data folder. */
export interface InstallationSecrets {
  /** The first seals, every one opens. */
  readonly masterKeys: readonly [Buffer, ...Buffer[]]
  readonly metricsToken: string
}

/** Folder inside the data folder that only this user can enter. */
export const privateFolder = (dataDir: string): string => join(dataDir, 'private')

export function installationSecrets(
  dataDir: string,
  given: { masterKeys: readonly string[] | null; metricsToken: string | null },
): InstallationSecrets {
  const keys = given.masterKeys ?? [keptSecret(dataDir, 'master-key', 32, 'base64')]
  const [first, ...others] = keys.map((key) => Buffer.from(key, 'base64'))
  if (!first) throw new TypeError('there is no master key')
  return {
    masterKeys: [first, ...others],
    metricsToken: given.metricsToken ?? keptSecret(dataDir, 'metrics-token', 24, 'base64url'),
  }
}

/** Reads a secret from its file, or makes it (mode 0600) where there is none. */
function keptSecret(dataDir: string, name: string, bytes: number, encoding: 'base64' | 'base64url'): string {
  const folder = privateFolder(dataDir)
  const path = join(folder, name)
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const secret = randomBytes(bytes).toString(encoding)
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  return secret
}
