import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type DatabaseAddress, parseAddress } from '../../server/platform/postgres/connection-address.ts'
import { type ChildProcess, startChild } from './child-process.ts'
import { findCommand } from './find-command.ts'
import { findFreePort } from './free-port.ts'
import { waitUntil } from './wait-until.ts'

/** PgBouncer before a server: each transaction gets whichever of its few connections is free. */
export interface Pooler {
  /** The address of a database of the server, by way of the pooler. */
  urlOf(database: string): string
  /** Sends what comes to another port of the server's host, without a restart. */
  redirect(port: number): void
  /** Freezes it, as `resume` ends. */
  pause(): void
  resume(): void
  kill(): Promise<void>
  /** Starts it again at its address. */
  start(): Promise<void>
  stop(): Promise<void>
}

interface PoolerOptions {
  /** Settings that clients may send at the start of a connection; they are forgotten. */
  readonly ignoring?: readonly string[]
  readonly connections?: number
}

/** Needs the Debian package pgbouncer. Of the server the first place of its address is used. */
export async function startPooler(serverUrl: string, options: PoolerOptions = {}): Promise<Pooler> {
  const address = parseAddress(serverUrl)
  const { user = '', password = '' } = address
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pooler-'))
  chmodSync(folder, 0o755)
  const [settingsPath, logPath] = [join(folder, 'settings'), join(folder, 'log')]
  const port = await findFreePort()
  writeFileSync(join(folder, 'users'), `"${user}" "${password}"\n`)
  const write = (serverPort: number): void =>
    writeFileSync(settingsPath, settingsOf(address, serverPort, { folder, port, ...options }))
  write(address.servers[0].port)
  const command = [findCommand('pgbouncer') ?? 'pgbouncer', '-q', ...asUser(address), settingsPath]

  async function begin(): Promise<ChildProcess> {
    writeFileSync(logPath, '')
    chmodSync(logPath, 0o666)
    const started = startChild(command)
    const log = (): string => readFileSync(logPath, 'utf8')
    await waitUntil('the pooler answers', () => {
      if (!started.isRunning()) throw new Error(`the pooler ended: ${log()}`)
      return log().includes('process up')
    })
    return started
  }
  let child = await begin()

  return {
    urlOf: (database) => {
      const credentials = password === '' ? user : `${user}:${password}`
      return `postgres://${credentials}@127.0.0.1:${port}/${database}`
    },
    redirect(serverPort) {
      write(serverPort)
      process.kill(child.pid, 'SIGHUP')
    },
    pause: () => child.pause(),
    resume: () => child.resume(),
    kill: () => child.stop(),
    async start() {
      child = await begin()
    },
    async stop() {
      await child.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface PoolerPlace extends PoolerOptions {
  readonly folder: string
  readonly port: number
}

function settingsOf(
  { servers: [{ host }], tls, password }: DatabaseAddress,
  serverPort: number,
  { folder, port, ignoring = [], connections = 3 }: PoolerPlace,
): string {
  return [
    '[databases]',
    `* = host=${host} port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    `auth_type = ${password === undefined ? 'trust' : 'scram-sha-256'}`,
    `auth_file = ${join(folder, 'users')}`,
    'pool_mode = transaction',
    `default_pool_size = ${connections}`,
    'max_client_conn = 500',
    // A server that comes back is tried at once, and not after the 15 s of the default.
    'server_login_retry = 1',
    `server_tls_sslmode = ${tls}`,
    `ignore_startup_parameters = ${['extra_float_digits', ...ignoring].join(',')}`,
    `logfile = ${join(folder, 'log')}`,
  ].join('\n')
}

/** It refuses to run as root, and must be able to enter the folder of a server's socket. */
function asUser({ servers: [{ host, path }] }: DatabaseAddress): string[] {
  if (process.getuid?.() !== 0) return []
  return ['-u', path === undefined ? 'nobody' : nameOfUser(statSync(host).uid)]
}

function nameOfUser(uid: number): string {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.split(':')[2] === String(uid))
  return line?.split(':')[0] ?? String(uid)
}
