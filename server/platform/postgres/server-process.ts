import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import type { PostgresBinaries } from './binaries.ts'
import { type Cluster, serverEnvironment } from './cluster.ts'
import { readServerPid } from './orphan.ts'

/** The number in the socket's file name; nothing listens on a network port. */
export const socketPort = 5432

/**
 * Stops PostgreSQL when descriptor 3 closes, which the kernel does for us however this process dies, kill -9
 * included. The reader is ended with the server, so that it can never signal a pid that has been given away.
 * SIGTERM is ignored: systemd sends it to every process of a service, but the database is needed to the last.
 */
const guard = `
trap '' TERM
"$0" "$@" </dev/null 3<&- & server=$!
(read -r _; kill -INT $server) <&3 & reader=$!
wait $server; status=$?
kill -KILL $reader 2>/dev/null
exit $status`

/** The time that a stop may take before the server is made to drop everything and recover at its next start. */
const stopPatienceMs = 10_000

/** One run of the PostgreSQL server, from ready to exit. */
export interface ServerProcess {
  /** Resolves when it has ended, for whatever reason. */
  exited: Promise<void>
  /** Ends it cleanly; resolves when it has ended. */
  stop(): Promise<void>
}

export interface ServerSettings {
  socketDir: string
  maxConnections: number
  /** False only for tests: the data may be lost when the machine fails. */
  isDurable: boolean
}

/**
 * Starts PostgreSQL on a cluster; resolves when it accepts connections, after crash recovery if need be.
 * @throws Error with the server's last words when it ends before that.
 */
export async function startServer(
  binaries: PostgresBinaries,
  cluster: Cluster,
  settings: ServerSettings,
  log: Log,
): Promise<ServerProcess> {
  const child = spawn('/bin/sh', ['-c', guard, ...serverCommand(binaries, cluster, settings)], {
    ...cluster.user.ids,
    env: serverEnvironment,
    cwd: '/',
    // A session of its own: Ctrl-C reaches this process only, which stops the database last.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  await untilReady(child, exited, log)
  return { exited, stop: () => stopServer(child, exited, cluster) }
}

function serverCommand(binaries: PostgresBinaries, cluster: Cluster, settings: ServerSettings): string[] {
  const configuration: Record<string, string | number> = {
    listen_addresses: '',
    port: socketPort,
    unix_socket_directories: settings.socketDir,
    unix_socket_permissions: '0700',
    max_connections: settings.maxConnections,
    shared_buffers: '64MB',
    // Each would have processes of its own, for which a database of this size has no use.
    io_method: 'sync',
    max_logical_replication_workers: 0,
    timezone: 'UTC',
    // Statements and error details hold values, some of them secret. Callers get the errors; the log gets events.
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    ...(settings.isDurable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  }
  const options = Object.entries(configuration).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return [...cluster.user.commandPrefix, binaries.postgres, '-D', cluster.filesDir, ...options]
}

/** Follows the server's log for as long as it runs; resolves at the line that says it is ready. */
async function untilReady(child: ChildProcess, exited: Promise<void>, log: Log): Promise<void> {
  const serverLog = child.stderr
  if (serverLog === null) throw new TypeError('the server was started without a pipe for its log')
  const lastLines: string[] = []
  const ready = new Promise<true>((resolve) => {
    createInterface({ input: serverLog }).on('line', (line) => {
      lastLines.push(line)
      if (lastLines.length > 20) lastLines.shift()
      logServerLine(line, log)
      if (line.includes('database system is ready to accept connections')) resolve(true)
    })
  })
  const isReady = await Promise.race([ready, exited.then(() => false)])
  if (!isReady) throw new Error(`the embedded PostgreSQL did not start: ${lastLines.join(' | ')}`)
}

function logServerLine(line: string, log: Log): void {
  if (/^(?:FATAL|PANIC):/.test(line)) log.warn('postgres', { line })
  else log.debug('postgres', { line })
}

async function stopServer(child: ChildProcess, exited: Promise<void>, cluster: Cluster): Promise<void> {
  const guardPipe = child.stdio[3]
  if (guardPipe && 'end' in guardPipe) guardPipe.end()
  const timer = setTimeout(() => {
    const pid = readServerPid(join(cluster.filesDir, 'postmaster.pid'))
    if (pid !== null) process.kill(pid, 'SIGQUIT')
  }, stopPatienceMs)
  await exited
  clearTimeout(timer)
}
