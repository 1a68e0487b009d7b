import { Period, periodMs } from '../../shared/periods.ts'
import { cellsFor, latestInstant, windowOver } from './window/window.ts'

/** For how long lanes count that an earlier process left: instants in microseconds. */
export interface LaneLife {
  /** The latest instant at which something was counted. */
  readonly latest: number
  /** From here on the window is empty. */
  readonly endsAt: number
}

/** What windows are called by `key-windows.ts`. */
const windowName = / (?:rate|credits) (?<units>\d+)\/(?<period>[a-z]+)$/

/** Null: these are no lanes of a window. */
export function lifeOfLanes(name: string, lanes: Float64Array): LaneLife | null {
  const { units, period } = windowName.exec(name)?.groups ?? {}
  const known = Period.safeParse(period)
  if (units === undefined || !known.success) return null
  const limit = { units: Number(units), period: known.data }
  if (lanes.length !== cellsFor(limit)) return null
  const window = windowOver(limit, lanes)
  const latest = latestInstant(window)
  // A window of sub-buckets counts the oldest of them as a whole.
  return { latest, endsAt: latest + periodMs[limit.period] * 1_000 + 2 * window.bucketMicros }
}
