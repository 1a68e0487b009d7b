import { createLocalLimits } from '../../../server/limits/local.ts'
import { createMemoryWindowStorage } from '../../../server/limits/window/window-storage.ts'
import { createDecisionLog } from '../../../server/limits/test-support/decision-log.ts'
import { cellsFor, take, waitFor, windowOver } from '../../../server/limits/window/window.ts'
import {
  bucketMicrosOf,
  bucketsOfPeriod,
  type Ring,
  ringCells,
  ringTake,
  ringUsed,
} from '../../../server/limits/window/ring.ts'
import { periodMs } from '../../../shared/periods.ts'
import { measureInTurns } from '../arms.ts'
import { atMost, type Benchmark, type Row, benchmarkRowOf } from '../benchmark.ts'
import { fixedWindow, type Limiter, slidingCounter, tokenBucket } from '../fixtures/other-limiters.ts'

const units = 100
const minute = periodMs.minute
const decisions = 1_000_000

const limiters = {
  'ring of 60 (ours above 1,024)': ring,
  'log (ours up to 1,024)': log,
  'both limits of a key and what is left (ours)': joint,
  'fixed window': () => fixedWindow(units, minute),
  'token bucket': () => tokenBucket(units, minute),
  'sliding window counter': () => slidingCounter(units, minute),
} as const

type Name = keyof typeof limiters
const names = Object.keys(limiters) as Name[]

export const limitsBenchmark: Benchmark = {
  name: 'limits',
  about: 'time of a decision, and the worst minute that each kind of limiter admits at 100 a minute',

  async run({ rounds }) {
    for (const name of names) timeOf(limiters[name]())
    const arms = Object.fromEntries(
      names.map((name) => [name, async () => timeOf(limiters[name]())]),
    ) as Record<Name, () => Promise<number>>
    const times = await measureInTurns(rounds, arms)
    return {
      title: 'Limits',
      rows: names.flatMap((name): Row[] => [
        benchmarkRowOf(`${name}: a decision`, 'ns', times[name]),
        benchmarkRowOf(
          `${name}: worst minute at ${units} a minute`,
          '',
          [worstMinuteOf(limiters[name])],
          name.includes('ours') ? atMost(units) : null,
        ),
      ]),
      notes: [
        `${decisions.toLocaleString('en-US')} decisions in each round, half of them admissions. The worst minute is the fullest interval of 60 s under bursts at both sides of an edge and a burst after a rest.`,
      ],
    }
  },
}

/** Nanoseconds of a decision, at twice the limit. */
function timeOf(limiter: Limiter): number {
  const stepMs = minute / units / 2
  const startedAt = Bun.nanoseconds()
  for (let decision = 0; decision < decisions; decision++) limiter.take(decision * stepMs)
  return (Bun.nanoseconds() - startedAt) / decisions
}

const worstMinuteOf = (make: () => Limiter): number =>
  Math.max(...arrivals.map((instants) => fullest(make(), instants)))

function fullest(limiter: Limiter, instants: readonly number[]): number {
  const admitted = createDecisionLog()
  for (const at of instants) if (limiter.take(at)) admitted.add(at, 1)
  // An interval without its end, in which every one of these limiters may promise the limit.
  return admitted.mostIn(minute - 0.001)
}

const evenly = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + ((to - from) * index) / count)

const arrivals: readonly number[][] = [
  // Just before each full minute, and all through the next.
  [1, 2, 3, 4].flatMap((edge) => [
    ...Array.from({ length: units }, () => edge * minute - 1),
    ...evenly(edge * minute, (edge + 1) * minute - 2, 3 * units),
  ]),
  // After a rest everything at once, and then as fast as it is let in.
  [...Array.from({ length: units }, () => 10 * minute - 1), ...evenly(10 * minute, 12 * minute, 8 * units)],
]

function ring(): Limiter {
  const state: Ring = {
    bucketMicros: bucketMicrosOf(minute * 1_000),
    cells: new Float64Array(ringCells(bucketsOfPeriod)),
  }
  return {
    take(now) {
      const micros = Math.floor(now * 1_000)
      if (ringUsed(state, micros) + 1 > units) return false
      ringTake(state, 1, micros)
      return true
    },
  }
}

function log(): Limiter {
  const limit = { units, period: 'minute' } as const
  const window = windowOver(limit, new Float64Array(cellsFor(limit)))
  return {
    take(now) {
      const micros = Math.floor(now * 1_000) + 1
      if (waitFor(window, 1, micros) > 0) return false
      take(window, 1, micros)
      return true
    },
  }
}

function joint(): Limiter {
  const time = { ms: 0 }
  const clock = { now: () => 0, monotonic: () => time.ms }
  const counted = createLocalLimits({ clock, storage: createMemoryWindowStorage() })
  const call = {
    keyId: 'key',
    rate: { units, period: 'minute' },
    credits: { units: 5_000, period: 'minute' },
    calls: 1,
    cost: 20,
  } as const
  return {
    take(now) {
      time.ms = now
      return counted.admit(call).kind === 'admitted'
    },
  }
}
