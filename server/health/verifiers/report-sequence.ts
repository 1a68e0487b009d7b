import { protocolLimits } from '../../../shared/verifier-protocol.ts'

/** The facts of a batch that decide whether it is accepted. Times are epoch ms. */
export interface BatchClaim {
  readonly seq: number
  readonly sentAt: number
  readonly bodyHash: string
}

/** The newest batch that was accepted from the same verifier. */
export interface LastBatch {
  readonly seq: number
  readonly bodyHash: string | null
}

export type ReportVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'replayed'; readonly lastSeq: number }
  | { readonly kind: 'ahead'; readonly lastSeq: number }
  | { readonly kind: 'clock_skew' }

export const clockSkewText = `more than ${protocolLimits.clockSkewMs / 1000} s off the server's clock, which server-time-ms has in epoch milliseconds`

/** How far (µs) a sequence number may be ahead of the server's clock: a verifier with a wrong clock is not locked out for good. */
const furthestAhead = 86_400_000_000

const highestSeq = (now: number): number => Math.floor(now) * 1_000 + furthestAhead

/**
 * Sequence numbers only rise. The same batch again is a retransmission whose answer was lost; anything else that does
 * not rise is a replay. A number more than a day ahead would leave no room above it. A batch from a clock that is more than a minute off is refused, so that the ages in it mean
 * something.
 */
export function checkSequence(claim: BatchClaim, last: LastBatch, now: number): ReportVerdict {
  if (claim.seq === last.seq && claim.bodyHash === last.bodyHash) return { kind: 'duplicate' }
  if (claim.seq <= last.seq) return { kind: 'replayed', lastSeq: last.seq }
  if (claim.seq > highestSeq(now)) return { kind: 'ahead', lastSeq: last.seq }
  if (Math.abs(now - claim.sentAt) > protocolLimits.clockSkewMs) return { kind: 'clock_skew' }
  return { kind: 'accepted' }
}

/**
 * Returns the lowest sequence that a restarted server accepts. Numbers are microseconds of the sender's clock, and the stored
 * number may lag behind what was accepted just before a crash: nothing that was sent before this start is taken, so a
 * recorded batch cannot be replayed into the gap. A verifier that is refused adopts the number and goes on. A stored
 * number that would be refused today is from before numbers had a highest value, and counts for nothing.
 */
export const restartFloor = (storedSeq: number, startedAt: number): number =>
  Math.max(storedSeq > highestSeq(startedAt) ? 0 : storedSeq, startedAt * 1_000)
