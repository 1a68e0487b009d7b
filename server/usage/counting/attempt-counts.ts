import type { AttemptsOfRequest } from './meter.ts'

/** Requests for a key to one upstream that ended alike within five minutes. Counts only grow. */
export interface AttemptCount {
  readonly accountId: string
  /** Empty for keys beyond those that are told apart. */
  readonly keyId: string
  readonly endpoint: string
  readonly upstream: string
  readonly class: string
  /** The minute since 1970 in which the five minutes begin. */
  readonly minute: number
  attempts: number
  tookMs: number
}

/**
 * Sums up requests to upstreams, which tell how an upstream did, and are no part of what is charged: they are in memory
 * until they are written, and a kill loses those of the last second.
 */
export interface AttemptCounts {
  add(requests: readonly AttemptsOfRequest[]): void
  /** Returns what changed since it was written. */
  changed(): AttemptCount[]
  written(counts: readonly AttemptCount[]): void
}

/** The most counts in memory: about 20 MB. */
const mostCounts = 100_000
/** With so many the keys of further ones are not told apart. */
const mostCountsOfKeys = 80_000
/** How long a count is kept for more to come; the database has it by then. */
const keptMinutes = 10

export function createAttemptCounts(
  currentMinute: () => number,
  skipped: (attempts: number) => void,
): AttemptCounts {
  const counts = new Map<string, AttemptCount>()
  const changed = new Set<AttemptCount>()

  function countOf(
    { accountId, keyId, endpoint, minute }: Omit<AttemptsOfRequest, 'attempts'>,
    upstream: string,
    name: string,
  ): AttemptCount | null {
    const begin = minute - (minute % 5)
    const count = { accountId, keyId, endpoint, upstream, class: name, minute: begin, attempts: 0, tookMs: 0 }
    const known = counts.get(idOf(count))
    if (known !== undefined) return known
    if (counts.size >= mostCounts) return null
    if (keyId !== '' && counts.size >= mostCountsOfKeys)
      return countOf({ accountId, keyId: '', endpoint, minute }, upstream, name)
    counts.set(idOf(count), count)
    return count
  }

  return {
    add(requests) {
      for (const request of requests) {
        for (const { upstream, class: name, ms, isShared } of request.attempts) {
          if (isShared === true) continue
          const count = countOf(request, upstream, name)
          if (count === null) {
            skipped(1)
            continue
          }
          count.attempts++
          count.tookMs += ms
          changed.add(count)
        }
      }
    },
    changed: () => [...changed].map((count) => ({ ...count })),
    written(rows) {
      const writtenAs = new Map(rows.map((row) => [idOf(row), row.attempts]))
      for (const count of changed) if (writtenAs.get(idOf(count)) === count.attempts) changed.delete(count)
      const oldest = currentMinute() - keptMinutes
      for (const [id, count] of counts) if (count.minute < oldest && !changed.has(count)) counts.delete(id)
    },
  }
}

const idOf = ({ minute, accountId, keyId, endpoint, upstream, class: name }: AttemptCount): string =>
  `${minute} ${accountId} ${keyId} ${endpoint} ${upstream} ${name}`
