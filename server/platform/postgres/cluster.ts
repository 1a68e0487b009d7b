import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
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
import type { PostgresBinaries } from './binaries.ts'
import { chooseServerUser, type ServerUser } from './server-user.ts'

/** The name of the database's superuser, the only account of the embedded server. */
export const superuser = 'gatehouse'

/** The files of one embedded server. Everything lies in `<data folder>/postgres`, owned by its user, mode 0700. */
export interface Cluster {
  homeDir: string
  /** PostgreSQL's own data directory. */
  filesDir: string
  password: string
  user: ServerUser
}

/** What PostgreSQL's programs see of our environment. LC_ALL: their messages are read in English. */
export const serverEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
}

const homeIn = (dataDir: string): string => join(dataDir, 'postgres')

/** Returns whether a data folder has a cluster, so that none need be made. */
export const hasCluster = (dataDir: string): boolean => existsSync(homeIn(dataDir))

/**
 * Opens the cluster of a data folder, making it first when there is none.
 * The caller holds the folder's lock.
 * @throws Error when initdb fails or the cluster cannot be run by anybody here.
 */
export function openCluster(binaries: PostgresBinaries, dataDir: string, isDurable: boolean): Cluster {
  const homeDir = homeIn(dataDir)
  const user = chooseServerUser(binaries.postgres, dataDir, homeDir)
  if (existsSync(homeDir)) refuseOtherMajor(binaries.postgres, homeDir)
  else createCluster(binaries, homeDir, user, isDurable)
  const password = readFileSync(join(homeDir, 'password'), 'utf8').trim()
  return { homeDir, filesDir: join(homeDir, 'cluster'), password, user }
}

/** PostgreSQL reads files of its own major version only. */
function refuseOtherMajor(postgres: string, homeDir: string): void {
  const ofFiles = readFileSync(join(homeDir, 'cluster', 'PG_VERSION'), 'utf8').trim()
  const said = spawnSync(postgres, ['--version'], { env: serverEnvironment, encoding: 'utf8' }).stdout
  const ofProgram = /\(PostgreSQL\) (\d+)/.exec(said)?.[1]
  if (ofProgram === undefined || ofProgram === ofFiles) return
  throw new Error(
    `the database in ${homeDir} is of PostgreSQL ${ofFiles}, and this program has PostgreSQL ${ofProgram}: make a backup with ` +
      `the program that had it ("gatehouse backup"), move that folder away, and restore the backup with this one`,
  )
}

/** Builds beside the final place and renames: a cluster whose making was cut short is never started. */
function createCluster(
  binaries: PostgresBinaries,
  homeDir: string,
  user: ServerUser,
  isDurable: boolean,
): void {
  const unfinishedDir = `${homeDir}.unfinished`
  rmSync(unfinishedDir, { recursive: true, force: true })
  mkdirSync(unfinishedDir, { mode: 0o700 })
  const passwordFile = join(unfinishedDir, 'password')
  writeFileSync(passwordFile, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  if (user.ids !== null) {
    chownSync(unfinishedDir, user.ids.uid, user.ids.gid)
    chownSync(passwordFile, user.ids.uid, user.ids.gid)
  }

  runInitdb(binaries.initdb, join(unfinishedDir, 'cluster'), passwordFile, user, isDurable)

  flush(passwordFile)
  flush(unfinishedDir)
  renameSync(unfinishedDir, homeDir)
  flush(join(homeDir, '..'))
}

function runInitdb(
  initdb: string,
  filesDir: string,
  passwordFile: string,
  user: ServerUser,
  isDurable: boolean,
): void {
  const settings = [
    ['--pgdata', filesDir],
    ['--username', superuser],
    ['--pwfile', passwordFile],
    ['--auth', 'scram-sha-256'],
    ['--encoding', 'UTF8'],
    ['--locale', 'C'],
    isDurable ? [] : ['--no-sync'],
  ].flat()
  const [program = initdb, ...args] = [...user.commandPrefix, initdb, ...settings]
  const result = spawnSync(program, args, { ...user.ids, env: serverEnvironment, cwd: '/', encoding: 'utf8' })
  if (result.status === 0) return
  const reason = result.error?.message ?? result.stderr.trim()
  throw new Error(`cannot create the embedded database (or set DATABASE_URL): ${reason}`)
}

/** Makes a rename or a small file survive power loss. */
function flush(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
