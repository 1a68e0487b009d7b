import { assignmentsText, signatureHeader } from '../../../shared/verifier-protocol.ts'
import type { Health } from '../../health/health.ts'
import { Fault, isFault } from '../../platform/fault.ts'
import type { ReportOutcome, ServerClient } from './server-client.ts'
import type { VerifierIdentity } from '../identity/identity.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'

/** The client of the built-in verifier: direct calls, but with the same signatures and checks as over HTTP. */
export function createInProcessServerClient(
  verifiers: Pick<Health['verifiers'], 'assignments' | 'reports'>,
  verifierId: string,
  identity: VerifierIdentity,
  clock: SteadyClock,
): ServerClient {
  return {
    async assignments(etag, signal) {
      const time = Math.floor(clock.now())
      const signature = signatureHeader(identity.sign(assignmentsText(verifierId, time)))
      try {
        const read = await verifiers.assignments({
          verifierId,
          time: String(time),
          signature,
          etag,
          signal,
        })
        return read === null ? { kind: 'unchanged' } : { kind: 'changed', assignments: read.assignments }
      } catch (error) {
        if (isFault(error, 'verifier_revoked')) return { kind: 'revoked' }
        throw error
      }
    },

    async report(body, signature) {
      try {
        return { kind: 'accepted', ack: await verifiers.reports.take({ verifierId, signature, body }) }
      } catch (error) {
        return toOutcome(error)
      }
    },

    ping: () => Promise.resolve(null),
  }
}

function toOutcome(error: unknown): ReportOutcome {
  if (!(error instanceof Fault)) throw error
  switch (error.code) {
    case 'sequence_replayed':
    case 'sequence_ahead':
      return { kind: 'replayed', lastSeq: Number(error.headers['verifier-last-seq']) }
    case 'clock_skew':
      return { kind: 'clock_skew', serverTimeMs: Number(error.headers['server-time-ms']) }
    case 'verifier_revoked':
    case 'verifier_unknown':
      return { kind: 'revoked' }
    default:
      return { kind: 'rejected', message: error.message }
  }
}
