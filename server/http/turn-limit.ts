/** For how long one turn of the event loop begins requests, which is about as long as the next request waits. */
const turnMs = 8
/** A turn that has begun no more than this takes requests beyond its time when they are quick to answer. */
const mostQuick = 512
/** So many requests pass before the turn is watched: a server with little to do pays for a counter. */
const unwatched = 64

/**
 * Spreads bursts over turns of the event loop. Bun begins all requests of all readable sockets in one turn, also those
 * that a client has pipelined: 300 connections with 200 requests each silenced the server for seconds. Requests beyond
 * the bound wait for later turns, first come, first served. Bun closes a connection that sends a further request while
 * one waits, which RFC 9112, 9.3.2 makes clients expect, so that one request of each connection waits at most.
 */
export interface TurnLimit {
  /** Counts a request that came at `now`. False: it has to go through `later`. */
  hasRoom(now: number): boolean
  /** Whether a request that has found no room may begin all the same, provided that it is quick to answer. */
  hasQuickRoom(): boolean
  /** Does `work` in a later turn. */
  later<T>(work: () => T | Promise<T>): Promise<T>
}

/** `monotonic`: ms of a clock that does not run back, which `now` is of, too. */
export function createTurnLimit(monotonic: () => number): TurnLimit {
  let begun = 0
  let startedAt = 0
  let isScheduled = false
  let waiting: (() => void)[] = []

  /** The loop does not wait for sockets while this is due. */
  function watch(now: number): void {
    isScheduled = true
    startedAt = now
    setImmediate(turn)
  }

  function turn(): void {
    isScheduled = false
    begun = 0
    if (waiting.length === 0) return
    watch(monotonic())
    let next = 0
    while (next < waiting.length && monotonic() - startedAt < turnMs) waiting[next++]?.()
    waiting = waiting.slice(next)
  }

  return {
    hasRoom(now) {
      begun += 1
      if (begun <= unwatched && waiting.length === 0) return true
      if (!isScheduled) watch(now)
      return waiting.length === 0 && now - startedAt < turnMs
    },
    hasQuickRoom: () => begun <= mostQuick,
    later: (work) => new Promise((resolve) => waiting.push(() => resolve(Promise.try(work)))),
  }
}
