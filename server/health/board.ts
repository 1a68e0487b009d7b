import type { ProbeError } from '../../shared/verifier-protocol.ts'
import { probeErrors } from '../../shared/verifier-protocol.ts'

/**
 * The newest observation of every verifier about every service, as columns of numbers: 10,000 services × 20 verifiers
 * are 200,000 cells, too many to keep as objects. A cell is addressed by a service's slot and a verifier's column.
 */
export interface Board {
  /** Stores an observation unless the cell holds a newer one; tells whether it did. */
  write(slot: number, column: number, observation: BoardObservation): boolean
  /** The observation in a cell, or null. The object is reused: copy what stays. */
  read(slot: number, column: number): BoardObservation | null
  /** Calls back for every column that has an observation at or after `since`. The object is reused: copy what stays. */
  forEachFresh(
    slot: number,
    since: number,
    visit: (column: number, observation: BoardObservation) => void,
  ): void
  clearSlot(slot: number): void
  clearColumn(column: number): void
}

export interface BoardObservation {
  /** Server time of the probe, epoch ms. */
  at: number
  ok: boolean
  error: ProbeError | null
  lagBlocks: number
  lagSec: number
  rttMs: number
  height: number | null
  timestamp: number | null
}

const noError = 0
const errorNumber = new Map(probeErrors.map((error, index) => [error, index + 1]))
const absent = -1

interface Columns {
  at: Float64Array
  ok: Uint8Array
  error: Uint8Array
  lagBlocks: Float64Array
  lagSec: Float64Array
  rttMs: Float32Array
  height: Float64Array
  timestamp: Float64Array
}

const makeColumns = (cells: number): Columns => ({
  at: new Float64Array(cells),
  ok: new Uint8Array(cells),
  error: new Uint8Array(cells),
  lagBlocks: new Float64Array(cells),
  lagSec: new Float64Array(cells),
  rttMs: new Float32Array(cells),
  height: new Float64Array(cells),
  timestamp: new Float64Array(cells),
})

const columnNames = ['at', 'ok', 'error', 'lagBlocks', 'lagSec', 'rttMs', 'height', 'timestamp'] as const

export function createBoard(): Board {
  let width = 4
  let rows = 64
  let cells = makeColumns(rows * width)

  function grow(slot: number, column: number): void {
    const newWidth = column < width ? width : Math.max(column + 1, width * 2)
    const newRows = slot < rows ? rows : Math.max(slot + 1, rows * 2)
    const grown = makeColumns(newRows * newWidth)
    for (const name of columnNames) {
      for (let row = 0; row < rows; row++) {
        grown[name].set(cells[name].subarray(row * width, (row + 1) * width), row * newWidth)
      }
    }
    cells = grown
    width = newWidth
    rows = newRows
  }

  const reused: BoardObservation = {
    at: 0,
    ok: false,
    error: null,
    lagBlocks: 0,
    lagSec: 0,
    rttMs: 0,
    height: null,
    timestamp: null,
  }

  function readCell(cell: number): BoardObservation {
    const { at, ok, error, lagBlocks, lagSec, rttMs, height, timestamp } = cells
    const [cellHeight = absent, cellTimestamp = absent] = [height[cell], timestamp[cell]]
    reused.at = at[cell] ?? 0
    reused.ok = ok[cell] === 1
    reused.error = probeErrors[(error[cell] ?? noError) - 1] ?? null
    reused.lagBlocks = lagBlocks[cell] ?? 0
    reused.lagSec = lagSec[cell] ?? 0
    reused.rttMs = rttMs[cell] ?? 0
    reused.height = cellHeight === absent ? null : cellHeight
    reused.timestamp = cellTimestamp === absent ? null : cellTimestamp
    return reused
  }

  return {
    write(slot, column, observation) {
      if (slot >= rows || column >= width) grow(slot, column)
      const cell = slot * width + column
      if ((cells.at[cell] ?? 0) > observation.at) return false
      cells.at[cell] = observation.at
      cells.ok[cell] = observation.ok ? 1 : 0
      cells.error[cell] =
        observation.error === null ? noError : (errorNumber.get(observation.error) ?? noError)
      cells.lagBlocks[cell] = observation.lagBlocks
      cells.lagSec[cell] = observation.lagSec
      cells.rttMs[cell] = observation.rttMs
      cells.height[cell] = observation.height ?? absent
      cells.timestamp[cell] = observation.timestamp ?? absent
      return true
    },
    read(slot, column) {
      if (slot >= rows || column >= width) return null
      const cell = slot * width + column
      return cells.at[cell] === 0 ? null : readCell(cell)
    },
    forEachFresh(slot, since, visit) {
      if (slot >= rows) return
      const first = slot * width
      for (let column = 0; column < width; column++) {
        const at = cells.at[first + column] ?? 0
        if (at !== 0 && at >= since) visit(column, readCell(first + column))
      }
    },
    clearSlot(slot) {
      if (slot < rows) cells.at.fill(0, slot * width, (slot + 1) * width)
    },
    clearColumn(column) {
      if (column >= width) return
      for (let row = 0; row < rows; row++) cells.at[row * width + column] = 0
    },
  }
}
