/** `npm run bench [-- name …]`: measures, and prints a Markdown table for each benchmark. */

import { errorMessage } from '../../server/platform/error-message.ts'
import { print } from '../print.ts'
import { readScriptArguments } from '../script-arguments.ts'
import type { Benchmark } from './benchmark.ts'
import { agentTokenCheck } from './benchmarks/agent-tokens.ts'
import { alertDelivery } from './benchmarks/alerts.ts'
import { consoleInBrowser } from './benchmarks/console.ts'
import { consoleLists } from './benchmarks/console-lists.ts'
import { database } from './benchmarks/database.ts'
import { decide } from './benchmarks/decide.ts'
import { downDetection } from './benchmarks/down-detection.ts'
import { gateway } from './benchmarks/gateway.ts'
import { gatewaySearch } from './benchmarks/gateway-search.ts'
import { gatewayStreams } from './benchmarks/gateway-streams.ts'
import { globalSearch } from './benchmarks/global-search.ts'
import { healthRead } from './benchmarks/health-read.ts'
import { keyCheck } from './benchmarks/key-check.ts'
import { limitsBenchmark } from './benchmarks/limits.ts'
import { limitsAdversarial } from './benchmarks/limits-adversarial.ts'
import { limitsStore } from './benchmarks/limits-store.ts'
import { manyKeys } from './benchmarks/many-keys.ts'
import { memory } from './benchmarks/memory.ts'
import { registry } from './benchmarks/registry.ts'
import { relay } from './benchmarks/relay.ts'
import { relaySubscribers } from './benchmarks/relay-subscribers.ts'
import { release } from './benchmarks/release.ts'
import { reportIngest } from './benchmarks/report-ingest.ts'
import { serviceMetrics } from './benchmarks/service-metrics.ts'
import { statusPage } from './benchmarks/status-page.ts'
import { usageRollup } from './benchmarks/usage-rollup.ts'
import { usage } from './benchmarks/usage.ts'
import { workers } from './benchmarks/workers.ts'
import { readMachine } from './machine.ts'
import { describeMachine, toMarkdown } from './table.ts'

const benchmarks: readonly Benchmark[] = [
  healthRead,
  serviceMetrics,
  statusPage,
  alertDelivery,
  reportIngest,
  decide,
  limitsBenchmark,
  limitsAdversarial,
  limitsStore,
  relay,
  relaySubscribers,
  workers,
  usage,
  usageRollup,
  registry,
  gateway,
  gatewaySearch,
  gatewayStreams,
  memory,
  downDetection,
  database,
  release,
  keyCheck,
  globalSearch,
  manyKeys,
  agentTokenCheck,
  consoleInBrowser,
  consoleLists,
]

const help = `npm run bench [-- name …] [--rounds n] [--minutes n] [--json]

Measures this server on this machine and prints Markdown tables. A number never makes it fail. Each benchmark takes
up to a minute, down-detection longer; without a name all of them run, one after the other.

${benchmarks.map(({ name, about }) => `  ${name.padEnd(20)}${about}`).join('\n')}

  --rounds n      how often every arm is measured (default 3)
  --minutes n     how long down-detection watches for false alarms (default 10)
  --json          one JSON value instead of tables
`

interface Wish {
  readonly chosen: readonly Benchmark[]
  readonly rounds: number
  readonly minutes: number
  readonly isJson: boolean
}

/** Throws with one sentence on a mistake. */
function readArguments(): Wish {
  const { values, positionals } = readScriptArguments(
    { name: 'bench', help },
    {
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        rounds: { type: 'string', default: '3' },
        minutes: { type: 'string', default: '10' },
      },
    },
  )
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds: expected a whole number above 0')
  const minutes = Number(values.minutes)
  if (!(minutes > 0)) throw new Error('--minutes: expected a number above 0')
  const chosen = positionals.length === 0 ? benchmarks : positionals.map(find)
  return { chosen, rounds, minutes, isJson: values.json === true }
}

function find(name: string): Benchmark {
  const found = benchmarks.find((benchmark) => benchmark.name === name)
  if (found) return found
  throw new Error(`there is no benchmark ${name}, only ${benchmarks.map((other) => other.name).join(', ')}`)
}

async function main(): Promise<void> {
  const wish = readArguments()
  const machine = readMachine()
  if (!wish.isJson) print(describeMachine(machine))
  const results = []
  for (const benchmark of wish.chosen) {
    const result = await benchmark.run({ rounds: wish.rounds, minutes: wish.minutes })
    results.push({ name: benchmark.name, ...result })
    if (!wish.isJson) print(toMarkdown(result))
  }
  if (wish.isJson) print(JSON.stringify({ machine, results }, null, 2))
}

try {
  await main()
} catch (error) {
  process.stderr.write(`bench: ${errorMessage(error)}\n`)
  process.exitCode = 1
}
