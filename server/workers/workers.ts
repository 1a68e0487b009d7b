/**
 * Several processes on one machine (`GATEHOUSE_WORKERS`): a supervisor, which serves nobody, and workers, each of which is
 * the whole server. Workers are a fleet on one machine: all that processes of several machines do by leases, rows and
 * internal HTTP they do as well, and know of each other by nothing else.
 *
 * The supervisor, in the order of its start, which is also the reverse order of its end:
 * 1. locks the data folder, and waits for workers of a supervisor that was killed (`worker-folders.ts`). Each worker has a
 *    data folder of its own in `workers/`; counts that are left in any are moved to the first, and requests that workers kept
 *    which are no more.
 * 2. finds the port free, and leaves it to the workers, who listen there together (`SO_REUSEPORT`): the kernel gives each
 *    connection to one of them, by a hash of its addresses.
 * 3. starts the embedded PostgreSQL, unless `DATABASE_URL` names another.
 * 4. serves the store of the limits (`../limits/own-store/own-store.ts`) and of the newest blocks, at a UNIX socket,
 *    unless `REDIS_URL` names another. What was granted is kept in `private/granted.sqlite`.
 * 5. serves the control socket: commands go to a worker, `/metrics` is that of all (`merged-metrics.ts`).
 * 6. starts the workers (`worker-pool.ts`, `worker-process.ts`, `worker.ts`): the first one changes the database, then the others.
 *
 * A worker that ends is replaced; one that ends again soon, after a pause of 1 to 30 s, and the log says why once. One that
 * stands still is killed (`silence-watch.ts`): the kernel would go on to give it connections.
 * `SIGHUP` replaces them one by one (`roll`): the new one listens when it is ready, then the kernel gives all new connections
 * to it (`divert-connections.ts`), the old one closes its connections after their next answer, and ends.
 *
 * Failure: when the supervisor is killed, the kernel closes its channel to each worker, which ends at that, as PostgreSQL
 * does. Calls under way are cut off then; counts are in files and grants in the store's, so that nothing is lost.
 *
 * Known limitations: Linux only, as elsewhere all connections go to one of those who listen. A change between one process
 * and several begins limits anew, because they are counted in another place.
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import type { Config } from '../config/config.ts'
import { installationSecrets, privateFolder } from '../config/data-folder.ts'
import { listen } from '../http/listen.ts'
import { createOwnLimitStore } from '../limits/own-store/own-store.ts'
import { type Cleanups, createCleanups } from '../platform/cleanups.ts'
import { systemClock } from '../platform/clock.ts'
import { madeSocketPath, serveControlSocket } from '../platform/http/control-socket.ts'
import { randomHex } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { startEmbedded } from '../platform/postgres/embedded.ts'
import { lockInstance } from '../platform/postgres/instance-lock.ts'
import { serveStore } from '../platform/shared-store/store-server.ts'
import { createSteadyClock } from '../platform/steady-clock.ts'
import { openValueFile } from '../platform/value-file.ts'
import { createOwnTips } from '../relay/tip/own-tips.ts'
import { createMergedMetrics } from './merged-metrics.ts'
import type { WorkerOrder } from './messages.ts'
import { createSilenceWatch } from './silence-watch.ts'
import { createWorkerPool, type WorkerPool } from './worker-pool.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'
import { gatherLeft, untilWorkersEnded, workerFolder } from './worker-folders.ts'

/** The supervisor and its workers, as `main.ts` starts them. */
export interface Workers {
  readonly greeting: string
  /** Replaces every worker, one after the other, without refusing a call. */
  roll(): Promise<void>
  /** Ends the workers as a server alone ends, then what they share. */
  stop(): Promise<void>
}

/** Returns how many processes are to serve: 1 is a server alone, without a supervisor. */
export function workerCountOf({ workers }: Config): number {
  return workers === 'auto' ? (process.platform === 'linux' ? availableParallelism() : 1) : workers
}

/** Throws with one sentence for the operator; what was started by then is stopped again. */
export async function startWorkers(config: Config, count: number, log: Log): Promise<Workers> {
  if (process.platform !== 'linux')
    throw new Error('GATEHOUSE_WORKERS: several workers share a port on Linux only; use 1 on this system')
  const cleanups = createCleanups(log)
  try {
    return await supervise(config, count, log, cleanups)
  } catch (error) {
    await cleanups.run()
    throw error
  }
}

async function supervise(config: Config, count: number, log: Log, cleanups: Cleanups): Promise<Workers> {
  const { dataDir } = config
  const lock = lockInstance(dataDir)
  cleanups.add(() => lock.release())
  const secrets = await installationSecrets(dataDir, config)
  await untilWorkersEnded(dataDir)
  const folders = Array.from({ length: count }, (_, index) => workerFolder(dataDir, index + 1))
  gatherLeft(dataDir, workerFolder(dataDir, 1), folders)
  const common: Omit<WorkerOrder, 'number' | 'isGreeting' | 'dataDir'> = {
    supervisorDataDir: dataDir,
    port: await freePort(config),
    databaseUrl: config.databaseUrl ?? (await openEmbedded(config, count, log, cleanups)),
    storeUrl: await openStore(dataDir, log, cleanups),
    masterKeys: secrets.masterKeys.map((key) => key.toString('base64')),
    metricsToken: secrets.metricsToken,
  }
  const pages = createPages(() => pool)
  const pool: WorkerPool = createWorkerPool({
    count,
    startWorker: (number, isGreeting) =>
      startWorker({ ...common, number, isGreeting, dataDir: workerFolder(dataDir, number) }),
    onLeaving: pages.onLeaving,
    clock: systemClock,
    log,
  })
  pages.metrics.observedCounter('worker_restarts_total', 'Workers that ended by themselves', [], () => [
    { labels: {}, count: pool.restarts() },
  ])
  const control = serveControlSocket(privateFolder(dataDir), (request) => answerCommand(request, pool, pages))
  cleanups.add(() => control.stop())
  const watch = createSilenceWatch(pool.living, log)
  const watching = setInterval(watch.look, watch.everyMs)
  cleanups.add(() => clearInterval(watching))
  cleanups.add(pool.stop)
  return { greeting: await pool.start(), roll: pool.roll, stop: cleanups.run }
}

/** Returns the port to listen at, which nobody has now. Throws `ListenError`. */
async function freePort({ host, port }: Config): Promise<number> {
  const listener = listen({
    host,
    port,
    fetch: () => new Response(null, { status: 503 }),
    beginDrain: () => undefined,
  })
  await listener.stop(0)
  return listener.port
}

/** What a process has beyond its pool: notifications, a backup, somebody who looks. */
const spareConnections = 5

async function openEmbedded({ dataDir, databasePool }: Config, count: number, log: Log, cleanups: Cleanups) {
  // One more process while they are replaced.
  const maxConnections = (count + 1) * (databasePool + spareConnections) + spareConnections
  const server = await startEmbedded({ dataDir, log, maxConnections })
  cleanups.add(() => server.stop())
  return server.url
}

const dropEveryMs = 60_000

/** Serves what workers share without Redis, and returns its address. */
async function openStore(dataDir: string, log: Log, cleanups: Cleanups): Promise<string> {
  const folder = privateFolder(dataDir)
  const file = openValueFile(join(folder, 'granted.sqlite'))
  cleanups.add(() => file.close())
  const { now } = createSteadyClock(systemClock)
  const runId = randomHex(20)
  const limits = createOwnLimitStore({
    clock: systemClock,
    runId,
    kept: file.all(),
  })
  const keep = (): void => file.write(limits.takeChanges())
  const path = madeSocketPath(folder, 'store.sock')
  const server = await serveStore({
    path,
    runId,
    scripts: [...limits.scripts, ...createOwnTips(() => Math.floor(now())).scripts],
    keep,
    log,
  })
  cleanups.add(() => server.close())
  const dropping = setInterval(() => {
    limits.dropOld()
    keep()
  }, dropEveryMs)
  cleanups.add(() => clearInterval(dropping))
  return `unix://${path}`
}

/** A scrape waits no longer for a worker that does not answer: its gauges are left out, and its counters stand still. */
const pageLimitMs = 2_000

/** Null of one that does not serve yet, has just ended, or stands still: `workers` and the log tell. */
async function pageOf(worker: WorkerProcess): Promise<string | null> {
  if (!worker.isReady()) return null
  try {
    const response = await worker.ask('/metrics', { signal: AbortSignal.timeout(pageLimitMs) })
    return response.ok ? await response.text() : null
  } catch {
    return null
  }
}

/** The metrics of the supervisor, and of all workers together. */
function createPages(pool: () => Pick<WorkerPool, 'current' | 'living'>) {
  const metrics = createMetrics()
  const merged = createMergedMetrics()
  metrics.observedGauge(
    'workers',
    'Workers that serve',
    () =>
      pool()
        .current()
        .filter((one) => one.isReady()).length,
  )
  const own = {}

  async function render(): Promise<string> {
    const workers = pool().living()
    const pages = await Promise.all(workers.map(async (one) => [one, await pageOf(one)] as const))
    return merged.merge(new Map<object, string | null>([...pages, [own, await metrics.render()]]))
  }

  return {
    metrics,
    render,
    /** What it has counted goes on being counted. Called again when it has ended. */
    async onLeaving(worker: WorkerProcess): Promise<void> {
      if (worker.isReady()) await render()
      else merged.end(worker)
    },
  }
}

async function answerCommand(
  request: Request,
  pool: WorkerPool,
  pages: { render(): Promise<string> },
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  if (pathname === '/metrics') return new Response(await pages.render())
  const worker = pool.current().find((one) => one.isReady())
  if (worker === undefined) return new Response('no worker serves yet', { status: 503 })
  const { method, headers, body, signal } = request
  return worker.ask(`${pathname}${search}`, { method, headers, body, signal })
}
