import type { Limit, LimitName } from '../../shared/limits.ts'
import type { WindowStorage } from './window/window-storage.ts'
import { cellsFor, repair, used, type Window, windowOver } from './window/window.ts'

/** The windows of all keys that were used lately, in bounded memory. */
export interface KeyWindows {
  /**
   * Returns the window of a limit, or null when all storage holds windows that still count: dropping one would open
   * its limit.
   */
  find(keyId: string, name: LimitName, limit: Limit, now: number): Window | null
  /** Returns the units in the window of a limit, without changing what counts. */
  usedIn(keyId: string, name: LimitName, limit: Limit, now: number): number
  /**
   * Returns true while a window that was found earlier is still in use; otherwise its cells may belong to another key.
   */
  isCurrent(keyId: string, name: LimitName, window: Window): boolean
  /** Returns the number of windows, including empty ones that were not swept yet. */
  size(): number
}

/** The shortest time between two sweeps for empty windows, which look at all windows and take a while. */
export const sweepEveryMs = 1_000

interface StoredWindow {
  readonly limit: Limit
  readonly window: Window
}

export function createKeyWindows(storage: WindowStorage): KeyWindows {
  const byName: Record<LimitName, Map<string, StoredWindow>> = { rate: new Map(), credits: new Map() }
  let nextSweepAt = 0

  function find(keyId: string, name: LimitName, limit: Limit, now: number): Window | null {
    const known = byName[name].get(keyId)
    if (known !== undefined) {
      if (isSame(known.limit, limit)) return known.window
      drop(keyId, name, known)
    }
    const own = allocate(keyId, name, limit) ?? allocateAfterSweep(keyId, name, limit, now)
    return own === null ? null : open(keyId, name, limit, own)
  }

  function open(keyId: string, name: LimitName, limit: Limit, own: Float64Array): Window {
    const window = windowOver(limit, own)
    repair(window)
    byName[name].set(keyId, { limit, window })
    return window
  }

  function usedIn(keyId: string, name: LimitName, limit: Limit, now: number): number {
    const known = byName[name].get(keyId)
    if (known !== undefined) return isSame(known.limit, limit) ? used(known.window, now) : 0
    // An earlier process may have left lanes that still count something; empty ones are not kept for a look.
    const own = allocate(keyId, name, limit)
    if (own === null) return 0
    const window = open(keyId, name, limit, own)
    const units = used(window, now)
    if (units === 0) drop(keyId, name, { window })
    return units
  }

  const allocate = (keyId: string, name: LimitName, limit: Limit): Float64Array | null =>
    storage.allocate({ keyId, name, limit }, cellsFor(limit))

  function allocateAfterSweep(
    keyId: string,
    name: LimitName,
    limit: Limit,
    now: number,
  ): Float64Array | null {
    if (now < nextSweepAt) return null
    nextSweepAt = now + sweepEveryMs * 1_000
    sweep('rate', now)
    sweep('credits', now)
    return allocate(keyId, name, limit)
  }

  function sweep(name: LimitName, now: number): void {
    for (const [keyId, stored] of byName[name]) if (used(stored.window, now) === 0) drop(keyId, name, stored)
  }

  function drop(keyId: string, name: LimitName, { window }: Pick<StoredWindow, 'window'>): void {
    byName[name].delete(keyId)
    storage.release(window.cells)
  }

  return {
    find,
    usedIn,
    isCurrent: (keyId, name, window) => byName[name].get(keyId)?.window === window,
    size: () => byName.rate.size + byName.credits.size,
  }
}

const isSame = (one: Limit, other: Limit): boolean =>
  one === other || (one.units === other.units && one.period === other.period)
