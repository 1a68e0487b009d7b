import { createHistoryMaintenance } from '../../server/health/history/rollup-job.ts'
import { bucketMs } from '../../server/health/history/recorder.ts'
import type { RollupAddition } from '../../server/health/history/rollup-addition.ts'
import { createHistoryStore } from '../../server/health/history/store.ts'
import type { Transition } from '../../server/health/history/transition.ts'
import {
  historyBatchOf,
  rollupOf,
  rttsOf,
  transitionOf,
} from '../../server/health/test-support/history-fixtures.ts'
import { createVirtualClock } from '../../server/health/test-support/virtual-clock.ts'
import type { Database } from '../../server/platform/database.ts'
import type { Decision } from '../../shared/health.ts'
import { silentLog } from './database.ts'
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts'

const wholeMs = 90 * dayMs
/** Older than this, one bucket stands for its hour: that is enough for charts of days. */
const fineMs = 7 * dayMs

interface Trouble {
  readonly agoMs: number
  readonly lastedMs: number
  readonly decision: Decision
  readonly reason: string
  /** What its reason became after a third of the time. */
  readonly laterReason: string | undefined
}

const trouble = (
  agoMs: number,
  lastedMs: number,
  decision: Decision,
  reason: string,
  laterReason?: string,
): Trouble => ({ agoMs, lastedMs, decision, reason, laterReason })

/** What ninety days of an ordinary node look like. */
const troubles: readonly Trouble[] = [
  trouble(71 * dayMs, 95 * minuteMs, 'DOWN', '1 of 1 say BAD: CONNECT'),
  trouble(52 * dayMs, 40 * minuteMs, 'LATENCY', '1 of 1 say LAG: BLOCKS_BEHIND'),
  trouble(33 * dayMs, 5 * hourMs, 'UNKNOWN', 'no quorum: the server was not running'),
  trouble(19 * dayMs, 3 * hourMs, 'DOWN', '1 of 1 say BAD: HTTP_5XX'),
  trouble(5 * dayMs, 25 * minuteMs, 'LATENCY', '1 of 1 say LAG: SECONDS_BEHIND'),
  trouble(2.2 * dayMs, 2 * hourMs, 'DOWN', '1 of 1 say BAD: TIMEOUT'),
  trouble(19 * hourMs, 35 * minuteMs, 'LATENCY', '1 of 1 say LAG: BLOCKS_BEHIND'),
  trouble(11 * hourMs, 20 * minuteMs, 'UNKNOWN', 'no quorum: 0 live'),
  trouble(6.4 * hourMs, 12 * minuteMs, 'DOWN', '1 of 1 say BAD: CONNECT', '1 of 1 say BAD: HTTP_5XX'),
]

/** Gives a service a history, by the way that the server itself stores one. `now` in epoch ms. */
export async function givePast(database: Database, serviceId: string, now: number): Promise<void> {
  const transitions = transitionsUntil(serviceId, now)
  const store = createHistoryStore(database)
  await store.save(historyBatchOf('the past', { transitions, rollups: rollupsUntil(serviceId, now) }))
  // As if it had been stored all the time, so that everything is joined into hours and days.
  await database.run((sql) => sql`UPDATE history_batches SET stored_at = ${new Date(now - wholeMs)}`)
  const retention = { fiveMinutesDays: 8, hoursDays: 400, transitionsDays: 400 }
  await createHistoryMaintenance({
    database,
    clock: createVirtualClock(now),
    log: silentLog,
    retention,
  }).run()
}

function transitionsUntil(serviceId: string, now: number): Transition[] {
  const first = transitionOf(serviceId, now - wholeMs - hourMs, { reason: '1 of 1 say OK' })
  const pairs = troubles.flatMap(({ agoMs, lastedMs, decision, reason, laterReason }) => [
    transitionOf(serviceId, now - agoMs, { from: 'UP', to: decision, reason }),
    ...(laterReason === undefined
      ? []
      : [
          transitionOf(serviceId, now - agoMs + lastedMs / 3, {
            from: decision,
            to: decision,
            reason: laterReason,
          }),
        ]),
    transitionOf(serviceId, now - agoMs + lastedMs, { from: decision, to: 'UP', reason: '1 of 1 say OK' }),
  ])
  return [first, ...pairs]
}

function rollupsUntil(serviceId: string, now: number): RollupAddition[] {
  const rollups: RollupAddition[] = []
  for (let at = Math.floor((now - wholeMs) / hourMs) * hourMs; at < now;) {
    const lengthMs = at < now - fineMs ? hourMs : bucketMs
    const found = troubles.find(({ agoMs, lastedMs }) => {
      const from = now - agoMs
      return at + lengthMs > from && at < from + lastedMs
    })
    if (found?.decision !== 'UNKNOWN') {
      rollups.push(rollupOf(serviceId, at, measured(found?.decision ?? 'UP', at, lengthMs)))
    }
    at += lengthMs
  }
  return rollups
}

/** Numbers that rise and fall over the day, and jump while it lags. */
function measured(decision: Decision, at: number, lengthMs: number): Partial<RollupAddition> {
  const probes = lengthMs / 10_000
  const failures = decision === 'DOWN' ? probes : 0
  const daily = 0.5 + 0.5 * Math.sin((at / dayMs) * 2 * Math.PI)
  const jitter = ((at / bucketMs) * 7_919) % 97
  const lag = decision === 'LATENCY' ? 8 + jitter / 20 : 0.2 + daily * 0.9 + jitter / 160
  const rttsMs = [38 + daily * 22 + jitter / 12, 84 + daily * 70 + jitter / 3]
  return {
    upMs: decision === 'UP' ? lengthMs : 0,
    latencyMs: decision === 'LATENCY' ? lengthMs : 0,
    downMs: decision === 'DOWN' ? lengthMs : 0,
    probes,
    failures,
    lagBlocksSum: lag * (probes - failures),
    lagBlocksMax: Math.ceil(lag * 1.6),
    lagSecSum: lag * 12 * (probes - failures),
    lagSecMax: Math.ceil(lag * 20),
    rtt: rttsOf(...rttsMs),
    liveMin: 1,
  }
}
