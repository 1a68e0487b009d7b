import type { RecentHistory, StripPart } from '../../shared/health-services.ts'
import { duration } from './quantities.ts'

interface Run {
  /** Place of its first tick. */
  readonly from: number
  readonly part: NonNullable<StripPart> | 'NOT_WATCHED'
  readonly count: number
}

/** Returns neighbours of the same kind as one, for most strips are all the same. */
export function runsOf(strip: readonly StripPart[]): Run[] {
  const runs: { from: number; part: Run['part']; count: number }[] = []
  for (const [from, state] of strip.entries()) {
    const part = state ?? 'NOT_WATCHED'
    const last = runs.at(-1)
    if (last?.part === part) last.count++
    else runs.push({ from, part, count: 1 })
  }
  return runs
}

/** Returns how long it was which, the worst first: `DOWN 12 min, LATENCY 5 min, UP 23 h 43 min`. */
export function dayReading({ downMs, unknownMs, latencyMs, upMs, ...rest }: RecentHistory['day']): string {
  const parts: readonly (readonly [string, number])[] = [
    ['DOWN', downMs],
    ['UNKNOWN', unknownMs],
    ['LATENCY', latencyMs],
    ['UP', upMs],
    ['in maintenance', rest.maintenanceMs],
    ['not watched', rest.notWatchedMs],
  ]
  return parts
    .filter(([, ms]) => ms >= 1_000)
    .map(([name, ms]) => `${name} ${duration(ms)}`)
    .join(', ')
}

const spans: readonly (readonly [name: string, lengthMs: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
]

/** Returns a length of time in one unit, because it stands in a list: `62 d`. */
export function spanText(ms: number): string {
  const [name, lengthMs] = spans.find(([, length]) => ms >= length) ?? ['s', 1_000]
  return `${Math.floor(Math.max(0, ms) / lengthMs)} ${name}`
}
