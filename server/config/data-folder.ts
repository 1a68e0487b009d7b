import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
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

/** Reads a secret from its file, or makes it (mode 0600) where there is none. Throws when the file was damaged. */
function keptSecret(dataDir: string, name: string, bytes: number, encoding: 'base64' | 'base64url'): string {
  const folder = privateFolder(dataDir)
  const path = join(folder, name)
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeDurably(path, `${randomBytes(bytes).toString(encoding)}\n`)
  }
  const secret = readFileSync(path, 'utf8').trim()
  if (Buffer.from(secret, encoding).length === bytes) return secret
  throw new Error(
    `${path} is damaged: bring it back from a backup (what it sealed cannot be read without it)`,
  )
}

/** All of it or nothing, also when the power fails: half a key would be worse than none. */
function writeDurably(path: string, text: string): void {
  const draft = `${path}.draft`
  rmSync(draft, { force: true }) // one that a crash left behind keeps its mode otherwise
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}
