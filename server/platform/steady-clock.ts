import type { Clock } from './clock.ts'

/**
 * Epoch time that does not jump when somebody sets the wall clock: the wall clock at the start plus monotonic time.
 * A step of the wall clock (NTP, a resumed virtual machine) is believed once it has stood for `adoptAfterMs`; until
 * then `earliest` and `latest` tell the two opinions, so that a decision can ask that both agree.
 */
export interface SteadyClock {
  now(): number
  earliest(): number
  latest(): number
}

const sameReadingMs = 2_000
const adoptAfterMs = 600_000
/** The wall clock is asked no more often: every call is timed, and to read two clocks takes twice as long. */
const comparedEveryMs = 100

export function createSteadyClock(clock: Clock): SteadyClock {
  let offset = clock.now() - clock.monotonic()
  let doubt: { offset: number; since: number } | null = null
  let comparedAt = Number.NEGATIVE_INFINITY

  function now(): number {
    const monotonic = clock.monotonic()
    if (monotonic - comparedAt >= comparedEveryMs) compare(monotonic)
    return monotonic + offset
  }

  function compare(monotonic: number): void {
    comparedAt = monotonic
    const wallOffset = clock.now() - monotonic
    if (Math.abs(wallOffset - offset) <= sameReadingMs) {
      doubt = null
    } else if (!doubt || Math.abs(wallOffset - doubt.offset) > sameReadingMs) {
      doubt = { offset: wallOffset, since: monotonic }
    } else if (monotonic - doubt.since >= adoptAfterMs) {
      offset = doubt.offset
      doubt = null
    }
  }

  return {
    now,
    earliest: () => Math.min(now(), clock.now()),
    latest: () => Math.max(now(), clock.now()),
  }
}

/**
 * Returns a clock of whole ms that stands still rather than go back, so that an expired key does not become valid again when the
 * system clock is set back. Even a steady clock follows a wall clock that stays set back long enough.
 */
export function nonDecreasing(now: () => number): () => number {
  let latest = Number.NEGATIVE_INFINITY
  return () => {
    latest = Math.max(latest, Math.floor(now()))
    return latest
  }
}
