import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { SteadyClock } from './steady-clock.ts'

/** What the database said the time was. `sentAt` and `receivedAt` are of the monotonic clock, `wallAt` is when it was sent. */
export interface TimeReading {
  /** Epoch ms. */
  readonly databaseTime: number
  readonly sentAt: number
  readonly receivedAt: number
  readonly wallAt: number
}

/**
 * Epoch time by the clock of the database, which all processes of an installation have in common. Between two readings, and
 * while the database is away, it goes on by the monotonic clock, so that a step of this machine's wall clock changes nothing.
 */
export interface DatabaseClock extends SteadyClock {
  follow(reading: TimeReading): void
  /** Returns whether the wall clock of this machine is certainly more than 5 s from that of the database. */
  isWallClockWrong(): boolean
}

interface DatabaseClockOptions {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

/** Differences (ms) between two clocks that are not worth a step. */
const sameTimeMs = 100
/** How far (ms) the wall clock may be from that of the database. */
export const farthestWallClockMs = 5_000

/**
 * Returns by how many ms one clock is ahead of another, after another look at both. What may as well be the time that the
 * answer took changes nothing, so that time does not wander with the load.
 */
export const followOffset = (knownMs: number, measuredMs: number, uncertainMs: number): number =>
  Math.abs(measuredMs - knownMs) <= uncertainMs + sameTimeMs ? knownMs : measuredMs

/** Creates the clock from a first reading. */
export function createDatabaseClock(first: TimeReading, options: DatabaseClockOptions): DatabaseClock {
  const { clock, log, metrics } = options
  let aheadOfMonotonicMs = middleOf(first)
  let aheadOfWallMs = 0
  let isWrong = false
  const now = (): number => clock.monotonic() + aheadOfMonotonicMs

  function follow(reading: TimeReading): void {
    const uncertainMs = (reading.receivedAt - reading.sentAt) / 2
    aheadOfMonotonicMs = followOffset(aheadOfMonotonicMs, middleOf(reading), uncertainMs)
    const measuredMs = reading.databaseTime - (reading.wallAt + uncertainMs)
    aheadOfWallMs = followOffset(aheadOfWallMs, measuredMs, uncertainMs)
    const wasWrong = isWrong
    isWrong = Math.abs(aheadOfWallMs) > farthestWallClockMs
    if (isWrong && !wasWrong)
      log.warn(wrongText, { databaseAheadMs: Math.round(aheadOfWallMs), mostMs: farthestWallClockMs })
    if (wasWrong && !isWrong) log.info('the clock of this machine agrees with that of the database again')
  }

  metrics.observedGauge(
    'database_clock_ahead_seconds',
    'How far the clock of the database is ahead of that of this machine',
    () => aheadOfWallMs / 1_000,
  )
  follow(first)
  return { now, earliest: now, latest: now, follow, isWallClockWrong: () => isWrong }
}

const middleOf = ({ databaseTime, sentAt, receivedAt }: TimeReading): number =>
  databaseTime - (sentAt + receivedAt) / 2

const wrongText =
  'the clock of this machine is more than 5 s from that of the database: set it by NTP. Another process decides about health if there is one'

/** Asks the database for the time. Throws the Fault `unavailable` when it is away. */
export async function openDatabaseClock(
  database: Database,
  options: DatabaseClockOptions,
): Promise<DatabaseClock> {
  const { clock } = options
  const [sentAt, wallAt] = [clock.monotonic(), clock.now()]
  const [row] = await database.run(
    (sql) => sql<{ at: number }[]>`SELECT (extract(epoch FROM now()) * 1000)::float8 AS at`,
  )
  const reading = { databaseTime: row?.at ?? wallAt, sentAt, wallAt, receivedAt: clock.monotonic() }
  return createDatabaseClock(reading, options)
}
