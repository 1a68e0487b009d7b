import { type Gatehouse, startGatehouse } from './compose.ts'
import { readEnvironment } from './config/env.ts'
import { createLog } from './platform/log.ts'
import { programs } from '../shared/programs.ts'

/** Below the 30 s after which orchestrators kill. */
const stopLimitMs = 25_000

function fail(message: string): never {
  process.stderr.write(`gatehouse: ${message}\n`)
  process.exit(1)
}

/** What a person needs next. */
async function greeting({ installation, accounts, file, health }: Gatehouse): Promise<string> {
  const url = installation.address()
  const setupLink = await accounts.setupLink()
  const services = health.services.list().length
  const lines = [
    `Gatehouse is up at ${url}`,
    '',
    ...(setupLink === null
      ? [`  Console         ${url}`]
      : [`  First operator  ${setupLink}`, '                  opens the console; works once, for a day']),
    `  API reference   ${url}/reference`,
    `  For agents      ${url}/mcp (MCP over Streamable HTTP), ${url}/sse (MCP over SSE)`,
    `  Try it          curl ${url}/health/my-service`,
    `  Services        ${services} registered` +
      (file.exists ? ` (${file.path})` : `; write a ${file.path} or run`),
    ...(file.exists ? [] : [`                  ${programs.commandLine} services add --help`]),
    '',
    'Ctrl-C stops it.',
    '',
  ]
  return lines.join('\n')
}

async function main(): Promise<void> {
  const reading = readEnvironment()
  if (reading.kind === 'problems') fail(`the settings have mistakes:\n  ${reading.problems.join('\n  ')}`)
  const log = createLog({ level: reading.config.logLevel })

  const stopping = new AbortController()
  const stop = async () => {
    if (stopping.signal.aborted) return
    stopping.abort()
    setTimeout(() => fail('it did not stop in time'), stopLimitMs).unref()
    // One that was still waiting for its database has not started, and has cleaned up after itself.
    const gatehouse = await started.catch(() => null)
    await gatehouse?.stop()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
  process.on('unhandledRejection', (error) => {
    log.error('a promise was rejected and nobody listened', { error })
    fail('an internal error ended it; the log has the details')
  })

  // Last: a signal that comes while the database is made for the first time must find its listener.
  const started = startGatehouse(reading.config, log, stopping.signal)
  try {
    process.stdout.write(await greeting(await started))
  } catch (error) {
    log.debug('start failed', { error })
    if (!stopping.signal.aborted) fail(error instanceof Error ? error.message : String(error))
  }
}

await main()
