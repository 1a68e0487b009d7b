import { probeErrors } from '../../../shared/verifier-protocol.ts'
import { failureKinds, noFailures } from '../decide/failure-run.ts'
import type { LatestObservation, ProbeMemory } from './latest-observation.ts'
import { noMemory, windowLength } from './latest-observation.ts'

/**
 * The newest observation of every verifier about every service, and what is remembered of the ones before it, as
 * numbers in one buffer: 10,000 services × 20 verifiers are 200,000 cells, too many to keep as objects. A cell is
 * addressed by a service's slot and a verifier's column.
 */
export interface ObservationTable {
  /** Stores an observation unless the cell holds a newer one. Returns whether it was stored. */
  write(slot: number, column: number, observation: LatestObservation, memory?: ProbeMemory): boolean
  /**
   * Stores a good observation that follows none but good ones, as nearly all do, without looking at what is remembered.
   * Returns false, and stores nothing, where there is more to it.
   */
  writeGood(slot: number, column: number, observation: LatestObservation): boolean
  /** Returns the observation in a cell, or null. The object is reused by the next call, so copy what must last. */
  read(slot: number, column: number): LatestObservation | null
  /** Returns what is remembered of the probes before the newest. */
  memory(slot: number, column: number): ProbeMemory
  /** Calls `visit` for every column with an observation at or after `since`. The object is reused, so copy what must last. */
  forEachFresh(
    slot: number,
    since: number,
    visit: (column: number, observation: LatestObservation) => void,
  ): void
  clearSlot(slot: number): void
  clearColumn(column: number): void
}

const minWidth = 4

export function createObservationTable(): ObservationTable {
  let width = minWidth
  let rows = 64
  let cells = createObservationCells(rows * width)

  function grow(slot: number, column: number): void {
    // Verifiers are few and come rarely, so that columns without one would only cost memory.
    const newWidth = column < width ? width : Math.ceil((column + 1) / minWidth) * minWidth
    const newRows = slot < rows ? rows : Math.max(slot + 1, rows * 2)
    const grown = createObservationCells(newRows * newWidth)
    for (let row = 0; row < rows; row++) grown.copy(cells, row * width, width, row * newWidth)
    cells = grown
    width = newWidth
    rows = newRows
  }

  const cellOf = (slot: number, column: number): number => slot * width + column
  const isKnown = (slot: number, column: number): boolean =>
    slot < rows && column < width && cells.instant(cellOf(slot, column)) !== 0

  return {
    write(slot, column, seen, memory = noMemory) {
      if (slot >= rows || column >= width) grow(slot, column)
      const cell = cellOf(slot, column)
      if (cells.instant(cell) > seen.at) return false
      cells.write(cell, seen, memory)
      return true
    },
    writeGood(slot, column, seen) {
      if (slot >= rows || column >= width) grow(slot, column)
      const cell = cellOf(slot, column)
      if (cells.instant(cell) > seen.at || !cells.isUntroubled(cell)) return false
      cells.writeGood(cell, seen)
      return true
    },
    read: (slot, column) => (isKnown(slot, column) ? cells.read(cellOf(slot, column)) : null),
    memory: (slot, column) => (isKnown(slot, column) ? cells.memory(cellOf(slot, column)) : noMemory),
    forEachFresh(slot, since, visit) {
      if (slot >= rows) return
      for (let column = 0; column < width; column++) {
        const cell = cellOf(slot, column)
        const at = cells.instant(cell)
        if (at !== 0 && at >= since) visit(column, cells.read(cell))
      }
    },
    clearSlot(slot) {
      if (slot < rows) cells.clear(cellOf(slot, 0), cellOf(slot + 1, 0))
    },
    clearColumn(column) {
      if (column >= width) return
      for (let row = 0; row < rows; row++) cells.clear(cellOf(row, column), cellOf(row, column) + 1)
    },
  }
}

/** Cells of one observation and one memory each, by number. One without an observation has the instant 0. */
interface ObservationCells {
  instant(cell: number): number
  /** Returns an object that the next call reuses. */
  read(cell: number): LatestObservation
  memory(cell: number): ProbeMemory
  write(cell: number, observation: LatestObservation, memory: ProbeMemory): void
  /** Whether a cell remembers nothing but good answers. */
  isUntroubled(cell: number): boolean
  /** Stores one more good answer in a cell that remembers nothing else. */
  writeGood(cell: number, observation: LatestObservation): void
  clear(from: number, to: number): void
  /** Copies so many cells from others. */
  copy(source: ObservationCells, from: number, count: number, to: number): void
  /** All cells, as words. */
  readonly words: Uint32Array
}

const noError = 0
const errorNumber = new Map(probeErrors.map((error, index) => [error, index + 1]))

/*
 * The numbers of one cell are adjacent, so that reading a cell loads one or two cache lines: all cells do not fit into a
 * fast cache. Each cell has 56 bytes: three doubles, five integers of 32 bits, six of 16 bits.
 */
const doubles = 7
const double = { at: 0, lagBlocks: 1, lagSec: 2 } as const
const words = 2 * doubles
const word = { rttMs: 6, worstLagBlocks: 7, worstLagSec: 8, runAge: 9, goodAge: 10 } as const
const halves = 2 * words
const half = { result: 22, retried: 23, bad: 24, behind: 25, state: 26, failures: 27 } as const

/** Of `state`: two bits of inconsistency, one of confirmation, three of the kind of failure, four each of two counts. */
const stateBits = { flags: 0b111, kind: 0b111_000 } as const

const largestWord = 2 ** 32 - 1
const largestHalf = 2 ** 16 - 1
/** The value of `goodAge` where no good answer is known. */
const neverGood = largestWord

const inconsistencies = [undefined, 'lag', 'bad'] as const

function createObservationCells(size: number): ObservationCells {
  const views = viewsOf(size)
  const reused: LatestObservation = { at: 0, ok: false, error: null, lagBlocks: 0, lagSec: 0, rttMs: 0 }

  const doubleAt = (cell: number, place: number): number => views.doubles[cell * doubles + place] ?? 0
  const wordAt = (cell: number, place: number): number => views.words[cell * words + place] ?? 0
  const halfAt = (cell: number, place: number): number => views.halves[cell * halves + place] ?? 0

  function readCell(cell: number): LatestObservation {
    const result = halfAt(cell, half.result)
    const state = halfAt(cell, half.state)
    reused.at = doubleAt(cell, double.at)
    reused.ok = (result & 1) === 1
    reused.error = probeErrors[(result >> 1) - 1] ?? null
    reused.lagBlocks = doubleAt(cell, double.lagBlocks)
    reused.lagSec = doubleAt(cell, double.lagSec)
    reused.rttMs = wordAt(cell, word.rttMs)
    reused.inconsistent = inconsistencies[state & 3]
    reused.isConfirmed = (state & 4) === 0 ? undefined : true
    return reused
  }

  function writeObservation(cell: number, seen: LatestObservation): void {
    const inDoubles = cell * doubles
    views.doubles[inDoubles + double.at] = seen.at
    views.doubles[inDoubles + double.lagBlocks] = seen.lagBlocks
    views.doubles[inDoubles + double.lagSec] = seen.lagSec
    views.words[cell * words + word.rttMs] = Math.min(seen.rttMs, largestWord)
    const error = seen.error === null ? noError : (errorNumber.get(seen.error) ?? noError)
    views.halves[cell * halves + half.result] = (error << 1) | Number(seen.ok)
  }

  function writeMemory(cell: number, seen: LatestObservation, memory: ProbeMemory): void {
    const { window, run } = memory
    const inWords = cell * words
    views.words[inWords + word.worstLagBlocks] = Math.min(memory.worstLagBlocks, largestWord)
    views.words[inWords + word.worstLagSec] = Math.min(memory.worstLagSec, largestWord)
    views.words[inWords + word.runAge] = Math.min(seen.at - run.startedAt, largestWord)
    views.words[inWords + word.goodAge] =
      memory.goodAt === null ? neverGood : Math.min(Math.max(0, seen.at - memory.goodAt), neverGood - 1)
    const inHalves = cell * halves
    views.halves[inHalves + half.retried] = window.retried
    views.halves[inHalves + half.bad] = window.bad
    views.halves[inHalves + half.behind] = window.behind
    views.halves[inHalves + half.failures] = Math.min(run.count, largestHalf)
    const kind = run.kind === null ? 0 : failureKinds.indexOf(run.kind) + 1
    const flags = inconsistencies.indexOf(seen.inconsistent) | (seen.isConfirmed === true ? 4 : 0)
    views.halves[inHalves + half.state] = flags | (kind << 3) | (window.count << 6) | (memory.worstAge << 10)
  }

  function memoryOf(cell: number): ProbeMemory {
    const state = halfAt(cell, half.state)
    const at = doubleAt(cell, double.at)
    const goodAge = wordAt(cell, word.goodAge)
    const kind = failureKinds[((state >> 3) & 7) - 1] ?? null
    return {
      window: {
        count: (state >> 6) & 15,
        retried: halfAt(cell, half.retried),
        bad: halfAt(cell, half.bad),
        behind: halfAt(cell, half.behind),
      },
      run:
        kind === null
          ? noFailures
          : { kind, count: halfAt(cell, half.failures), startedAt: at - wordAt(cell, word.runAge) },
      goodAt: goodAge === neverGood ? null : at - goodAge,
      worstLagBlocks: wordAt(cell, word.worstLagBlocks),
      worstLagSec: wordAt(cell, word.worstLagSec),
      worstAge: (state >> 10) & 15,
    }
  }

  return {
    words: views.words,
    instant: (cell) => doubleAt(cell, double.at),
    read: readCell,
    memory: memoryOf,
    write(cell, seen, memory) {
      writeObservation(cell, seen)
      writeMemory(cell, seen, memory)
    },
    isUntroubled: (cell) =>
      (halfAt(cell, half.retried) | halfAt(cell, half.bad) | halfAt(cell, half.behind)) === 0 &&
      (halfAt(cell, half.state) & (stateBits.flags | stateBits.kind)) === 0,
    writeGood(cell, seen) {
      writeObservation(cell, seen)
      const count = (halfAt(cell, half.state) >> 6) & 15
      views.words[cell * words + word.goodAge] = 0
      views.halves[cell * halves + half.state] = Math.min(windowLength, count + 1) << 6
    },
    clear: (from, to) => void views.words.fill(0, from * words, to * words),
    copy(source, from, cells, to) {
      views.words.set(source.words.subarray(from * words, (from + cells) * words), to * words)
    },
  }
}

/** Returns one buffer for so many cells, as numbers of each size. */
function viewsOf(cells: number) {
  const buffer = new ArrayBuffer(cells * doubles * Float64Array.BYTES_PER_ELEMENT)
  return {
    doubles: new Float64Array(buffer),
    words: new Uint32Array(buffer),
    halves: new Uint16Array(buffer),
  }
}
