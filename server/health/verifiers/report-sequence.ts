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
  | { readonly kind: 'clock_skew' }

/**
 * Sequence numbers only rise. The same batch again is a retransmission whose answer was lost; anything else that does
 * not rise is a replay. A batch from a clock that is more than a minute off is refused, so that the ages in it mean
 * something.
 */
export function checkSequence(claim: BatchClaim, last: LastBatch, now: number): ReportVerdict {
  if (claim.seq === last.seq && claim.bodyHash === last.bodyHash) return { kind: 'duplicate' }
  if (claim.seq <= last.seq) return { kind: 'replayed', lastSeq: last.seq }
  if (Math.abs(now - claim.sentAt) > protocolLimits.clockSkewMs) return { kind: 'clock_skew' }
  return { kind: 'accepted' }
}

/**
 * Returns the lowest sequence that a restarted server accepts. Numbers are microseconds of the sender's clock, and the stored
 * number may lag behind what was accepted just before a crash: nothing that was sent before this start is taken, so a
 * recorded batch cannot be replayed into the gap. A verifier that is refused adopts the number and goes on.
 */
export const restartFloor = (storedSeq: number, startedAt: number): number =>
  Math.max(storedSeq, startedAt * 1_000)
