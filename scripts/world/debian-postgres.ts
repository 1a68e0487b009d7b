import { spawn } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs' // prettier-ignore
import { join } from 'node:path'

import type { ServerCertificate } from './certificates.ts'
import { temporaryDataDir } from './database.ts'
import { findFreePort } from './free-port.ts'

/** Debian's PostgreSQL on loopback, which lets in whoever speaks TLS, and a standby that follows it. */
export interface PostgresPair {
  /** Of the first primary and the first standby: after a failover they are the other way round. */
  readonly ports: { readonly primary: number; readonly standby: number }
  /** The port of whichever is the primary now. */
  primaryPort(): number
  /** Ends the primary as the kernel would, and makes the standby the primary. */
  failOver(): Promise<void>
  /** Makes a standby of the server that ended at the last failover. */
  renewStandby(): Promise<void>
  /** From now on nothing is acknowledged that the standby does not have. */
  confirmByStandby(): Promise<void>
  remove(): Promise<void>
}

/** Needs the Debian package postgresql. */
export async function startPostgresPair({ cert, key }: ServerCertificate): Promise<PostgresPair> {
  const folder = temporaryDataDir()
  const work = join(folder, 'work')
  const ports = { primary: await findFreePort(), standby: await findFreePort() }
  const [one, two] = [
    { name: 'one', port: ports.primary },
    { name: 'two', port: ports.standby },
  ]
  let [primary, standby] = [one, two]
  mkdirSync(work)
  writeFileSync(join(work, 'server.pem'), cert)
  writeFileSync(join(work, 'server.key'), key, { mode: 0o600 })
  const owner = process.getuid?.() === 0 ? debianUser() : null
  if (owner !== null) for (const path of [work, join(work, 'server.pem'), join(work, 'server.key')]) chownSync(path, owner.uid, owner.gid) // prettier-ignore
  chmodSync(work, 0o755)

  const run = (program: string, ...args: string[]): Promise<void> => runIn(work, owner, program, args)
  const control = (name: string, ...args: string[]): Promise<void> =>
    run('pg_ctl', '-D', join(work, name), '-w', '-l', join(work, `${name}.log`), ...args)
  const startOn = ({ name, port }: typeof one): Promise<void> => control(name, '-o', `-p ${port}`, 'start')
  const set = (name: string, line: string): void =>
    appendFileSync(join(work, name, 'postgresql.auto.conf'), `${line}\n`)

  async function copyToStandby(): Promise<void> {
    await run('pg_basebackup', '-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres', '-D', join(work, standby.name), '-R', '-c', 'fast') // prettier-ignore
    // It has nobody who could confirm, once it is the primary.
    set(standby.name, `synchronous_standby_names = ''`)
    await startOn(standby)
  }

  await run('initdb', '-D', join(work, 'one'), '-A', 'trust', '-U', 'postgres', '--no-sync')
  const settings = [`unix_socket_directories = '${work}'`, `listen_addresses = '127.0.0.1'`, 'fsync = off', 'ssl = on', `ssl_cert_file = '${work}/server.pem'`, `ssl_key_file = '${work}/server.key'`] // prettier-ignore
  appendFileSync(join(work, 'one/postgresql.conf'), `\n${settings.join('\n')}\n`)
  writeFileSync(join(work, 'one/pg_hba.conf'), ['all', 'replication'].map((what) => `hostssl ${what} all 127.0.0.1/32 trust\n`).join('')) // prettier-ignore
  await startOn(one)
  await copyToStandby()

  return {
    ports,
    primaryPort: () => primary.port,
    async failOver() {
      await control(primary.name, '-m', 'immediate', 'stop')
      await control(standby.name, 'promote')
      ;[primary, standby] = [standby, primary]
    },
    async renewStandby() {
      rmSync(join(work, standby.name), { recursive: true, force: true })
      await copyToStandby()
    },
    async confirmByStandby() {
      set(primary.name, `synchronous_standby_names = '*'`)
      await control(primary.name, 'reload')
    },
    async remove() {
      for (const { name } of [standby, primary])
        if (existsSync(join(work, name, 'postmaster.pid'))) await control(name, '-m', 'immediate', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type User = { readonly uid: number; readonly gid: number } | null

async function runIn(folder: string, user: User, program: string, args: readonly string[]): Promise<void> {
  const child = spawn(join(programFolder(), program), args, {
    ...user,
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    // The server goes on after `pg_ctl`, and would keep a pipe open.
    stdio: ['ignore', 'ignore', program === 'pg_ctl' ? 'ignore' : 'pipe'],
  })
  let errors = ''
  child.stderr?.on('data', (part) => (errors += String(part)))
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  child.on('close', resolve)
  if ((await ended) !== 0) throw new Error(`${program} ${args.at(-1)} failed: ${errors}`)
}

function programFolder(): string {
  const [newest] = [...new Bun.Glob('*/bin/pg_ctl').scanSync('/usr/lib/postgresql')].toSorted().toReversed()
  if (newest === undefined) throw new Error('the Debian package postgresql is not installed')
  return join('/usr/lib/postgresql', newest, '..')
}

function debianUser(): { uid: number; gid: number } {
  const fields = /^postgres:[^:]*:(?<uid>\d+):(?<gid>\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))?.groups
  if (fields === undefined) throw new Error('there is no user postgres')
  return { uid: Number(fields['uid']), gid: Number(fields['gid']) }
}
