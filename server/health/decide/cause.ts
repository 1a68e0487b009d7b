/** Why a service is LATENCY or DOWN, and what its votes say instead by now. It is plain JSON, because it survives restarts. */
export interface Cause {
  /** What the agreeing votes hold against the service, such as `CONNECT`. */
  readonly objections: string
  /** The same with the votes that say so: `2 of 3 say BAD: CONNECT`. */
  readonly reason: string
  /** How often the objections have changed since the decision was published. */
  readonly changes: number
  /** What the votes hold against it instead, and since when (epoch ms). */
  readonly next: { readonly objections: string; readonly since: number } | null
}

/** What the votes that agree with the published decision say at an instant. */
export type SeenCause = Pick<Cause, 'objections' | 'reason'>

/** How long (ms) other objections must last before they are the cause: a round of every verifier. */
const firstHoldMs = 10_000

/** Returns the hold: doubled with each change, so that a cause that flaps for a year changes some twenty times. */
const holdMs = ({ changes }: Cause): number => firstHoldMs * 2 ** changes

/** Returns the cause of a decision that has just been published. */
export const firstCause = (seen: SeenCause): Cause => ({ ...seen, changes: 0, next: null })

/** Returns the cause after one more evaluation of the same decision; the same object where nothing changes. */
export function nextCause(last: Cause, seen: SeenCause, now: number): Cause {
  if (seen.objections === last.objections) {
    return last.next === null && seen.reason === last.reason
      ? last
      : { ...last, reason: seen.reason, next: null }
  }
  const since = last.next?.objections === seen.objections ? last.next.since : now
  if (now - since >= holdMs(last)) return { ...seen, changes: last.changes + 1, next: null }
  return since === last.next?.since ? last : { ...last, next: { objections: seen.objections, since } }
}
