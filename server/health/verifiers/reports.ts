import { createHash } from 'node:crypto'

import { limits, reportText } from '../../../shared/verifier-protocol.ts'
import type { ReportAck, ReportBatch } from '../../../shared/verifier-protocol.ts'
import { assertNever, fault } from '../../platform/fault.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { admit } from './admission.ts'
import type { Directory, ListedVerifier } from './directory.ts'
import { readBatch } from './read-batch.ts'
import { headerSigns } from './signature.ts'

/** Takes signed batches. Everything is checked before anything is stored; nothing here waits for the database. */
export interface Reports {
  /** The verifier that signed this text; faults: `verifier_unknown`, `verifier_revoked`, `unauthorized`. */
  authenticate(verifierId: string | null, signatureHeader: string | null, text: string): ListedVerifier
  /** `body` is the raw, uncompressed JSON that was signed. */
  receive(verifierId: string | null, signatureHeader: string | null, body: Uint8Array): ReportAck
}

/** What became of a batch, for the metrics. */
export type ReportResult =
  | 'accepted'
  | 'backfilled'
  | 'duplicate'
  | 'replayed'
  | 'clock_skew'
  | 'unauthorized'
  | 'invalid'

export interface ReportsOptions {
  directory: Directory
  clock: SteadyClock
  ingest: (verifier: ListedVerifier, batch: ReportBatch, receivedAt: number) => void
  assignmentsEtag: (verifier: ListedVerifier) => string
  /** Slows every verifier down to this when it is above 0. */
  slowDownMs: () => number
  count: (result: ReportResult) => void
}

export function createReports(options: ReportsOptions): Reports {
  const { directory, clock, ingest, assignmentsEtag, slowDownMs, count } = options

  function authenticate(verifierId: string | null, header: string | null, text: string): ListedVerifier {
    const verifier = directory.find(verifierId ?? '')
    if (verifier && headerSigns(header, text, verifier.key)) return verifier
    count('unauthorized')
    if (verifier) throw fault('unauthorized', 'verifier-signature: not a signature of this verifier')
    if (directory.isRevoked(verifierId ?? '')) throw fault('verifier_revoked', 'this verifier was revoked')
    throw fault('verifier_unknown', 'verifier-id: no such verifier; enrol it first')
  }

  function read(body: Uint8Array, signedBy: string): ReportBatch {
    try {
      return readBatch(body, signedBy)
    } catch (error) {
      count('invalid')
      throw error
    }
  }

  return {
    authenticate,

    receive(verifierId, signatureHeader, body) {
      const bodyHash = createHash('sha256').update(body).digest('hex')
      const verifier = authenticate(verifierId, signatureHeader, reportText(bodyHash))
      const batch = read(body, verifier.verifier.id)
      const now = clock.now()
      const last = { seq: verifier.verifier.lastSeq, bodyHash: verifier.lastBodyHash }
      const admission = admit({ seq: batch.seq, sentAt: batch.sentAtMs, bodyHash }, last, now)
      const ack = (isDuplicate: boolean): ReportAck => ({
        ackSeq: batch.seq,
        duplicate: isDuplicate,
        serverTimeMs: Math.floor(now),
        intervalMs: slowDownMs(),
        assignmentsEtag: assignmentsEtag(verifier),
      })
      switch (admission.kind) {
        case 'accepted': {
          verifier.verifier.lastSeq = batch.seq
          verifier.lastBodyHash = bodyHash
          ingest(verifier, batch, now)
          count(batch.backfill ? 'backfilled' : 'accepted')
          return ack(false)
        }
        case 'duplicate':
          count('duplicate')
          return ack(true)
        case 'replayed':
          count('replayed')
          throw fault('sequence_replayed', 'seq: not above the last one that was taken', {
            headers: { 'verifier-last-seq': String(admission.lastSeq) },
          })
        case 'clock_skew':
          count('clock_skew')
          throw fault(
            'clock_skew',
            `sentAtMs: more than ${limits.clockSkewMs / 1000} s off the server's clock`,
            {
              headers: { 'server-time-ms': String(Math.floor(now)) },
            },
          )
        default:
          return assertNever(admission)
      }
    },
  }
}
