/**
 * A worker: the server of `main.ts`, in a process that a supervisor starts (`workers.ts`). It is told by its first message
 * where database and store are, listens at a port that others share, and ends with the supervisor, however that ends.
 */
import { startGatehouse, type Gatehouse } from '../compose.ts'
import { greeting } from '../compose/greeting.ts'
import type { Config } from '../config/config.ts'
import { readEnvironment } from '../config/env.ts'
import { errorMessage } from '../platform/error-message.ts'
import { createLog, type Log } from '../platform/log.ts'
import { divertConnections } from './divert-connections.ts'
import type { ToSupervisor, ToWorker, WorkerOrder } from './messages.ts'

/** How long callers are told to come back over another connection before this one's port is closed. */
const handOverMs = 500
const signOfLifeEveryMs = 1_000
/** Below the time that the supervisor has in all. */
const stopLimitMs = 25_000

function end(code: number): never {
  process.exit(code)
}

const tell = (message: ToSupervisor): void => void process.send?.(message)

/** Several machines may have several workers each: those of one have the ports from the one that is set on. */
function internalUrlOf(url: string | null, number: number): string | null {
  if (url === null) return null
  const own = new URL(url)
  own.port = String(Number(own.port) + number - 1)
  return own.origin
}

const configOf = (config: Config, order: WorkerOrder): Config => ({
  ...config,
  port: order.port,
  dataDir: order.dataDir,
  databaseUrl: order.databaseUrl,
  internalUrl: internalUrlOf(config.internalUrl, order.number),
  masterKeys: order.masterKeys,
  metricsToken: order.metricsToken,
  worker: {
    number: order.number,
    storeUrl: order.storeUrl,
    supervisorDataDir: order.supervisorDataDir,
  },
})

/** Has callers turn to the newest worker, and ends when what they asked here is answered. */
async function handOver(gatehouse: Gatehouse, listeners: number, log: Log): Promise<void> {
  try {
    divertConnections(gatehouse.listener.port, listeners)
  } catch (error) {
    log.warn('connections that are just being made may be reset: they cannot be sent to another worker', {
      error,
    })
  }
  gatehouse.retire()
  await Bun.sleep(handOverMs)
}

async function work(order: WorkerOrder): Promise<void> {
  const reading = readEnvironment()
  if (reading.kind === 'problems') throw new Error(reading.problems.join('; '))
  const log = createLog({ level: reading.config.logLevel, fields: { worker: order.number } })
  const stopping = new AbortController()
  const started = startGatehouse(configOf(reading.config, order), log, stopping.signal)

  async function stop(before?: (gatehouse: Gatehouse) => Promise<void>): Promise<void> {
    if (stopping.signal.aborted) return
    stopping.abort()
    setTimeout(() => end(1), stopLimitMs).unref()
    const gatehouse = await started.catch(() => null)
    if (gatehouse !== null) await before?.(gatehouse)
    await gatehouse?.stop()
    end(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'replaced') void stop((gatehouse) => handOver(gatehouse, message.listeners, log))
  })
  process.on('unhandledRejection', (error) => {
    log.error('a promise was rejected and nobody listened', { error })
    end(1)
  })
  const gatehouse = await started
  tell({ kind: 'ready', greeting: order.isGreeting ? await greeting(gatehouse) : '' })
}

// Ctrl-C reaches every process of a terminal: the supervisor tells its workers when to stop.
process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)
// The port and the data folder are free for whoever starts next. Counts are in files, as after any kill.
process.on('disconnect', () => end(1))
process.once('message', (message: ToWorker) => {
  if (message.kind !== 'start') return
  setInterval(() => tell({ kind: 'alive' }), signOfLifeEveryMs).unref()
  work(message.order).catch((error: unknown) => {
    tell({ kind: 'failed', reason: errorMessage(error) })
    end(1)
  })
})
