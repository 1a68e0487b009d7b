import { createHash } from 'node:crypto'

import { reportText } from '../../../shared/verifier-protocol.ts'
import type { ReportAck, ReportBatch } from '../../../shared/verifier-protocol.ts'
import { assertNever, fault } from '../../platform/fault.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { Ingest } from '../evaluation/ingest.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { type SignedReport, nobodyDecides } from '../fleet/pass-on.ts'
import { checkSequence, clockSkewText } from './report-sequence.ts'
import type { ProgressWriter } from './save-progress.ts'
import type { ActiveVerifiers, ActiveVerifier } from './active-verifiers.ts'
import { readReport } from './read-report.ts'
import { signatureProblem, signedForms } from './signature.ts'

/** Receives signed batches. Everything is checked before anything is stored, and nothing waits for the database. */
export interface Reports {
  /** Returns the verifier that signed a text. Faults: `verifier_unknown`, `verifier_revoked`, `unauthorized`. */
  authenticate(verifierId: string | null, signatureHeader: string | null, signed: SignedText): ActiveVerifier
  /**
   * Takes a batch, here or at the process that decides. Faults: those of `receive`, `unavailable` while no process decides.
   */
  take(report: SignedReport): Promise<ReportAck>
  /** Accepts a batch or throws a fault. `body` is the raw, uncompressed JSON that was signed. */
  receive(verifierId: string | null, signatureHeader: string | null, body: Uint8Array): ReportAck
}

/** A text that has to be signed, and what it is made of, in words. */
interface SignedText {
  readonly text: string
  readonly form: (typeof signedForms)[keyof typeof signedForms]
}

/** The outcome of a batch, for the metrics. */
export type ReportResult =
  | 'accepted'
  | 'backfilled'
  | 'duplicate'
  | 'replayed'
  | 'ahead'
  | 'clock_skew'
  | 'unauthorized'
  | 'invalid'

export interface ReportsOptions {
  /** Says whether reports are for this process, and is told of those that it accepts. */
  fleet: Pick<Fleet, 'isDeciding' | 'passOn' | 'accepted'>
  activeVerifiers: ActiveVerifiers
  clock: SteadyClock
  progress: Pick<ProgressWriter, 'add'>
  ingest: Pick<Ingest, 'accept'>
  onFirstReport: (verifier: ActiveVerifier, receivedAt: number) => void
  assignmentsEtag: (verifier: ActiveVerifier) => string
  count: (result: ReportResult) => void
}

export function createReports(options: ReportsOptions): Reports {
  const { fleet, activeVerifiers, clock, progress, ingest, onFirstReport, assignmentsEtag, count } = options

  function authenticate(
    verifierId: string | null,
    header: string | null,
    { text, form }: SignedText,
  ): ActiveVerifier {
    const verifier = activeVerifiers.find(verifierId ?? '')
    const problem = verifier && signatureProblem(header, text, verifier.key, form)
    if (verifier && problem === null) return verifier
    count('unauthorized')
    if (verifier) throw fault('unauthorized', `verifier-signature: ${problem}`)
    if (activeVerifiers.isRevoked(verifierId ?? ''))
      throw fault('verifier_revoked', 'this verifier was revoked')
    throw fault(
      'verifier_unknown',
      'verifier-id: no such verifier; send the verifierId that enrolment answered',
    )
  }

  function read(body: Uint8Array, signedBy: string): ReportBatch {
    try {
      return readReport(body, signedBy)
    } catch (error) {
      count('invalid')
      throw error
    }
  }

  function requireDeciding(): void {
    if (!fleet.isDeciding()) throw nobodyDecides()
  }

  return {
    authenticate,

    async take(report) {
      const { verifierId, signature, body } = report
      if (fleet.isDeciding()) return this.receive(verifierId, signature, body)
      const { verifier } = authenticate(verifierId, signature, signedReport(hashOf(body)))
      // The built-in verifier of this process is for when it decides itself.
      if (verifier.isBuiltIn) throw nobodyDecides()
      return await fleet.passOn(report)
    },

    receive(verifierId, signatureHeader, body) {
      requireDeciding()
      const bodyHash = hashOf(body)
      const verifier = authenticate(verifierId, signatureHeader, signedReport(bodyHash))
      const batch = read(body, verifier.verifier.id)
      const now = clock.now()
      const last = { seq: verifier.verifier.lastSeq, bodyHash: verifier.lastBodyHash }
      const verdict = checkSequence({ seq: batch.seq, sentAt: batch.sentAtMs, bodyHash }, last, now)
      const ack = (told: Pick<ReportAck, 'duplicate' | 'ignored'>): ReportAck => ({
        ackSeq: batch.seq,
        ...told,
        serverTimeMs: Math.floor(now),
        intervalMs: 0, // verifiers keep the intervals of their assignments
        assignmentsEtag: assignmentsEtag(verifier),
      })
      switch (verdict.kind) {
        case 'accepted': {
          verifier.verifier.lastSeq = batch.seq
          verifier.lastBodyHash = bodyHash
          if (verifier.joinedAt === null) onFirstReport(verifier, now)
          verifier.verifier.lastSeenAt = Math.floor(now)
          progress.add(verifier.verifier)
          const ignored = ingest.accept(verifier, batch, now)
          fleet.accepted?.(verifier, batch, now)
          count(batch.backfill ? 'backfilled' : 'accepted')
          return ack({ duplicate: false, ignored })
        }
        case 'duplicate':
          count('duplicate')
          return ack({ duplicate: true })
        case 'replayed':
          count('replayed')
          throw fault(
            'sequence_replayed',
            'seq: not above the last one that was taken, which verifier-last-seq has',
            {
              headers: { 'verifier-last-seq': String(verdict.lastSeq) },
            },
          )
        case 'ahead':
          count('ahead')
          throw fault('sequence_ahead', 'seq: more than a day ahead of the server, in microseconds', {
            headers: { 'verifier-last-seq': String(verdict.lastSeq) },
          })
        case 'clock_skew':
          count('clock_skew')
          throw fault('clock_skew', `sentAtMs: ${clockSkewText}`, {
            headers: { 'server-time-ms': String(Math.floor(now)) },
          })
        default:
          return assertNever(verdict)
      }
    },
  }
}

const signedReport = (bodyHash: string): SignedText => ({
  text: reportText(bodyHash),
  form: signedForms.report,
})

const hashOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex')
