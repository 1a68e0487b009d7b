import { type Limit } from '../../../shared/limits.ts'
import { periodMs } from '../../../shared/periods.ts'
import {
  type StampLog,
  logGiveBack,
  logCells,
  logLatest,
  logRepair,
  logTake,
  logUsed,
  logWaitForFree,
} from './log.ts'
import {
  type Ring,
  bucketMicrosOf,
  bucketsOfPeriod,
  ringGiveBack,
  ringCells,
  ringLatest,
  ringRepair,
  ringTake,
  ringUsed,
  ringWaitFor,
} from './ring.ts'

/**
 * The units of a limit that were taken lately. The cells are the whole state, and may lie in a mapped file. Instants
 * are whole µs, from 1, of a clock that never runs back; when it does, the window uses its own latest instant as now.
 */
export interface Window extends Ring, StampLog {
  readonly units: number
}

/** The largest limit whose units each have a stamp; its refusals are as exact as its admissions. */
export const largestExactLimit = 1_024

const isExact = ({ units }: { units: number }): boolean => units <= largestExactLimit

/** Returns the number of cells (of 8 bytes) for the state of a limit. */
export const cellsFor = (limit: Limit): number =>
  isExact(limit) ? logCells(limit.units) : ringCells(bucketsOfPeriod)

/**
 * Interprets cells as the state of a limit: all zeros, or the state of an earlier window of the same limit.
 */
export function windowOver(limit: Limit, cells: Float64Array): Window {
  if (cells.length !== cellsFor(limit)) throw new RangeError(`expected ${cellsFor(limit)} cells`)
  const periodMicros = periodMs[limit.period] * 1_000
  return { units: limit.units, periodMicros, bucketMicros: bucketMicrosOf(periodMicros), cells }
}

/** Returns the units taken in the interval of the period that ends now. */
export const used = (window: Window, now: number): number =>
  isExact(window) ? logUsed(window, now) : ringUsed(window, now)

/**
 * Returns the µs until `cost` units fit, if nobody takes any before; 0 when they fit now. `cost` is at most the limit,
 * because more would never fit.
 */
export function waitFor(window: Window, cost: number, now: number): number {
  if (isExact(window)) return logWaitForFree(window, cost, now)
  return ringWaitFor(window, ringUsed(window, now) + cost - window.units, now)
}

/** Returns the µs until the first of the used units becomes free; null when none is used. */
export function waitForMore(window: Window, taken: number, now: number): number | null {
  if (taken === 0) return null
  return isExact(window) ? logWaitForFree(window, window.units - taken + 1, now) : ringWaitFor(window, 1, now)
}

/** Takes units that fit. Returns the instant under which they are counted, for `giveBack`. */
export const take = (window: Window, cost: number, now: number): number =>
  isExact(window) ? logTake(window, cost, now) : ringTake(window, cost, now)

/**
 * Returns some or all units taken at an instant. Units that have left the interval since are not returned.
 */
export function giveBack(window: Window, cost: number, takenAt: number, now: number): void {
  if (isExact(window)) logGiveBack(window, cost, takenAt)
  else ringGiveBack(window, cost, takenAt, now)
}

/** Makes a state consistent that a killed process may have left half written. Called before its first use. */
export function repair(window: Window): void {
  if (isExact(window)) logRepair(window)
  else ringRepair(window)
}

/**
 * Returns the latest instant in the state. A clock that continues from there continues the window after a restart.
 */
export const latestInstantOf = (window: Window): number =>
  isExact(window) ? logLatest(window) : ringLatest(window)
