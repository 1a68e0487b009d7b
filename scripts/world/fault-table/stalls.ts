import { readFileSync } from 'node:fs'

import { descendants } from '../process-tree.ts'
import type { RunSpan } from './record.ts'

/** Times in which the machine had no time for this process, or for one that it started. */
export interface StallWatch {
  /** In their order, none overlapping another. */
  readonly seen: RunSpan[]
  stop(): void
}

/** So much late (ms) is a timer only where the processor was not to be had, or this process did not ask for it. */
const stallMs = 100
const heartbeatMs = 20
const lookMs = 200
/** Looks between two searches for processes that were started meanwhile. */
const looksPerSearch = 10

/**
 * By the kernel's own account of how long each process was ready to run and had to wait (Linux: the second number of
 * `/proc/<pid>/schedstat`, in ns): one that is busy, waits for something else or was stopped on purpose does not count.
 */
export function watchStalls(): StallWatch {
  const seen: RunSpan[] = []
  let ranAt = performance.now()
  const heartbeat = setInterval(() => {
    const now = performance.now()
    if (now - ranAt > stallMs) noteSpan(seen, { from: ranAt, until: now })
    ranAt = now
  }, heartbeatMs)

  let waited = new Map<number, number>()
  let lookedAt = performance.now()
  let looks = 0
  const looking = setInterval(() => {
    const now = performance.now()
    const pids = looks++ % looksPerSearch === 0 ? descendants(process.pid) : [...waited.keys()]
    const next = new Map(pids.flatMap((pid) => entryOf(pid)))
    const hadToWait = [...next].some(([pid, ms]) => ms - (waited.get(pid) ?? ms) > stallMs)
    if (hadToWait) noteSpan(seen, { from: lookedAt, until: now })
    waited = next
    lookedAt = now
  }, lookMs)

  return {
    seen,
    stop() {
      clearInterval(heartbeat)
      clearInterval(looking)
    },
  }
}

/** Adds a span that ends after all others, and joins those that it touches. */
export function noteSpan(seen: RunSpan[], span: RunSpan): void {
  let { from } = span
  for (let last = seen.at(-1); last !== undefined && last.until >= from; last = seen.at(-1)) {
    from = Math.min(from, last.from)
    seen.pop()
  }
  seen.push({ from, until: span.until })
}

/** The pid, and how long (ms) it has waited for the processor so far; nothing where that is not told. */
function entryOf(pid: number): [number, number][] {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return [[pid, Number(waitedNs) / 1e6]]
  } catch {
    return []
  }
}
