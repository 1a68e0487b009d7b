import { findCommand } from '../../../tests/support/find-command.ts'
import { atLeast, atMost, type Bar, type Benchmark, type Row, rowOf } from '../benchmark.ts'
import {
  attackSharedStore,
  killAndPause,
  nodeCount,
  restartEmpty,
  type SharedAttack,
} from '../fixtures/adversarial-nodes.ts'
import { attackOneProcess } from '../fixtures/adversarial-process.ts'

const requests = 1_000_000
/** As much as two cores can ask for: most of it is refused without asking Redis. */
const callsPerSecond = 80_000

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
  `${nodeCount} processes ask in bursts for many times the limits of three keys (5,000 a second; 100 a minute; 5,000 a second with 2 million credits a minute), twice: one is killed and Redis is stopped for 2 s (SIGSTOP); Redis is killed and comes back empty.`,
  'Not promised: when Redis loses its data and a process died within the same period, the units granted to that process count no more.',
]

const row = (measure: string, values: readonly number[], bar: Bar | null = null, unit = ''): Row =>
  rowOf(measure, unit, values, bar)

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
  const paused = await attackSharedStore(callsPerSecond, killAndPause)
  const emptied = await attackSharedStore(callsPerSecond, restartEmpty)
  const attacks = [paused, emptied]
  const name = `${nodeCount} processes`
  const of = (read: (attack: SharedAttack) => number): number[] => attacks.map(read)
  return [
    row(`${name}: requests`, [paused.requests + emptied.requests], atLeast(requests)),
    row(`${name}: windows above the limit, one killed, Redis stopped`, [paused.intervalsAbove], atMost(0)),
    row(`${name}: windows above the limit, Redis restarted empty`, [emptied.intervalsAbove], atMost(0)),
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
      of(({ longestAnswerMs }) => longestAnswerMs),
      atMost(1_000),
      'ms',
    ),
    row(
      `${name}: admissions in the last 2 s`,
      of(({ admittedAtTheEnd }) => admittedAtTheEnd),
      atLeast(1),
    ),
  ]
}
