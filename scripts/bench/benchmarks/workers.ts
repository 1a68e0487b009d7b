import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { temporaryDataDir } from '../../world/database.ts'
import { findCommand } from '../../world/find-command.ts'
import { measureInTurns } from '../arms.ts'
import { atLeast, atMost, type Benchmark, benchmarkRowOf } from '../benchmark.ts'
import { cpuMsOf } from '../process-cpu.ts'
import { call } from '../relay/answers.ts'
import { loadRelay, type Turn } from '../relay/loaded.ts'
import { type Nodes, startNginxNodes } from '../relay/nginx.ts'
import { startRelay } from '../relay/relay-under-test.ts'
import { ratios } from '../statistics.ts'

const packages = ['wrk', 'nginx']
const seconds = 3
const plan = { body: call, connections: 64, seconds, count: 5_000 }

interface WorkersTurn extends Turn {
  /** Of the nodes behind; of the arm itself. */
  readonly nodeCores: number
  readonly cores: number
}

export const workers: Benchmark = {
  name: 'workers',
  about: 'JSON-RPC calls to two workers against one process, on the same cores as the load',

  async run({ rounds }) {
    const missing = packages.filter((name) => findCommand(name) === null)
    if (missing.length > 0)
      return { title: 'Workers', rows: [], notes: [`skipped: needs ${missing.join(', ')} (apt-get install)`] }
    const folder = temporaryDataDir()
    const nodes = await startNginxNodes(join(folder, 'nodes'))
    const one = await startRelay(nodes)
    const two = await startRelay(nodes, { GATEHOUSE_WORKERS: '2' })
    try {
      const turn = (arm: ReturnType<typeof one.armFor>) => () => measure(arm, nodes)
      const turns = { one: turn(one.armFor('small')), two: turn(two.armFor('small')) }
      for (const warmUp of Object.values(turns)) await warmUp()
      return { title: 'Workers', rows: rowsOf(await measureInTurns(rounds, turns)), notes }
    } finally {
      await Promise.all([one.stop(), two.stop(), ...Object.values(nodes).map((node) => node.stop())])
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function measure(arm: Parameters<typeof loadRelay>[0], nodes: Nodes): Promise<WorkersTurn> {
  const pids = Object.values(nodes).map(({ pid }) => pid)
  const before = cpuMsOf(pids)
  const turn = await loadRelay(arm, plan)
  return {
    ...turn,
    nodeCores: (cpuMsOf(pids) - before) / (seconds * 1_000),
    cores: (turn.cpuPerRequest * turn.requestsPerSec) / 1_000_000,
  }
}

function rowsOf({ one, two }: Record<'one' | 'two', WorkersTurn[]>) {
  const perSec = ({ requestsPerSec }: WorkersTurn) => requestsPerSec
  const cost = ({ cpuPerRequest }: WorkersTurn) => cpuPerRequest
  const failures = [...one, ...two].reduce((sum, turn) => sum + turn.failures, 0)
  return [
    benchmarkRowOf('one process', 'requests/s', one.map(perSec)),
    benchmarkRowOf('two workers', 'requests/s', two.map(perSec)),
    benchmarkRowOf(
      'two workers to one process, the load on the same cores',
      '',
      ratios(two.map(perSec), one.map(perSec)),
    ),
    benchmarkRowOf(
      'cores that one process used',
      '',
      one.map(({ cores }) => cores),
    ),
    benchmarkRowOf(
      'cores that two workers used, supervisor and database included',
      '',
      two.map(({ cores }) => cores),
    ),
    benchmarkRowOf(
      'cores that the nodes behind used, with two workers',
      '',
      two.map(({ nodeCores }) => nodeCores),
    ),
    benchmarkRowOf('CPU of a call, one process', 'µs', one.map(cost)),
    benchmarkRowOf('CPU of a call, two workers', 'µs', two.map(cost)),
    benchmarkRowOf(
      'two workers to one process, on two whole cores: twice the one cost by the other',
      '',
      ratios(one.map(cost), two.map(cost)).map((ratio) => 2 * ratio),
      atLeast(1.7),
    ),
    benchmarkRowOf('failed requests', '', [failures], atMost(0)),
  ]
}

const notes = [
  `wrk with one thread and ${plan.connections} connections kept alive, ${seconds} s an arm, arms in turns; nginx with a constant answer behind. Both limits, metering, key check and the health decision of the upstream as in the benchmark "relay"; the limits of two workers are counted in the supervisor.`,
  'wrk, nginx and what is measured share the cores of the machine: what two workers cannot have of them, they cannot use. So the last ratio is by CPU time: as many calls as two cores would do at the cost of each arm, to those of one core at the cost of one process.',
]
