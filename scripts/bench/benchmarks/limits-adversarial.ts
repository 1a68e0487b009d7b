import { findCommand } from '../../world/find-command.ts'
import { atLeast, atMost, type Bar, type Benchmark, type Row, benchmarkRowOf } from '../benchmark.ts'
import { attackSharedStore, breakings, nodeCount, type SharedAttack } from '../fixtures/adversarial-nodes.ts'
import { attackOneProcess } from '../fixtures/adversarial-process.ts'

const requests = 1_000_000
/** As much as two cores can ask for: most of it is refused without asking Redis. */
const callsPerSecond = 80_000
/** Each order of what breaks, with each of these. */
const seeds = [1, 2]

export const limitsAdversarial: Benchmark = {
  name: 'limits-adversarial',
  about: 'a million requests that try to exceed limits: one process, and four with a store that breaks',

  async run({ rounds }) {
    const hasRedis = findCommand('redis-server') !== null
    return {
      title: 'Attacks on limits',
      rows: [...oneProcess(rounds), ...(hasRedis ? await sharedStore() : [])],
      notes: [
        'A window is an interval of the period, wherever it begins; each one that ends with an admission is looked at. One process: requests come steadily, at random, in bursts on both sides of edges, after rests, and on the very microsecond in which something leaves; a twentieth of them are batches.',
        ...(hasRedis ? sharedNotes : ['skipped: four processes need the Debian package redis-server']),
      ],
    }
  },
}

const sharedNotes = [
  `${nodeCount} processes ask in bursts for many times the limits of three keys (5,000 a second; 100 a minute; 5,000 a second with 2 million credits a minute), and of two more whose account has 3,000 a second and 1.5 million credits a minute for both. In each run one is killed (kill -9), Redis is stopped for 2 s (SIGSTOP), and it is killed and comes back empty, in three orders with ${seeds.length} seeds of the bursts and of the times between.`,
  'Where a process died so shortly before Redis that no other had read what it was granted, limits are closed until a period has passed: those of a second for one second, those of a minute for a minute.',
]

const row = (measure: string, values: readonly number[], bar: Bar | null = null, unit = ''): Row =>
  benchmarkRowOf(measure, unit, values, bar)

function oneProcess(rounds: number): Row[] {
  const attacks = Array.from({ length: rounds }, (_, round) => attackOneProcess(requests, round + 1))
  const fullest = attacks.map((attack) => 100 * attack.fullest)
  return [
    row(
      'one process: requests',
      attacks.map((attack) => attack.requests),
      atLeast(requests),
    ),
    row(
      'one process: windows above the limit',
      attacks.map((attack) => attack.intervalsAbove),
      atMost(0),
    ),
    row('one process: limit used in the fullest window', fullest, null, '%'),
  ]
}

async function sharedStore(): Promise<Row[]> {
  const name = `${nodeCount} processes`
  const attacks: SharedAttack[] = []
  const aboveRows: Row[] = []
  for (const [order, breaking] of Object.entries(breakings)) {
    const above: number[] = []
    for (const seed of seeds) {
      const attack = await attackSharedStore(callsPerSecond, breaking, seed)
      attacks.push(attack)
      above.push(attack.intervalsAbove)
    }
    aboveRows.push(row(`${name}: windows above the limit, one ${order}`, [Math.max(...above)], atMost(0)))
  }
  const of = (read: (attack: SharedAttack) => number): number[] => attacks.map(read)
  return [
    row(
      `${name}: requests`,
      [of((attack) => attack.requests).reduce((sum, one) => sum + one, 0)],
      atLeast(requests),
    ),
    ...aboveRows,
    row(
      `${name}: windows above the sums of an account`,
      of(({ sumsAbove }) => sumsAbove),
      atMost(0),
    ),
    row(
      `${name}: limit used before that`,
      of(({ steady }) => 100 * steady.shareUsed),
      null,
      '%',
    ),
    row(
      `${name}: admissions per round trip to Redis`,
      of(({ steady }) => steady.admissionsPerRoundTrip),
    ),
    row(
      `${name}: longest answer`,
      [Math.max(...of(({ longestAnswerMs }) => longestAnswerMs))],
      atMost(1_000),
      'ms',
    ),
    row(
      `${name}: admissions in the last 2 s`,
      [Math.min(...of(({ admittedAtTheEnd }) => admittedAtTheEnd))],
      atLeast(1),
    ),
  ]
}
