import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import { probeErrors } from '../../../shared/verifier-protocol.ts'

/**
 * The newest observation of every verifier about every service, as columns of numbers: 10,000 services × 20 verifiers
 * are 200,000 cells, too many to keep as objects. A cell is addressed by a service's slot and a verifier's column.
 */
export interface ObservationTable {
  /** Stores an observation unless the cell holds a newer one. Returns whether it was stored. */
  write(slot: number, column: number, observation: LatestObservation): boolean
  /** Returns the observation in a cell, or null. The object is reused by the next call, so copy what must last. */
  read(slot: number, column: number): LatestObservation | null
  /** Calls `visit` for every column with an observation at or after `since`. The object is reused, so copy what must last. */
  forEachFresh(
    slot: number,
    since: number,
    visit: (column: number, observation: LatestObservation) => void,
  ): void
  clearSlot(slot: number): void
  clearColumn(column: number): void
}

export interface LatestObservation {
  /** When the probe ran, in epoch ms of the server. */
  at: number
  ok: boolean
  error: ProbeError | null
  lagBlocks: number
  lagSec: number
  rttMs: number
}

const noError = 0
const errorNumber = new Map(probeErrors.map((error, index) => [error, index + 1]))

/** The numbers of one cell are adjacent, so that reading a cell loads one cache line: all cells do not fit into a fast cache. */
const field = { at: 0, ok: 1, error: 2, lagBlocks: 3, lagSec: 4, rttMs: 5 } as const
const fields = 6

export function createObservationTable(): ObservationTable {
  let width = 4
  let rows = 64
  let numbers = new Float64Array(rows * width * fields)

  function grow(slot: number, column: number): void {
    const newWidth = column < width ? width : Math.max(column + 1, width * 2)
    const newRows = slot < rows ? rows : Math.max(slot + 1, rows * 2)
    const grown = new Float64Array(newRows * newWidth * fields)
    for (let row = 0; row < rows; row++) {
      const first = row * width * fields
      grown.set(numbers.subarray(first, first + width * fields), row * newWidth * fields)
    }
    numbers = grown
    width = newWidth
    rows = newRows
  }

  const reused: LatestObservation = { at: 0, ok: false, error: null, lagBlocks: 0, lagSec: 0, rttMs: 0 }

  /** Returns the index of a cell's first number. */
  const placeOf = (slot: number, column: number): number => (slot * width + column) * fields

  const instantAt = (place: number): number => numbers[place + field.at] ?? 0

  function readAt(place: number): LatestObservation {
    reused.at = instantAt(place)
    reused.ok = numbers[place + field.ok] === 1
    reused.error = probeErrors[(numbers[place + field.error] ?? noError) - 1] ?? null
    reused.lagBlocks = numbers[place + field.lagBlocks] ?? 0
    reused.lagSec = numbers[place + field.lagSec] ?? 0
    reused.rttMs = numbers[place + field.rttMs] ?? 0
    return reused
  }

  return {
    write(slot, column, { at, ok, error, lagBlocks, lagSec, rttMs }) {
      if (slot >= rows || column >= width) grow(slot, column)
      const place = placeOf(slot, column)
      if (instantAt(place) > at) return false
      numbers[place + field.at] = at
      numbers[place + field.ok] = ok ? 1 : 0
      numbers[place + field.error] = error === null ? noError : (errorNumber.get(error) ?? noError)
      numbers[place + field.lagBlocks] = lagBlocks
      numbers[place + field.lagSec] = lagSec
      numbers[place + field.rttMs] = rttMs
      return true
    },
    read(slot, column) {
      if (slot >= rows || column >= width) return null
      const place = placeOf(slot, column)
      return instantAt(place) === 0 ? null : readAt(place)
    },
    forEachFresh(slot, since, visit) {
      if (slot >= rows) return
      for (let column = 0; column < width; column++) {
        const place = placeOf(slot, column)
        const at = instantAt(place)
        if (at !== 0 && at >= since) visit(column, readAt(place))
      }
    },
    clearSlot(slot) {
      if (slot < rows) numbers.fill(0, placeOf(slot, 0), placeOf(slot + 1, 0))
    },
    clearColumn(column) {
      if (column >= width) return
      for (let row = 0; row < rows; row++) numbers[placeOf(row, column) + field.at] = 0
    },
  }
}
