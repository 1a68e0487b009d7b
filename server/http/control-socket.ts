import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** Unix sockets may have at most 107 bytes of path, on macOS 103. */
const longestSocketPath = 100

/**
 * Where the command line finds the running server: inside a folder that only its user can enter. A data folder with
 * a long path has its socket in the folder for temporary files, under a name that follows from the path.
 */
export function controlSocketPath(privateFolder: string): string {
  const path = join(resolve(privateFolder), 'control.sock')
  if (Buffer.byteLength(path) <= longestSocketPath) return path
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16)
  return join(tmpdir(), `gatehouse-${name}`, 'control.sock')
}

export interface ControlSocket {
  stop(): Promise<void>
}

/** Serves whoever may open the socket: being allowed to read the private folder is what makes an operator here. */
export function serveControlSocket(
  path: string,
  answer: (request: Request) => Response | Promise<Response>,
): ControlSocket {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
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
