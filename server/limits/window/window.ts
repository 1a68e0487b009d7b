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
 * How much of a limit was taken lately. The state is nothing but the lanes, which the caller may have laid over a
 * mapped file. Instants are whole microseconds, from 1, of a clock that never runs back; where it does, the window
 * takes its own latest instant for now.
 */
export interface Window extends Ring, StampLog {
  readonly units: number
}

/** Up to this limit every unit has its own stamp, and refusals are as exact as admissions. */
export const largestExactLimit = 1_024

const isExact = ({ units }: { units: number }): boolean => units <= largestExactLimit

/** How many lanes (of 8 bytes) the state of a limit takes. */
export const cellsFor = (limit: Limit): number =>
  isExact(limit) ? logCells(limit.units) : ringCells(bucketsOfPeriod)

/** Reads lanes, all zero or left by an earlier window of the same limit, as its state. */
export function windowOver(limit: Limit, cells: Float64Array): Window {
  if (cells.length !== cellsFor(limit)) throw new RangeError(`expected ${cellsFor(limit)} cells`)
  const periodMicros = periodMs[limit.period] * 1_000
  return { units: limit.units, periodMicros, bucketMicros: bucketMicrosOf(periodMicros), cells }
}

/** Units taken in the interval of the period that ends now. */
export const used = (window: Window, now: number): number =>
  isExact(window) ? logUsed(window, now) : ringUsed(window, now)

/**
 * Microseconds until `cost` units fit, if nobody takes any before; 0: they fit now. `cost` is at most the limit: more
 * would never fit.
 */
export function waitFor(window: Window, cost: number, now: number): number {
  if (isExact(window)) return logWaitForFree(window, cost, now)
  return ringWaitFor(window, ringUsed(window, now) + cost - window.units, now)
}

/** Microseconds until the first of the units that are `used` now comes free; null: none is. */
export function waitForMore(window: Window, taken: number, now: number): number | null {
  if (taken === 0) return null
  return isExact(window) ? logWaitForFree(window, window.units - taken + 1, now) : ringWaitFor(window, 1, now)
}

/** Takes units that fit. Gives the instant under which they are counted, for `giveBack`. */
export const take = (window: Window, cost: number, now: number): number =>
  isExact(window) ? logTake(window, cost, now) : ringTake(window, cost, now)

/** Undoes (a part of) what was taken at an instant. What has left the interval since is not given back. */
export function giveBack(window: Window, cost: number, takenAt: number, now: number): void {
  if (isExact(window)) logGiveBack(window, cost, takenAt)
  else ringGiveBack(window, cost, takenAt, now)
}

/** Makes lanes consistent that a killed process may have left half written. Call it before the first use of such. */
export function repair(window: Window): void {
  if (isExact(window)) logRepair(window)
  else ringRepair(window)
}

/** The latest instant that the state knows: a clock that goes on from here continues the window over a restart. */
export const latestInstant = (window: Window): number =>
  isExact(window) ? logLatest(window) : ringLatest(window)
