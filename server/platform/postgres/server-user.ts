import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

/** The user as whom PostgreSQL runs: it refuses to run as root. */
export interface ServerUser {
  /** Set when the programs run as another user than this process. */
  ids: { uid: number; gid: number } | null
  /** Words put before each command. */
  commandPrefix: readonly string[]
}

const sameUser: ServerUser = { ids: null, commandPrefix: [] }

/**
 * A user namespace without a mapping: inside, root is the overflow user (65534), which satisfies PostgreSQL's
 * check, while the kernel still lets it open root's files. Serves where no other user can reach the folders,
 * for example under /root.
 */
const insideNamespace: ServerUser = { ids: null, commandPrefix: ['unshare', '-U'] }

/**
 * Chooses the user for a new cluster inside `parentDir`, or for the existing one at `clusterDir`:
 * PostgreSQL insists on running as the owner of its files.
 * @throws Error with a sentence on what to do when no user fits.
 */
export function chooseServerUser(postgresProgram: string, parentDir: string, clusterDir: string): ServerUser {
  const owner = statSync(clusterDir, { throwIfNoEntry: false })
  const ownUid = process.getuid?.()
  if (ownUid !== 0) {
    if (owner !== undefined && ownUid !== undefined && owner.uid !== ownUid) {
      throw new Error(
        `the database in ${clusterDir} belongs to user id ${owner.uid}: start Gatehouse as that user`,
      )
    }
    return sameUser
  }
  const candidates = owner === undefined ? unprivilegedAccounts() : owner.uid === 0 ? [] : [owner]
  const account = candidates.find(({ uid, gid }) => canPass({ uid, gid }, [postgresProgram, parentDir]))
  if (account !== undefined) return { ids: { uid: account.uid, gid: account.gid }, commandPrefix: [] }
  if ((owner === undefined || owner.uid === 0) && hasUserNamespaces()) return insideNamespace
  throw new Error(
    `PostgreSQL refuses to run as root, and no other user can reach both ${postgresProgram} and ${parentDir}: ` +
      'start Gatehouse as an ordinary user, open these folders for passing through (chmod o+x), or set DATABASE_URL',
  )
}

function unprivilegedAccounts(): { uid: number; gid: number }[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const accounts = new Map<string, { uid: number; gid: number }>()
  for (const line of lines) {
    const [name = '', , uid, gid] = line.split(':')
    accounts.set(name, { uid: Number(uid), gid: Number(gid) })
  }
  return ['postgres', 'nobody'].flatMap((name) => accounts.get(name) ?? [])
}

function canPass(ids: { uid: number; gid: number }, paths: string[]): boolean {
  return paths.every((path) => spawnSync('test', ['-x', path], { ...ids, stdio: 'ignore' }).status === 0)
}

function hasUserNamespaces(): boolean {
  return spawnSync('unshare', ['-U', 'true'], { stdio: 'ignore' }).status === 0
}
