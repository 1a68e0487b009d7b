import { createTRPCClient, httpLink } from '@trpc/client'
import type { inferRouterOutputs } from '@trpc/server'

import { privateFolder } from '../config/data-folder.ts'
import { checkedSocketPath } from '../http/control-socket.ts'
import type { AppRouter } from '../compose/router.ts'
import { CommandFailure } from './command.ts'

/** Typed calls to the running server. */
export type ControlClient = ReturnType<typeof createTRPCClient<AppRouter>>

/** What the server's procedures answer. */
export type Answers = inferRouterOutputs<AppRouter>

/** Any host name does: the socket says where to go. */
const base = 'http://localhost'

/** The server on a data folder. Calls throw `CommandFailure` when none runs. */
export function controlClient(dataDir: string): ControlClient {
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${base}/trpc`,
        fetch: (url, options) =>
          ask(dataDir, String(url), {
            method: options?.method ?? 'GET',
            headers: new Headers(options?.headers),
            ...(typeof options?.body === 'string' ? { body: options.body } : {}),
          }),
      }),
    ],
  })
}

/** The bytes of a backup made by the server on a data folder. Throws `CommandFailure` when none runs. */
export async function requestBackup(dataDir: string): Promise<ReadableStream<Uint8Array>> {
  const response = await ask(dataDir, `${base}/backup`, {})
  if (!response.ok || response.body === null) {
    throw new CommandFailure(`the server does not make backups (it answered ${response.status})`)
  }
  return response.body
}

/** The one place outside the guarded fetch that opens a connection: to a socket in our own folder. */
async function ask(dataDir: string, url: string, options: RequestInit): Promise<Response> {
  const socket = socketOf(dataDir)
  try {
    // Without a time-out: a backup may be silent for as long as the database thinks.
    return await fetch(url, { ...options, unix: socket, timeout: false })
  } catch (error) {
    throw new CommandFailure(unreachable(error, dataDir))
  }
}

function socketOf(dataDir: string): string {
  try {
    return checkedSocketPath(privateFolder(dataDir))
  } catch (error) {
    throw new CommandFailure(error instanceof Error ? error.message : String(error))
  }
}

function unreachable(error: unknown, dataDir: string): string {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'ECONNREFUSED':
    case 'FailedToOpenSocket':
      return `no server runs on the data folder ${dataDir}; start it with npm start, or name its folder with --data-dir`
    case 'EACCES':
    case 'EPERM':
      return `the data folder ${dataDir} belongs to another user; run this as the user that runs the server`
    default:
      return `the server on the data folder ${dataDir} does not answer; it may be stopping`
  }
}
