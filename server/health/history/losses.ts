import type { Log } from '../../platform/log.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'

/** The kinds of rows that are dropped, the oldest first, when the database was away for so long that memory is full. */
export type LostKind = 'rollup' | 'transition'

export type CountLost = (kind: LostKind, rows: number) => void

/** Losses come by the thousand: each is counted, and a log line is written at most this often (ms). */
const logEveryMs = 60_000

export function createLossReport(clock: SteadyClock, log: Log, count: CountLost): CountLost {
  let loggedAt = Number.NEGATIVE_INFINITY
  let unlogged = 0
  return (kind, rows) => {
    count(kind, rows)
    unlogged += rows
    if (clock.now() - loggedAt < logEveryMs) return
    log.error('history is lost: the database has been away for too long to keep all of it', {
      rows: unlogged,
    })
    loggedAt = clock.now()
    unlogged = 0
  }
}
