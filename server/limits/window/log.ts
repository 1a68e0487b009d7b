/**
 * An exact log for small limits: one stamp for each unit, oldest first, in a circle. A call fits when the oldest
 * stamps, as many as it costs, have all left the interval; they are then overwritten. Cells: the place of the oldest
 * stamp · the stamps. A stamp of 0 is a unit that was never taken, so that all zeros are an empty log.
 */
export interface StampLog {
  readonly periodMicros: number
  readonly cells: Float64Array
}

const oldestCell = 0
const firstStampCell = 1

export const logCells = (units: number): number => firstStampCell + units

const size = ({ cells }: StampLog): number => cells.length - firstStampCell

/** Returns the cell of the stamp that is the `rank`-th oldest, counted from 0. */
function cellOf(log: StampLog, rank: number): number {
  const place = (log.cells[oldestCell] ?? 0) + rank
  return firstStampCell + (place < size(log) ? place : place - size(log))
}

const stampOf = (log: StampLog, rank: number): number => log.cells[cellOf(log, rank)] ?? 0

/**
 * Returns true while a stamp counts. The interval includes both its ends, because a whole µs is the precision of an
 * instant.
 */
const counts = (stamp: number, log: StampLog, now: number): boolean =>
  stamp !== 0 && now - stamp <= log.periodMicros

export const logUsed = (log: StampLog, now: number): number =>
  size(log) - rankAfter(log, now - log.periodMicros - 1)

/**
 * Returns how many stamps, which ascend from the oldest on, are at most that instant, including units never taken.
 */
function rankAfter(log: StampLog, instant: number): number {
  const bound = Math.max(0, instant)
  let low = 0
  let high = size(log)
  while (low < high) {
    const middle = (low + high) >> 1
    if (stampOf(log, middle) > bound) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns the µs until so many units are free; `units` is at most the limit. */
export function logWaitForFree(log: StampLog, units: number, now: number): number {
  if (units === 0) return 0
  const stamp = stampOf(log, units - 1)
  return counts(stamp, log, now) ? stamp + log.periodMicros + 1 - now : 0
}

export function logTake(log: StampLog, cost: number, now: number): number {
  const { cells } = log
  const takenAt = Math.max(now, stampOf(log, size(log) - 1))
  for (let rank = 0; rank < cost; rank++) cells[cellOf(log, rank)] = takenAt
  cells[oldestCell] = ((cells[oldestCell] ?? 0) + cost) % size(log)
  return takenAt
}

/** Removes stamps of that instant. Older ones move up, and the free units stand before them. */
export function logGiveBack(log: StampLog, cost: number, takenAt: number): void {
  const first = rankAfter(log, takenAt - 1)
  const returned = Math.min(cost, rankAfter(log, takenAt) - first)
  for (let rank = first - 1; rank >= 0; rank--) {
    log.cells[cellOf(log, rank + returned)] = stampOf(log, rank)
  }
  for (let rank = 0; rank < returned; rank++) log.cells[cellOf(log, rank)] = 0
}

/** Sorts the stamps, which a process killed between two writes leaves out of order. */
export function logRepair({ cells }: StampLog): void {
  cells.subarray(firstStampCell).sort()
  cells[oldestCell] = 0
}

export const logLatest = (log: StampLog): number => stampOf(log, size(log) - 1)
