import type { Assignments, ReportAck } from '../../../shared/verifier-protocol.ts'

/** The outcome of one report. `rejected` means that the same batch can never be accepted. */
export type ReportOutcome =
  | { kind: 'accepted'; ack: ReportAck }
  /** The number was not above the last one that the server accepted, or far ahead of its clock. */
  | { kind: 'replayed'; lastSeq: number }
  | { kind: 'clock_skew'; serverTimeMs: number }
  | { kind: 'busy'; retryAfterMs: number }
  | { kind: 'revoked' }
  | { kind: 'rejected'; message: string }
  /** Something answers that is not the server, such as a proxy before it: nobody knows that this is for good. */
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'unreachable' }

export type AssignmentsOutcome =
  | { kind: 'changed'; assignments: Assignments }
  | { kind: 'unchanged' }
  | { kind: 'unreachable' }
  /** It answers, with a refusal of which nobody knows that it is for good. */
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'revoked' }

/** The agent's client of its server: over HTTP when it stands alone, by direct calls when it is built in. It never rejects. */
export interface ServerClient {
  /** Waits until the assignments differ from `etag`, at most `limits.assignmentsWaitMs`. */
  assignments(etag: string | null, signal: AbortSignal): Promise<AssignmentsOutcome>
  /** `body` is the batch as JSON; `signature` is the whole header value, `v1,` included. */
  report(body: Uint8Array, signature: string): Promise<ReportOutcome>
  /** Resolves to whether the server answers at all, with whatever status; null where both are one process. */
  ping(): Promise<boolean | null>
}
