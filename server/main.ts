import { startGatehouse } from './compose.ts'
import { greeting } from './compose/greeting.ts'
import type { Config } from './config/config.ts'
import { readEnvironment } from './config/env.ts'
import { checkConfigFile } from './config/watched-file.ts'
import { errorMessage } from './platform/error-message.ts'
import { createLog, type Log } from './platform/log.ts'
import { hasCluster } from './platform/postgres/cluster.ts'
import { programs } from '../shared/programs.ts'
import { startWorkers, workerCountOf } from './workers/workers.ts'

/** Below the 30 s after which orchestrators kill. */
const stopLimitMs = 28_000

/** A failure that a signal explains is known as such by then. */
const signalsHeardWithinMs = 50

function fail(message: string): never {
  process.stderr.write(`gatehouse: ${message}\n`)
  process.exit(1)
}

interface Running {
  readonly greeting: string
  /** What `SIGHUP` asks for. */
  hangUp(): unknown
  stop(): Promise<void>
}

/** Starts a server alone, or a supervisor of several workers. */
async function start(config: Config, log: Log, signal: AbortSignal): Promise<Running> {
  // A mistake need not wait until a first start has made its database; afterwards the file, which may be long, is read once.
  if (config.databaseUrl === null && !hasCluster(config.dataDir)) checkConfigFile(config.file)
  const count = workerCountOf(config)
  if (count > 1) {
    const { roll, ...workers } = await startWorkers(config, count, log)
    return { ...workers, hangUp: roll }
  }
  const gatehouse = await startGatehouse(config, log, signal)
  return {
    greeting: await greeting(gatehouse),
    hangUp: () => log.warn('nothing is replaced by SIGHUP: there is one process (GATEHOUSE_WORKERS)'),
    stop: gatehouse.stop,
  }
}

const help = `Starts Gatehouse, the server with its console, until Ctrl-C.

Usage: ${programs.start}

There are no flags: environment variables and the file gatehouse.yaml set everything. Without any of them it serves
http://127.0.0.1:3000 with a database of its own, in the folder data.
${programs.commandLine} print-config  prints each setting as it is now
${programs.commandLine} --help        lists the commands for a server that runs
deploy/README.md explains all of them.
`

/** What was typed behind the command would change nothing, so it is answered instead of ignored. */
function answerArguments(args: readonly string[]): void {
  if (args.length === 0) return
  if (!args.includes('--help') && !args.includes('-h')) {
    fail(`${programs.start} takes no arguments: environment variables and gatehouse.yaml set everything`)
  }
  process.stdout.write(help)
  process.exit(0)
}

async function main(): Promise<void> {
  answerArguments(process.argv.slice(2))
  const reading = readEnvironment()
  if (reading.kind === 'problems') fail(`the settings have mistakes:\n  ${reading.problems.join('\n  ')}`)
  const log = createLog({ level: reading.config.logLevel })

  const stopping = new AbortController()
  const stop = async () => {
    if (stopping.signal.aborted) return
    stopping.abort()
    setTimeout(() => fail('it did not stop in time'), stopLimitMs).unref()
    // One that was still waiting for its database has not started, and has cleaned up after itself.
    const running = await started.catch(() => null)
    await running?.stop()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
  process.on('unhandledRejection', (error) => {
    log.error('a promise was rejected and nobody listened', { error })
    fail('an internal error ended it; the log has the details')
  })

  // Last: a signal that comes while the database is made for the first time must find its listener.
  const started = start(reading.config, log, stopping.signal)
  process.on('SIGHUP', () => {
    // A terminal that is closed ends what was started in it.
    if (process.stdout.isTTY) void stop()
    else void started.then(({ hangUp }) => hangUp()).catch(() => undefined)
  })
  try {
    process.stdout.write((await started).greeting)
  } catch (error) {
    log.debug('start failed', { error })
    // Ctrl-C ends the program that makes the database as well, and its end is known before the signal is.
    await Bun.sleep(signalsHeardWithinMs)
    if (!stopping.signal.aborted) fail(errorMessage(error))
  }
}

void main()
