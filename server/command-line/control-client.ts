import { createTRPCClient, httpLink } from '@trpc/client'
import type { inferRouterOutputs } from '@trpc/server'

import { privateFolder } from '../config/data-folder.ts'
import { errorMessage } from '../platform/error-message.ts'
import { checkedSocketPath } from '../platform/http/control-socket.ts'
import type { AppRouter } from '../compose/router.ts'
import { CommandFailure, type ParsedArguments } from './arguments/command.ts'
import { readCommandSettings } from './arguments/settings.ts'
import { programs } from '../../shared/programs.ts'

/** A typed client of the running server. */
export type ControlClient = ReturnType<typeof createTRPCClient<AppRouter>>

/** The types of the results of the server's procedures. */
export type ProcedureOutputs = inferRouterOutputs<AppRouter>

/** Base of all addresses. The host name does not matter, because requests go to the socket. */
const base = 'http://localhost'

/** A server answers probes within a second, unless the machine is very busy. */
const longestProbeMs = 5_000

/**
 * Returns a client of the server that runs on the data folder of the arguments or of the settings. Its calls throw
 * `CommandFailure` when no server runs there.
 */
export function connectToServer(args: ParsedArguments): ControlClient {
  const { dataDir } = readCommandSettings(args)
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${base}/trpc`,
        fetch: (url, options) =>
          fetchFromServer(dataDir, String(url), {
            method: options?.method ?? 'GET',
            headers: new Headers(options?.headers),
            ...(typeof options?.body === 'string' ? { body: options.body } : {}),
          }),
      }),
    ],
  })
}

/**
 * Streams a backup made by the server on a data folder. Throws `CommandFailure` when no server runs there, or it stands
 * still for `probeMs`.
 */
export async function requestBackup(
  dataDir: string,
  probeMs = longestProbeMs,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetchFromServer(dataDir, `${base}/backup`, {}, probeMs)
  if (!response.ok || response.body === null) {
    throw new CommandFailure(`the server does not make backups (it answered ${response.status})`)
  }
  return response.body
}

/**
 * Returns what `/readyz` of the server on a data folder says. Throws `CommandFailure` when no server runs there, or it does
 * not answer within `probeMs`.
 */
export const requestReadiness = (dataDir: string, probeMs = longestProbeMs): Promise<Response> =>
  send(dataDir, `${base}/readyz`, { signal: AbortSignal.timeout(probeMs) })

/**
 * Sends a request to a server that answers probes. One that stands still takes connections, too, and what it is asked for
 * has no limit of its own: a backup sends nothing while the database prepares it.
 */
async function fetchFromServer(
  dataDir: string,
  url: string,
  options: RequestInit,
  probeMs = longestProbeMs,
): Promise<Response> {
  await (await requestReadiness(dataDir, probeMs)).body?.cancel()
  return send(dataDir, url, options)
}

/** Sends a request to the control socket. It bypasses the guarded fetch, because the socket is in our own folder. */
async function send(dataDir: string, url: string, options: RequestInit): Promise<Response> {
  const socket = socketOf(dataDir)
  let response: Response
  try {
    response = await fetch(url, { ...options, unix: socket, timeout: false })
  } catch (error) {
    throw new CommandFailure(unreachable(error, dataDir))
  }
  // A worker says JSON; a supervisor that has none to ask says this for it.
  if (
    response.status === 503 &&
    response.headers.get('content-type')?.startsWith('application/json') !== true
  )
    throw new CommandFailure(
      `no worker of the server on the data folder ${dataDir} serves now: it is starting, or its log says why`,
    )
  return response
}

function socketOf(dataDir: string): string {
  try {
    return checkedSocketPath(privateFolder(dataDir))
  } catch (error) {
    throw new CommandFailure(errorMessage(error))
  }
}

function unreachable(error: unknown, dataDir: string): string {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'ECONNREFUSED':
    case 'FailedToOpenSocket':
      return `no server runs on the data folder ${dataDir}; start it with ${programs.start}, or name its folder with --data-dir`
    case 'EACCES':
    case 'EPERM':
      return `the data folder ${dataDir} belongs to another user; run this as the user that runs the server`
    default:
      return `the server on the data folder ${dataDir} does not answer; it may be stopping, or stand still`
  }
}
