import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** Unix sockets may have at most 107 bytes of path, on macOS 103. */
const longestSocketPath = 100

/**
 * Where the command line finds the running server: inside a folder that only its user can enter. A data folder with
 * a long path has its socket in the folder for temporary files, under a name that follows from the path.
 */
export const controlSocketPath = (privateFolder: string): string =>
  socketPathIn(privateFolder, 'control.sock')

function socketPathIn(privateFolder: string, file: string): string {
  const path = join(resolve(privateFolder), file)
  if (Buffer.byteLength(path) <= longestSocketPath) return path
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16)
  return join(tmpdir(), `gatehouse-${name}`, file)
}

/**
 * The same path, once nobody else can have put a socket there: the name of a folder among the temporary files can be
 * guessed, and whoever made it first would be taken for the server.
 * @throws Error with a sentence on what to do
 */
export function checkedSocketPath(privateFolder: string, file = 'control.sock'): string {
  const path = socketPathIn(privateFolder, file)
  const folder = dirname(path)
  if (folder === resolve(privateFolder)) return path
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return path
  const owners = [process.getuid?.(), statSync(privateFolder, { throwIfNoEntry: false })?.uid]
  if (!found.isDirectory() || !owners.includes(found.uid)) {
    throw new Error(`${folder} was not made by Gatehouse: remove it, or ${shorterPath}`)
  }
  if ((found.mode & 0o077) !== 0) {
    throw new Error(`${folder} can be entered by other users: remove it, or ${shorterPath}`)
  }
  return path
}

/** Asks whoever serves the control socket of a private folder. Rejects when nobody does. */
export const askControlSocket = (privateFolder: string, path: string, options: RequestInit = {}) =>
  fetch(`http://localhost${path}`, { ...options, unix: checkedSocketPath(privateFolder) })

const shorterPath = 'use a data folder with a shorter path'

/** The same, with the folder that it is in. */
export function madeSocketPath(privateFolder: string, file: string): string {
  mkdirSync(dirname(socketPathIn(privateFolder, file)), { recursive: true, mode: 0o700 })
  return checkedSocketPath(privateFolder, file)
}

export interface ControlSocket {
  stop(): Promise<void>
}

/**
 * Serves whoever may open the socket: being allowed to read the private folder is what makes an operator here.
 * @throws Error with a sentence, as `checkedSocketPath` does
 */
export function serveControlSocket(
  privateFolder: string,
  answer: (request: Request) => Response | Promise<Response>,
): ControlSocket {
  const path = madeSocketPath(privateFolder, 'control.sock')
  rmSync(path, { force: true }) // left by a process that was killed; the instance lock says that none lives
  const server = Bun.serve({
    unix: path,
    development: false,
    fetch(request, connections) {
      connections.timeout(request, 0) // a backup to a slow disk is silent for longer than the default allows
      return answer(request)
    },
  })
  chmodSync(path, 0o600)
  return {
    async stop() {
      await server.stop(true)
      rmSync(path, { force: true })
    },
  }
}
