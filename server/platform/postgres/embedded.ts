import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import { findBinaries, type PostgresBinaries } from './binaries.ts'
import { type Cluster, openCluster, superuser } from './cluster.ts'
import { lockInstance } from './instance-lock.ts'
import { stopOrphan } from './orphan.ts'
import { type ServerProcess, type ServerSettings, socketPort, startServer } from './server-process.ts'

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  maxConnections?: number
  /** False only for tests: faster, but the data may be lost when the machine fails. Default true. */
  isDurable?: boolean
}

/** A PostgreSQL server that lives as long as this process, restarted whenever it ends by itself. */
export interface EmbeddedServer {
  /** Holds the password: never log it. */
  url: string
  stop(): Promise<void>
}

const firstRestartDelayMs = 50
const longestRestartDelayMs = 5000

/** Linux allows 107 bytes for a socket's path, macOS 103. */
const longestSocketPath = 103

/**
 * Starts the embedded PostgreSQL on `<dataDir>/postgres`, creating it at the first start.
 * It listens on a Unix socket only and asks for a generated password.
 * @throws InstanceLockedError when another process runs it; Error when it cannot be started.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const binaries = findBinaries()
  // The lock comes before everything: under it, a server found on these files has lost its owner.
  const lock = lockInstance(options.dataDir, 'postgres')
  try {
    const isDurable = options.isDurable ?? true
    const cluster = openCluster(binaries, realpathSync(options.dataDir), isDurable)
    const settings = {
      isDurable,
      maxConnections: options.maxConnections ?? 60,
      socketDir: openSocketDir(cluster),
    }
    const server = new SupervisedServer(binaries, cluster, settings, options.log)
    await server.start()
    return {
      url: `postgres://${superuser}:${cluster.password}@${encodeURIComponent(settings.socketDir)}:${socketPort}/postgres`,
      stop: () => server.stop().finally(lock.release),
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

class SupervisedServer {
  readonly #start: () => Promise<ServerProcess>
  readonly #log: Log
  #current: ServerProcess | null = null
  #isStopping = false
  #wakeUp: () => void = () => undefined
  #supervision: Promise<void> = Promise.resolve()

  constructor(binaries: PostgresBinaries, cluster: Cluster, settings: ServerSettings, log: Log) {
    this.#log = log
    this.#start = async () => {
      await stopOrphan(cluster.filesDir, socketFileIn(settings.socketDir))
      return startServer(binaries, cluster, settings, log)
    }
  }

  async start(): Promise<void> {
    this.#current = await this.#start()
    this.#supervision = this.#supervise(this.#current)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#wakeUp()
    await this.#current?.stop()
    await this.#supervision
  }

  async #supervise(first: ServerProcess): Promise<void> {
    let running: ServerProcess | null = first
    while (running !== null) {
      await running.exited
      this.#current = null
      running = await this.#restart()
    }
  }

  /** Tries until the server runs again (a full disk keeps it from starting), or until this is stopped. */
  async #restart(): Promise<ServerProcess | null> {
    for (
      let delayMs = firstRestartDelayMs;
      !this.#isStopping;
      delayMs = Math.min(delayMs * 2, longestRestartDelayMs)
    ) {
      this.#log.warn('the embedded PostgreSQL ended by itself and is started again', { delayMs })
      await this.#pause(delayMs)
      if (this.#isStopping) break
      try {
        this.#current = await this.#start()
        if (this.#isStopping) await this.#current.stop()
        return this.#current
      } catch (error) {
        this.#log.error('the embedded PostgreSQL cannot be started again yet', { error })
      }
    }
    return null
  }

  async #pause(delayMs: number): Promise<void> {
    await Promise.race([Bun.sleep(delayMs), new Promise<void>((resolve) => (this.#wakeUp = resolve))])
  }
}

const socketFileIn = (dir: string): string => join(dir, `.s.PGSQL.${socketPort}`)

/**
 * The folder for the socket: the cluster's own, or one under the system's temporary folder when that path is
 * too long for a socket. The name is derived from the path, so a killed process leaves nothing to collect.
 */
function openSocketDir(cluster: Cluster): string {
  if (Buffer.byteLength(socketFileIn(cluster.homeDir)) <= longestSocketPath) return cluster.homeDir
  const suffix = createHash('sha256').update(cluster.homeDir).digest('hex').slice(0, 16)
  const socketDir = join(tmpdir(), `gatehouse-${suffix}`)
  const home = lstatSync(cluster.homeDir)
  if (mkdirIfMissing(socketDir)) chownSync(socketDir, home.uid, home.gid)
  const found = lstatSync(socketDir)
  // Somebody else's folder at this name could hold a server that is not ours.
  if (!found.isDirectory() || found.uid !== home.uid || (found.mode & 0o077) !== 0) {
    throw new Error(
      `${socketDir} is in the way of the database's socket: remove it, or use a shorter data folder`,
    )
  }
  return socketDir
}

/** True when it was made now. */
function mkdirIfMissing(dir: string): boolean {
  try {
    mkdirSync(dir, { mode: 0o700 })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
