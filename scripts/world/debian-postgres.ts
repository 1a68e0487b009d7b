import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import type { ServerCertificate } from './certificates.ts'
import { temporaryDataDir } from './database.ts'
import { findFreePort } from './free-port.ts'

/** Debian's PostgreSQL on loopback, which lets in whoever speaks TLS, and a standby that follows it. */
export interface PostgresPair {
  readonly ports: { readonly primary: number; readonly standby: number }
  /** Ends the primary as the kernel would, and makes the standby the primary. */
  failOver(): void
  remove(): void
}

/** Needs the Debian package postgresql. */
export async function startPostgresPair({ cert, key }: ServerCertificate): Promise<PostgresPair> {
  const folder = temporaryDataDir()
  const work = join(folder, 'work')
  const [primary, standby] = [await findFreePort(), await findFreePort()]
  mkdirSync(work)
  writeFileSync(join(work, 'server.pem'), cert)
  writeFileSync(join(work, 'server.key'), key, { mode: 0o600 })
  const owner = process.getuid?.() === 0 ? debianUser() : null
  if (owner !== null) for (const path of [work, join(work, 'server.pem'), join(work, 'server.key')]) chownSync(path, owner.uid, owner.gid) // prettier-ignore
  chmodSync(work, 0o755)

  function run(program: string, ...args: string[]): void {
    const { status, stderr } = spawnSync(join(programFolder(), program), args, {
      ...owner,
      cwd: work,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      // The server goes on after `pg_ctl`, and would keep a pipe open.
      stdio: ['ignore', 'ignore', program === 'pg_ctl' ? 'ignore' : 'pipe'],
    })
    if (status !== 0) throw new Error(`${program} failed: ${String(stderr)}`)
  }
  const control = (name: string, ...args: string[]): void =>
    run('pg_ctl', '-D', join(work, name), '-w', '-l', join(work, `${name}.log`), ...args)
  const startOn = (name: string, port: number): void => control(name, '-o', `-p ${port}`, 'start')

  run('initdb', '-D', join(work, 'one'), '-A', 'trust', '-U', 'postgres', '--no-sync')
  const settings = [`unix_socket_directories = '${work}'`, `listen_addresses = '127.0.0.1'`, 'fsync = off', 'ssl = on', `ssl_cert_file = '${work}/server.pem'`, `ssl_key_file = '${work}/server.key'`] // prettier-ignore
  appendFileSync(join(work, 'one/postgresql.conf'), `\n${settings.join('\n')}\n`)
  writeFileSync(join(work, 'one/pg_hba.conf'), ['all', 'replication'].map((what) => `hostssl ${what} all 127.0.0.1/32 trust\n`).join('')) // prettier-ignore
  startOn('one', primary)
  run('pg_basebackup', '-h', '127.0.0.1', '-p', String(primary), '-U', 'postgres', '-D', join(work, 'two'), '-R', '-c', 'fast') // prettier-ignore
  startOn('two', standby)

  return {
    ports: { primary, standby },
    failOver() {
      control('one', '-m', 'immediate', 'stop')
      control('two', 'promote')
    },
    remove() {
      for (const name of ['one', 'two']) {
        if (existsSync(join(work, name, 'postmaster.pid'))) control(name, '-m', 'immediate', 'stop')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
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
