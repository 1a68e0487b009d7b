/**
 * `npm run world -- faults` lets ordinary faults happen to a world of real and recorded nodes, and says what was decided;
 * `npm run world -- one-chain` follows a chain through the relay while a node is behind.
 */
import { print } from './print.ts'
import { readScriptArguments } from './script-arguments.ts'
import { followOneChain } from './world/one-chain/run.ts'
import { runOrdinaryFaults } from './world/ordinary-faults/run.ts'
import { formatReport } from './world/ordinary-faults/table.ts'

const help = `Lets ordinary faults happen to sixty services and says what was decided about them.

  npm run world -- faults               each fault once, side by side: three minutes
  npm run world -- faults --minutes 60  one fault each minute

Follows a chain through the relay, before three nodes of which one is 1, 3 and 12 blocks behind.

  npm run world -- one-chain                 1,000 rounds each
  npm run world -- one-chain --processes 2   through one of two processes each time, which share Redis
  npm run world -- one-chain --rounds 100    fewer
`

const { values, positionals } = readScriptArguments(
  { name: 'world', help },
  {
    allowPositionals: true,
    options: {
      minutes: { type: 'string' },
      rounds: { type: 'string' },
      processes: { type: 'string' },
    },
  },
)
const [world] = positionals
const isUnderstood = positionals.length === 1 && (world === 'faults' || world === 'one-chain')

if (!isUnderstood) refuse('expected faults or one-chain; see --help')
const minutes = readCount('minutes')
const rounds = readCount('rounds') ?? 1_000
const processes = readCount('processes') ?? 1
if (processes > 2) refuse('--processes: expected 1 or 2')
process.exit((world === 'faults' ? await hasFaultyDecisions() : await hasBrokenChain()) ? 1 : 0)

async function hasFaultyDecisions(): Promise<boolean> {
  const report = await runOrdinaryFaults({ minutes, report: (line) => print(line) })
  print(formatReport(report))
  return report.wrong.length + report.missed.length > 0
}

async function hasBrokenChain(): Promise<boolean> {
  return (await followOneChain({ rounds, processes: processes === 2 ? 2 : 1, report: print })) > 0
}

function readCount(name: 'minutes' | 'rounds' | 'processes'): number | null {
  const text = values[name]
  if (text === undefined) return null
  const count = Number(text)
  return Number.isInteger(count) && count > 0 ? count : refuse(`--${name}: expected a whole number above 0`)
}

function refuse(problem: string): never {
  process.stderr.write(`world: ${problem}\n`)
  process.exit(1)
}
