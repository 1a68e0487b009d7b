import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parseAddress } from '../../server/platform/postgres/connection-address.ts'
import { startChild } from './child-process.ts'
import { findCommand } from './find-command.ts'
import { findFreePort } from './free-port.ts'
import { waitUntil } from './wait-until.ts'

/** PgBouncer before a test server: each transaction gets whichever of its few connections is free. */
export interface Pooler {
  /** The address of a database of the server, by way of the pooler. */
  urlOf(database: string): string
  stop(): Promise<void>
}

interface PoolerOptions {
  /** Settings that clients may send at the start of a connection; they are forgotten. */
  readonly ignoring?: readonly string[]
  readonly connections?: number
}

/** Needs the Debian package pgbouncer. `serverUrl` is that of a server on a socket file. */
export async function startPooler(serverUrl: string, options: PoolerOptions = {}): Promise<Pooler> {
  const { servers, user = '', password = '' } = parseAddress(serverUrl)
  const [{ host: socketDir, port: serverPort }] = servers
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pooler-'))
  chmodSync(folder, 0o755)
  const port = await findFreePort()
  writeFileSync(join(folder, 'users'), `"${user}" "${password}"\n`)
  const settings = [
    '[databases]',
    `* = host=${socketDir} port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${join(folder, 'users')}`,
    'pool_mode = transaction',
    `default_pool_size = ${options.connections ?? 3}`,
    'max_client_conn = 500',
    `ignore_startup_parameters = ${['extra_float_digits', ...(options.ignoring ?? [])].join(',')}`,
    `logfile = ${join(folder, 'log')}`,
  ]
  writeFileSync(join(folder, 'settings'), settings.join('\n'))
  writeFileSync(join(folder, 'log'), '')
  chmodSync(join(folder, 'log'), 0o666)
  // It refuses to run as root, and must be able to enter the folder of the server's socket.
  const asUser = process.getuid?.() === 0 ? ['-u', nameOfUser(statSync(socketDir).uid)] : []
  const child = startChild([
    findCommand('pgbouncer') ?? 'pgbouncer',
    '-q',
    ...asUser,
    join(folder, 'settings'),
  ])
  const log = (): string => readFileSync(join(folder, 'log'), 'utf8')
  await waitUntil('the pooler answers', () => {
    if (!child.isRunning()) throw new Error(`the pooler ended: ${log()}`)
    return log().includes('process up')
  })
  return {
    urlOf: (database) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`,
    async stop() {
      await child.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function nameOfUser(uid: number): string {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.split(':')[2] === String(uid))
  return line?.split(':')[0] ?? String(uid)
}
